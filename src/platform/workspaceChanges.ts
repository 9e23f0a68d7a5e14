import type { FileContent, FileLocation, OpenedFolder } from './workspaceFiles.ts';

/** A changed file. `unknown`: its content is not known, or is too large to be kept. */
export interface FoundChange extends FileLocation {
  /** Null: the file did not exist. */
  readonly before: FileContent | null | 'unknown';
  /** Null: the file was deleted. */
  readonly after: FileContent | null | 'unknown';
  /** The folders that were made for it, as paths, outermost first. */
  readonly madeFolders: readonly string[];
}

/** The workspace at one moment. */
export interface WorkspaceMoment {
  /** The changes since then; undefined: not known, there are too many files. */
  changes(): Promise<readonly FoundChange[] | undefined>;
}

/**
 * Finds changes in the workspace that were not made by the extension: except what git ignores, git itself, and
 * usually ignored folders where there is no git.
 */
export interface WorkspaceWatch {
  now(folders: readonly OpenedFolder[]): Promise<WorkspaceMoment>;
}
