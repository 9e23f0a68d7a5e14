import type { FileContent, FileLocation } from './workspaceFiles.ts';

/** What the repository of a workspace folder has committed last. */
export interface CommittedFiles {
  /** The path of its work tree on this machine, the same for each folder in it. */
  readonly repository: string;
  /** Undefined: nothing is committed yet. */
  readonly commit: string | undefined;
  /** Where its branches are pushed to, by its name in the repository; undefined: nowhere. */
  readonly remote: string | undefined;
  /** Whether the command-line tool of GitHub is there. */
  readonly hasGitHubTool: boolean;
  /** As git would write it to the folder. @param path below the workspace folder */
  contentAt(path: string): Promise<FileContent | null>;
}

export interface NewGitBranch {
  readonly name: string;
  readonly message: string;
  /** All of one repository, with what becomes of them; null: it goes. At least one. */
  readonly files: readonly (FileLocation & { readonly content: FileContent | null })[];
  /** What the new commit follows, as in {@link CommittedFiles}. */
  readonly commit: string | undefined;
}
