import { OffshootError } from '../../engine/errors.ts';
import { versionOf } from '../../files/contentVersion.ts';
import { FileChangedError } from '../../files/restoreErrors.ts';
import { FileTooLargeError } from '../../host/files.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { shownPath } from '../../host/pathSyntax.ts';
import { TextEncodingError } from '../../host/textEncodingError.ts';
import { WorkspaceFileError, type OpenedFolder, type WorkspaceFiles } from '../../host/workspaceFiles.ts';
import { isUnreadable, MAX_PROMPT, readPromptText, type PromptProblem } from '../prompts/promptText.ts';
import type { OpenTexts } from '../tools/workspace/workspaceHost.ts';
import type { MemoryChange } from './memoryChange.ts';
import { MemoryFileError } from './memoryErrors.ts';
import type { Exclusively } from './memoryLock.ts';
import { changedText, factsIn } from './memoryText.ts';

/** Below a workspace folder, and below the user's own folder. */
export const MEMORY_FILE = '.offshoot/memory.md';

/** How often a change is tried again that others came before. */
const MOST_TRIES = 10;

/** Sets the content of a file. @throws WorkspaceFileError, FileChangedError when it is not `before` any more */
export type WriteContent = (file: GuardedFile, before: Uint8Array | null, after: Uint8Array) => Promise<void>;

/** A file of facts. */
export interface MemoryPlace {
  readonly scope: 'project' | 'user';
  readonly files: GuardedFiles;
  readonly uri: string;
  /** As the user names it. */
  readonly shown: string;
  /** Writes it without a conversation. */
  readonly write: WriteContent;
  readonly exclusively: Exclusively;
}

type OpenFolders = (folders: () => readonly OpenedFolder[]) => Pick<WorkspaceFiles, 'read' | 'write'>;

/**
 * A file in each folder of the project, then that of the user.
 * @param open the files of folders, for changing
 * @param exclusively a file that is read while another window writes it is not whole
 * @param own the user's own folder; undefined where there is none
 */
export function memoryPlaces(
  open: OpenFolders,
  exclusively: Exclusively,
  project: GuardedFiles,
  own: GuardedFiles | undefined,
): readonly MemoryPlace[] {
  const { length } = project.folders();
  const placesIn = (
    scope: MemoryPlace['scope'],
    files: GuardedFiles,
    shown: (folder: string) => string,
  ): MemoryPlace[] => {
    const write = unrecorded(open(() => files.folders()));
    return files.folders().map(({ name, uri }) => {
      return { scope, files, uri: uriBelow(uri, MEMORY_FILE), shown: shown(name), write, exclusively };
    });
  };
  return [
    ...placesIn('project', project, (name) => shownPath(length, name, MEMORY_FILE)),
    ...(own ? placesIn('user', own, (name) => `${name}/${MEMORY_FILE}`) : []),
  ];
}

export interface MemoryFileContent {
  readonly facts: readonly string[];
  readonly problem: PromptProblem | undefined;
}

/** Undefined when there is no file. */
export async function readMemoryFile(
  { files, uri }: Pick<MemoryPlace, 'files' | 'uri'>,
  texts: FileTexts,
): Promise<MemoryFileContent | undefined> {
  try {
    const { text, problem } = await readPromptText(files, uri, texts);
    return { facts: factsIn(text), problem };
  } catch (error) {
    if (error instanceof WorkspaceFileError && error.code === 'outside-workspace')
      return { facts: [], problem: { kind: 'outside' } };
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** A file as it is, and as a change would leave it. */
export interface PlannedChange {
  readonly at: GuardedFile;
  readonly before: Uint8Array | null;
  readonly beforeText: string | null;
  readonly after: Uint8Array;
  readonly afterText: string;
}

/** @throws OffshootError, WorkspaceFileError */
export async function planChange(
  { files, uri, shown }: Pick<MemoryPlace, 'files' | 'uri' | 'shown'>,
  texts: OpenTexts,
  change: MemoryChange,
): Promise<PlannedChange> {
  const at = await files.resolveForWriting({ uri });
  if (at.isReadOnly) throw new MemoryFileError('read-only', shown);
  if (await texts.unsaved(at.uri)) throw new MemoryFileError('unsaved', shown);
  const encodings = await texts.texts();
  try {
    if (at.identity.file === undefined) {
      const afterText = changedText(undefined, change);
      const after = await encodings.contentOfNew(at.uri, afterText);
      return { at, before: null, beforeText: null, after, afterText };
    }
    const before = await files.read(at, MAX_PROMPT);
    const file = await encodings.read(at.uri, before);
    if (file.isBinary || !(await file.isWhole())) throw new MemoryFileError('no-text', shown);
    const afterText = changedText(file.text, change);
    return { at, before, beforeText: file.text, after: await file.contentWith(afterText), afterText };
  } catch (error) {
    if (error instanceof FileTooLargeError) throw new MemoryFileError('too-large', shown);
    if (error instanceof TextEncodingError) throw new MemoryFileError('no-text', shown);
    throw error;
  }
}

/**
 * Makes a change to a file as it is now, and again when another program changes it at the same time: neither is lost.
 * @throws OffshootError, WorkspaceFileError
 */
export function changeMemoryFile(
  place: MemoryPlace,
  texts: OpenTexts,
  change: MemoryChange,
  write: WriteContent = place.write,
): Promise<void> {
  return place.exclusively(async () => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { at, before, after } = await planChange(place, texts, change);
      try {
        await write(at, before, after);
        return;
      } catch (error) {
        if (!isChangedByOthers(error)) throw error;
        if (await isMade(place, texts, change)) return;
      }
    }
    throw new MemoryFileError('busy', place.shown);
  });
}

async function isMade(place: MemoryPlace, texts: OpenTexts, { add, remove }: MemoryChange): Promise<boolean> {
  const facts = (await readMemoryFile(place, await texts.texts()))?.facts ?? [];
  return (add === undefined || facts.includes(add)) && (remove === undefined || !facts.includes(remove));
}

function isChangedByOthers(error: unknown): boolean {
  if (error instanceof WorkspaceFileError) return error.code === 'changed';
  return (
    error instanceof FileChangedError || (error instanceof OffshootError && error.code === 'not-written')
  );
}

/** Writes that no conversation records. */
function unrecorded(workspace: Pick<WorkspaceFiles, 'read' | 'write'>): WriteContent {
  return async ({ folder, path, identity }, before, after) => {
    const location = { folder, path };
    const mode = before === null ? undefined : (await workspace.read(location))?.mode;
    const hash = before === null ? null : (await versionOf({ bytes: Uint8Array.from(before), mode })).hash;
    const content = { bytes: Uint8Array.from(after), mode };
    await workspace.write(location, content, crypto.randomUUID(), { hash, identity });
  };
}
