import type { FileVersion } from '../engine/effects.ts';
import { isOnNamedMachine } from '../engine/machineFolder.ts';
import type { BlobStore } from '../engine/store.ts';
import { protectionOf, type ProtectionReason } from '../platform/protectedFiles.ts';
import { WorkspaceFileError, type FileLocation, type WorkspaceFiles } from '../platform/workspaceFiles.ts';
import type { PlannedFile, RestorePlan } from './restorePlan.ts';
import { isSameVersion, versionOf } from './contentVersion.ts';

/** What the editor holds and the disk does not, as far as restoring needs it. */
export interface OpenEditors {
  /** The text of an editor with changes that are not saved; undefined when there is none. */
  unsavedText(file: FileLocation): string | undefined;
  /** Drops what is not saved, so that the editor shows what is on the disk. */
  discard(file: FileLocation): Promise<void>;
  /** Puts a text into the editor again without saving it. */
  bringBack(file: FileLocation, text: string): Promise<void>;
}

/** How a file on the disk is, compared with what a tool or a restore left there. */
export type FileState =
  /** As it was left. */
  | 'ready'
  /** It holds already what it shall hold. */
  | 'there'
  /** Somebody else changed it since. */
  | 'changed'
  /** Somebody else changed it between changes of tools. */
  | 'mixed'
  /** It is open with changes that are not saved. */
  | 'unsaved'
  /** What it shall hold, or what it holds, is not kept: it was too large, or there was no room. */
  | 'not-kept'
  /** It cannot be used: it is a link by now, or lies in a repository, or cannot be read. */
  | 'blocked';

export interface InspectedFile {
  readonly planned: PlannedFile;
  readonly state: FileState;
  /** What is on the disk now; null: nothing. */
  readonly current: FileVersion | null;
  /** Why restoring it takes an explicit choice, whatever its state. */
  readonly protection?: ProtectionReason | undefined;
  /** Why it is blocked. */
  readonly problem?: string;
}

export interface InspectedPlan {
  readonly messageId: string | null;
  readonly files: readonly InspectedFile[];
}

/** The files that are restored unless the user says otherwise. */
export function isReady({ state, protection }: InspectedFile): boolean {
  return state === 'there' || (state === 'ready' && protection === undefined);
}

/** The files that are restored when the user chooses them. */
export function canBeChosen({ state }: InspectedFile): boolean {
  return state !== 'not-kept' && state !== 'blocked';
}

export interface InspectOptions {
  readonly files: WorkspaceFiles;
  readonly blobs: BlobStore;
  readonly editors: OpenEditors;
  /** In bytes: what is on the disk is replaced only when it can be kept. */
  readonly maxFileSize: number;
}

/** Looks at each planned file on the disk. Nothing is changed. */
export async function inspectPlan(plan: RestorePlan, options: InspectOptions): Promise<InspectedPlan> {
  const files: InspectedFile[] = [];
  // One after the other: each is read whole.
  for (const planned of plan.files) files.push(await inspect(planned, plan, options));
  return { messageId: plan.messageId, files };
}

async function inspect(
  planned: PlannedFile,
  plan: RestorePlan,
  options: InspectOptions,
): Promise<InspectedFile> {
  try {
    const { location, target } = planned;
    if (isOnNamedMachine(location.folder)) throw new WorkspaceFileError('other-machine', location.path);
    if (target && (await options.files.isFolder(location)) && !goesAway(location, plan)) {
      throw new WorkspaceFileError('not-a-file', location.path);
    }
    if (target) await options.files.checkWrite(location);
    const current = await versionOf(await options.files.read(planned.location));
    const state = await stateOf(planned, current, options);
    return { planned, current, state, protection: protectionOf(location.path) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (!(error instanceof WorkspaceFileError) && !isSystemError(error)) throw error;
    return { planned, current: null, state: 'blocked', problem };
  }
}

async function stateOf(
  { location, target, stand, isMixed }: PlannedFile,
  current: FileVersion | null,
  { blobs, editors, maxFileSize }: InspectOptions,
): Promise<FileState> {
  if (editors.unsavedText(location) !== undefined) {
    return (await isKept(target, blobs)) ? 'unsaved' : 'not-kept';
  }
  if (isSameVersion(current, target)) return 'there';
  if (!(await isKept(target, blobs))) return 'not-kept';
  if (current && current.size > maxFileSize && !(await blobs.has(current.hash))) return 'not-kept';
  if (!isSameVersion(current, stand.version)) return 'changed';
  return isMixed ? 'mixed' : 'ready';
}

async function isKept(version: FileVersion | null, blobs: BlobStore): Promise<boolean> {
  return version === null || (version.isKept !== false && (await blobs.has(version.hash)));
}

/** Whether a folder is one of those that go with the files in them. */
function goesAway({ folder, path }: FileLocation, { files }: RestorePlan): boolean {
  return files.some(
    ({ location, target, madeFolders }) =>
      target === null && location.folder === folder && madeFolders.includes(path),
  );
}

/** Errors of the system have a code; what is no such thing is a fault of ours. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
