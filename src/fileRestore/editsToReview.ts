import { z } from 'zod';
import { fileVersion, type FileVersion } from '../engine/effects.ts';
import type { JsonObject } from '../engine/json.ts';
import { isOnNamedMachine } from '../engine/machineFolder.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { MessageFiles } from '../engine/store.ts';
import type { FileLocation } from '../platform/workspaceFiles.ts';
import { isSameVersion, keyOf } from './contentVersion.ts';
import { FileHistory, readRestores, type FilesRestored } from './fileHistory.ts';

/** What the log tells of edits that the user looked at. */
const editsReviewed = z.object({
  at: z.number(),
  files: z.array(
    z.object({
      folder: z.string(),
      path: z.string(),
      /**
       * What the file's edits are compared with from now on: of some of them it was decided. Left out: all of them are
       * kept.
       */
      baseline: fileVersion.nullable().optional(),
    }),
  ),
});
export type EditsReviewed = z.infer<typeof editsReviewed>;

/** The decision on one file. */
export interface ReviewedFile {
  readonly location: FileLocation;
  /** What its edits are compared with from now on; `kept`: all of them stay. */
  readonly baseline: FileVersion | null | 'kept';
}

/** A file that tools changed since the user last decided about it. */
export interface FileToReview {
  readonly location: FileLocation;
  /** What it held before; null: it was not there. */
  readonly baseline: FileVersion | null;
  /** What a tool or a restore left in it last; null: nothing. */
  readonly left: FileVersion | null;
}

/** The files of a chat that have edits to be reviewed, in the order in which they were first changed. */
export async function readEditsToReview(store: ReadonlyStore, chatId: string): Promise<FileToReview[]> {
  // A chat is made by its first question.
  if (!(await store.getChat(chatId))) return [];
  const messages = await store.listFileChanges(chatId);
  if (messages.length === 0) return [];
  const events = await store.listEvents(chatId, { kind: 'edits-reviewed' });
  const reviews = events.flatMap(({ details }) => editsReviewed.safeParse(details).data ?? []);
  return editsToReview(messages, await readRestores(store, chatId), reviews);
}

/** The details of the event that tells what was decided. */
export async function reviewedDetails(
  store: ReadonlyStore,
  chatId: string,
  files: readonly ReviewedFile[],
  now: number,
): Promise<JsonObject> {
  const history = await FileHistory.read(store, chatId);
  const details: EditsReviewed = {
    at: history.nextMoment(now),
    files: files.map(({ location, baseline }) => ({
      ...location,
      ...(baseline === 'kept' ? {} : { baseline }),
    })),
  };
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(details)));
}

/** What is known of one file while its history is gone through. */
interface Reviewed {
  readonly location: FileLocation;
  /** The same as `left` where nothing is to be reviewed. */
  baseline: FileVersion | null;
  left: FileVersion | null;
  /** What edits left that are to be reviewed. */
  edits: (FileVersion | null)[];
}

/**
 * Goes through all that happened, in order. An edit is to be reviewed until it is kept or undone. What a file holds because
 * it followed the conversation to another point was decided about by whoever moved it, unless it is such an edit.
 */
export function editsToReview(
  messages: readonly MessageFiles[],
  restores: readonly FilesRestored[],
  reviews: readonly EditsReviewed[],
): FileToReview[] {
  const files = new Map<string, Reviewed>();
  const moments = [
    ...messages.flatMap(({ files: changes }) =>
      changes.map((change) => ({ at: change.at, happen: () => edit(files, change) })),
    ),
    ...restores.map((restored) => ({ at: restored.at, happen: () => restore(files, restored) })),
    ...reviews.map((reviewed) => ({ at: reviewed.at, happen: () => review(files, reviewed) })),
  ];
  for (const { happen } of moments.toSorted((a, b) => a.at - b.at)) happen();
  return [...files.values()]
    .filter(({ location, baseline, left }) => {
      // Those of another machine are for whoever sits there.
      return !isOnNamedMachine(location.folder) && !isSameVersion(baseline, left);
    })
    .map(({ location, baseline, left }) => ({ location, baseline, left }));
}

function edit(
  files: Map<string, Reviewed>,
  { folder, path, before, after }: MessageFiles['files'][number],
): void {
  const location = { folder, path };
  const known = files.get(keyOf(location));
  const isReviewed = !known || isSameVersion(known.baseline, known.left);
  // What somebody else did to it since is not the tool's.
  const baseline = isReviewed ? before : known.baseline;
  const edits = isReviewed ? [after] : [...known.edits, after];
  files.set(keyOf(location), { location, baseline, left: after, edits });
}

function restore(files: Map<string, Reviewed>, { files: restored }: FilesRestored): void {
  for (const { folder, path, version } of restored) {
    const known = files.get(keyOf({ folder, path }));
    if (!known) continue;
    known.left = version;
    // Undone edits may come back, by Undo or with the conversation, and are as undecided then as they were.
    if ([known.baseline, ...known.edits].some((each) => isSameVersion(each, version))) continue;
    known.baseline = version;
    known.edits = [];
  }
}

function review(files: Map<string, Reviewed>, { files: reviewed }: EditsReviewed): void {
  for (const { folder, path, baseline } of reviewed) {
    const known = files.get(keyOf({ folder, path }));
    if (!known) continue;
    known.baseline = baseline === undefined ? known.left : baseline;
    if (isSameVersion(known.baseline, known.left)) known.edits = [];
  }
}
