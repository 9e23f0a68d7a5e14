import type { FileContent, FileLocation, OpenedFolder } from './workspaceFiles.ts';

/** A file that is not what it was. `unknown`: what it held is not known, or is too large to be kept. */
export interface FoundChange extends FileLocation {
  /** Null: there was none. */
  readonly before: FileContent | null | 'unknown';
  /** Null: it is gone. */
  readonly after: FileContent | null | 'unknown';
  /** The folders that were made for it, as paths, outermost first. */
  readonly madeFolders: readonly string[];
}

/** The workspace as it was at one moment. */
export interface WorkspaceMoment {
  /** What has changed since; undefined: that is not known, there are too many files. */
  changes(): Promise<readonly FoundChange[] | undefined>;
}

/**
 * Finds what others than the extension change in the workspace: all but what git ignores, git itself, and what is usually
 * ignored where there is no git.
 */
export interface WorkspaceWatch {
  now(folders: readonly OpenedFolder[]): Promise<WorkspaceMoment>;
}
