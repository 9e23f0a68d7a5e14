import type { CommittedFiles, NewGitBranch } from './committedFiles.ts';
import type { FileContent, OpenedFolder } from './workspaceFiles.ts';

/** The folder for them in the storage folder. */
export const BRANCH_FILES = 'branches';

/** A folder that a branch of a conversation works in, in place of one of the workspace. */
export interface BranchFolder extends OpenedFolder {
  /** The URI of the workspace folder. */
  readonly source: string;
}

/** Files that only one branch of a conversation works with, and those that fork from it. */
export interface BranchFilesRecord {
  readonly id: string;
  readonly chatId: string;
  /** The address of the shared store that the chat is in; undefined: one of this machine. */
  readonly store?: string | undefined;
  /** When they were made last, in milliseconds since 1970. */
  readonly createdAt: number;
  /** `discarded`: the files are gone, what was changed in them is kept. */
  readonly state: 'open' | 'discarded';
  readonly folders: readonly BranchFolder[];
  /** Folders of other repositories in them, such as submodules, as paths: they are empty. */
  readonly empty: readonly string[];
  /** Files of the workspace that could not be read, as paths: they are not there, or as they were committed. */
  readonly missing: readonly string[];
}

/** Which of the files that git ignores a branch gets, by their names, and how much is copied at most. */
export interface BranchFilesLimits {
  /** Links to those of the workspace. */
  readonly link: readonly string[];
  readonly copy: readonly string[];
  readonly maxFiles: number;
  /** In bytes. */
  readonly maxBytes: number;
}

export interface MakeBranchFiles {
  /** Of files that were discarded: they are made again under it. Left out: a new one. */
  readonly id?: string | undefined;
  readonly chatId: string;
  /** As in {@link BranchFilesRecord.store}. */
  readonly store?: string | undefined;
  /** Those of the workspace. */
  readonly folders: readonly OpenedFolder[];
  readonly limits: BranchFilesLimits;
  readonly signal?: AbortSignal | undefined;
}

/** A file as the branch has it, and as it was when the files of the branch were made. */
export interface BranchFileChange {
  /** The URI of the workspace folder. */
  readonly folder: string;
  readonly path: string;
  /** Its name then, if it has another one now. */
  readonly oldPath?: string | undefined;
  readonly before: FileContent | null;
  readonly after: FileContent | null;
}

export interface ChangedLines {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** What files take on the disk; not what is only linked. */
export interface DiskUse {
  readonly files: number;
  readonly bytes: number;
}

export interface MergedText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many places are marked in it, because both changed them. */
  readonly conflicts: number;
}

/**
 * Makes, compares and removes the files of branches. The workspace and its repository are only read, but for a branch
 * that the user wants there: what git has to write goes to a repository of each branch, which borrows the objects of the
 * other.
 */
export interface BranchFiles {
  /** At the first call, what was left in the middle of a step by a program that has ended is removed. */
  list(): Promise<readonly BranchFilesRecord[]>;
  /** At the state of the workspace, with what is not committed. @throws BranchFilesError */
  make(request: MakeBranchFiles): Promise<BranchFilesRecord>;
  /** Of discarded ones as well. */
  changes(id: string): Promise<readonly BranchFileChange[]>;
  countLines(id: string): Promise<ChangedLines>;
  /** Whether {@link changes} has any, without reading them. */
  hasChanges(id: string): Promise<boolean>;
  /** With the repositories, or what is kept of discarded ones; also of {@link lost} ones. */
  measure(id: string): Promise<DiskUse>;
  /** Those that have no record that can be read, by their ids: nobody knows which branch they belong to. */
  lost(): Promise<readonly string[]>;
  /** What was changed is kept. */
  discard(id: string): Promise<void>;
  /** Removes everything that there is of it. */
  remove(id: string): Promise<void>;
  /** Does it while no other window keeps, makes, discards or removes the same files. @throws BranchFilesError if one does */
  keep<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Does it while no other window checks the same files. @throws BranchFilesError if one does */
  check(id: string, work: () => Promise<void>): Promise<void>;
  /** Whether another window of this machine does. */
  isCheckedElsewhere(id: string): Promise<boolean>;
  mergeText(base: Uint8Array, workspace: Uint8Array, branch: Uint8Array): Promise<MergedText>;
  /** Of a workspace folder, by its URI. @throws BranchFilesError where it is in no repository */
  committed(folder: string): Promise<CommittedFiles>;
  /** Creates a branch in the repository of the workspace. @returns the id of its commit @throws BranchFilesError */
  createGitBranch(branch: NewGitBranch): Promise<string>;
}
