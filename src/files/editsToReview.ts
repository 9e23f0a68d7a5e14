import { z } from 'zod';
import { fileVersion, type FileVersion } from '../engine/effects.ts';
import type { JsonObject } from '../engine/json.ts';
import { isOnNamedMachine } from '../engine/machineFolder.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { MessageFiles } from '../engine/store.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import { isFolder, isSameVersion, keyOf } from './contentVersion.ts';
import { FileHistory, readRestores, type FilesRestored } from './fileHistory.ts';

/** The log entry for edits that the user reviewed. */
const editsReviewed = z.object({
  at: z.number(),
  files: z.array(
    z.object({
      folder: z.string(),
      path: z.string(),
      /** The new baseline for the file's edits, if some of them were decided. Omitted: all are kept. */
      baseline: fileVersion.nullable().optional(),
    }),
  ),
});
export type EditsReviewed = z.infer<typeof editsReviewed>;

export interface ReviewedFile {
  readonly location: FileLocation;
  /** The new baseline for its edits; `kept`: all of them stay. */
  readonly baseline: FileVersion | null | 'kept';
}

/** A file that tools changed after the user's last decision about it. */
export interface FileToReview {
  readonly location: FileLocation;
  /** Its earlier content; null: it did not exist. */
  readonly baseline: FileVersion | null;
  /** The last content from a tool or a restore; null: no file. */
  readonly left: FileVersion | null;
}

/** In the order of their first change. */
export async function readEditsToReview(store: ReadonlyStore, chatId: string): Promise<FileToReview[]> {
  // A chat does not exist before its first question.
  if (!(await store.getChat(chatId))) return [];
  const messages = await store.listFileChanges(chatId);
  if (messages.length === 0) return [];
  const events = await store.listEvents(chatId, { kind: 'edits-reviewed' });
  const reviews = events.flatMap(({ details }) => editsReviewed.safeParse(details).data ?? []);
  return editsToReview(messages, await readRestores(store, chatId), reviews);
}

/** The details of the log event for a decision. */
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

interface Reviewed {
  readonly location: FileLocation;
  /** Equal to `left` if there is nothing to review. */
  baseline: FileVersion | null;
  left: FileVersion | null;
  /** The results of edits that need review. */
  edits: (FileVersion | null)[];
}

/**
 * An edit needs review until it is kept or undone. Content that changed because files followed the conversation is the
 * decision of the user who moved it, unless it is such an edit.
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
      // Files on another machine are for its own user.
      return !isOnNamedMachine(location.folder) && !isSameVersion(baseline, left);
    })
    .map(({ location, baseline, left }) => ({ location, baseline, left }));
}

/** A folder is no edit to look at: what is in it is. */
function withoutFolder(version: FileVersion | null): FileVersion | null {
  return isFolder(version) ? null : version;
}

function edit(files: Map<string, Reviewed>, change: MessageFiles['files'][number]): void {
  const { folder, path } = change;
  const [before, after] = [withoutFolder(change.before), withoutFolder(change.after)];
  const location = { folder, path };
  const known = files.get(keyOf(location));
  const isReviewed = !known || isSameVersion(known.baseline, known.left);
  // A later change by others is not the tool's.
  const baseline = isReviewed ? before : known.baseline;
  const edits = isReviewed ? [after] : [...known.edits, after];
  files.set(keyOf(location), { location, baseline, left: after, edits });
}

function restore(files: Map<string, Reviewed>, { files: restored }: FilesRestored): void {
  for (const { folder, path, version: restoredVersion } of restored) {
    const version = withoutFolder(restoredVersion);
    const known = files.get(keyOf({ folder, path }));
    if (!known) continue;
    known.left = version;
    // Undone edits may return, by Undo or with the conversation, and are then undecided again.
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
