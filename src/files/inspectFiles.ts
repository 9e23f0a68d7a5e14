import type { FileVersion } from '../engine/effects.ts';
import { isOnNamedMachine } from '../engine/machineFolder.ts';
import type { BlobStore } from '../engine/store.ts';
import { protectionOf, type ProtectionReason } from '../host/protectedFiles.ts';
import {
  hasReadOnlyMode,
  WorkspaceFileError,
  type FileContent,
  type FileLocation,
  type WorkspaceFiles,
} from '../host/workspaceFiles.ts';
import type { PlannedFile, RestorePlan } from './restorePlan.ts';
import { contentAt, isFolder, isSameVersion, versionOf } from './contentVersion.ts';

export interface OpenEditors {
  unsavedText(file: FileLocation): string | undefined;
  /** Discards unsaved text, so that the editor shows the file on disk. */
  discard(file: FileLocation): Promise<void>;
  /** Puts a text back into the editor without saving it. */
  bringBack(file: FileLocation, text: string): Promise<void>;
}

/** The state of a file on disk, compared with what a tool or a restore left there. */
export type FileState =
  /** Unchanged. */
  | 'ready'
  /** It already has the target content. */
  | 'there'
  /** It was changed by others since. */
  | 'changed'
  /** It was changed by others between tool changes. */
  | 'mixed'
  | 'unsaved'
  /** The target or the current content is not kept: it was too large, or there was no room. */
  | 'not-kept'
  /** It cannot be used: it is no file now, is behind a link or in a repository, or cannot be read. */
  | 'blocked';

export interface InspectedFile {
  readonly planned: PlannedFile;
  readonly state: FileState;
  /** Null: no file on disk. */
  readonly current: FileVersion | null;
  /** Why restoring it needs an explicit choice in any state. */
  readonly protection?: ProtectionReason | undefined;
  /** The file is read-only: another such reason. */
  readonly isReadOnly?: boolean;
  /** Why it is blocked. */
  readonly problem?: string;
}

export interface InspectedPlan {
  readonly branch: string | undefined;
  /** The branch that is active now. */
  readonly leaving: string | undefined;
  readonly files: readonly InspectedFile[];
}

/** Whether a file is restored by default. */
export function isReady(file: InspectedFile): boolean {
  return file.state === 'there' || (file.state === 'ready' && !isChosenOnly(file));
}

/** Whether it is restored only if the user chooses this very file. */
export function isChosenOnly({ protection, isReadOnly = false }: InspectedFile): boolean {
  return protection !== undefined || isReadOnly;
}

export function canBeChosen({ state }: InspectedFile): boolean {
  return state !== 'not-kept' && state !== 'blocked';
}

export interface InspectOptions {
  readonly files: WorkspaceFiles;
  readonly blobs: BlobStore;
  readonly editors: OpenEditors;
  /** In bytes: a file on disk is replaced only if its content can be kept. */
  readonly maxFileSize: number;
  /** Whether the editor treats a file as read-only. */
  readonly isReadOnly: (file: FileLocation) => boolean;
}

/** Changes nothing. */
export async function inspectPlan(
  plan: RestorePlan,
  options: InspectOptions,
): Promise<Omit<InspectedPlan, 'leaving'>> {
  const files: InspectedFile[] = [];
  // One at a time: each is read whole.
  for (const planned of plan.files) files.push(await inspect(planned, plan, options));
  return { branch: plan.branch, files };
}

async function inspect(
  planned: PlannedFile,
  plan: RestorePlan,
  options: InspectOptions,
): Promise<InspectedFile> {
  try {
    const { location, target, stand } = planned;
    const { files } = options;
    if (isOnNamedMachine(location.folder)) throw new WorkspaceFileError('other-machine', location.path);
    // The link above it is replaced by a folder first: until then there is nothing.
    if (await isBelowLink(location, plan, files)) return await inspected(planned, undefined, options);
    const hasFolders = isFolder(target) || isFolder(stand.version);
    if (target && !hasFolders && (await files.isFolder(location)) && !goesAway(location, plan)) {
      throw new WorkspaceFileError('not-a-file', location.path);
    }
    if (target) await files.checkWrite(location);
    return await inspected(planned, await contentAt(files, location, target, stand.version), options);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (!(error instanceof WorkspaceFileError) && !isSystemError(error)) throw error;
    return { planned, current: null, state: 'blocked', problem };
  }
}

async function inspected(
  planned: PlannedFile,
  content: FileContent | undefined,
  options: InspectOptions,
): Promise<InspectedFile> {
  const { location } = planned;
  const current = await versionOf(content);
  const isFile = content !== undefined && content.kind === undefined;
  const isReadOnly = isFile && (hasReadOnlyMode(content.mode) || options.isReadOnly(location));
  const state = await stateOf(planned, current, options);
  return { planned, current, state, protection: protectionOf(location.path), isReadOnly };
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
  if (version === null || isFolder(version)) return true;
  return version.isKept !== false && (await blobs.has(version.hash));
}

/** Whether there is a link above it that the plan replaces by a folder. */
async function isBelowLink(
  { folder, path }: FileLocation,
  plan: RestorePlan,
  files: WorkspaceFiles,
): Promise<boolean> {
  for (const { location, target, stand } of plan.files) {
    if (stand.version?.kind !== 'link' || !isFolder(target)) continue;
    if (location.folder !== folder || !path.startsWith(`${location.path}/`)) continue;
    if ((await files.readEntry(location))?.kind === 'link') return true;
  }
  return false;
}

/** Whether a folder is one of those removed with their files. */
function goesAway({ folder, path }: FileLocation, { files }: RestorePlan): boolean {
  return files.some(
    ({ location, target, madeFolders }) =>
      target === null && location.folder === folder && madeFolders.includes(path),
  );
}

/** System errors have a code; any other error is a bug. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
