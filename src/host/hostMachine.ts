import type { BranchFiles } from './branchFiles.ts';
import type { CloudAccounts } from './cloudAccounts.ts';
import type { CommittedHistory } from './committedHistory.ts';
import type { FolderFacts, RepositoryFacts } from './folderFacts.ts';
import type { ForeignFiles } from './foreignFiles.ts';
import type { GuardedFiles } from './guardedFiles.ts';
import type { Platform } from './platform.ts';
import type { Programs } from './programs.ts';
import type { Sandbox } from './sandbox.ts';
import type { WebReader } from './webReader.ts';
import type { WorkspaceWatch, OpenedFolder, WorkspaceFiles } from './workspaceFiles.ts';

/** Everything that depends on the machine and the program. Only here are the URIs of files converted to paths. */
export interface Host extends Platform {
  /** The extension runs in a web worker: there are no programs, and requests follow the rules for pages. */
  readonly isBrowser: boolean;
  /** The name of the operating system, such as `Linux`. */
  readonly system: string;
  /** Whether files there are on this machine and accessible to its programs. */
  isLocal(uri: string): boolean;
  /** The URI of the user’s own folder. Undefined where there is none. */
  readonly home: string | undefined;
  /** The path of a file or a folder, as `files` takes it. */
  pathOf(uri: string): string;
  /** Where the conversations of another storage folder are kept: a browser keeps each apart. @param folder its URI */
  platformFor(folder: string): Platform;
  /** What a folder is recognized by. Starts no program, and waits for no disk for long. */
  folderFacts(uri: string): Promise<FolderFacts>;
  /** The repository of a folder, from git. Undefined where there are no programs. */
  readonly repositoryFacts: ((uri: string) => Promise<RepositoryFacts | undefined>) | undefined;
  /** The files of these folders, for changing. @param folders called on each use, because they change */
  workspaceFiles(folders: () => readonly OpenedFolder[]): WorkspaceFiles;
  /** The files of these folders, for naming and reading. @param folders called on each use */
  guardedFiles(folders: () => readonly OpenedFolder[]): GuardedFiles;
  /** Loaded on first use. Undefined where there are no programs. */
  readonly programs: (() => Promise<Programs>) | undefined;
  /** What commands can be walled in with. Loaded on first use. Undefined where there are no programs. */
  readonly sandbox: (() => Promise<Sandbox>) | undefined;
  /** Sessions and exports of other programs. Loaded on first use. Undefined where they are not accessible. */
  readonly foreignFiles: (() => Promise<ForeignFiles>) | undefined;
  /** Loaded on first use. Undefined where only the extension changes files. */
  readonly watch: (() => Promise<WorkspaceWatch>) | undefined;
  /** Loaded on first use. Undefined where there are no programs, and so no git. */
  readonly branchFiles: (() => Promise<BranchFiles>) | undefined;
  /** Loaded on first use. Undefined where there are no programs, and so no git. */
  readonly committedHistory: (() => Promise<CommittedHistory>) | undefined;
  /** Loaded on first use. Undefined where pages of other sites cannot be read. */
  readonly web: (() => Promise<WebReader>) | undefined;
  /** Loaded on first use. Undefined where the tools of clouds cannot be asked. */
  readonly cloudAccounts: (() => Promise<CloudAccounts>) | undefined;
  /** How to start a Node program: the command before its path, and its environment. Undefined without Node. */
  readonly nodeCommand:
    { readonly command: string; readonly env: Readonly<Record<string, string>> } | undefined;
  /** Waits without a time limit for an answer, unlike the `fetch` of some hosts. */
  readonly fetch: typeof globalThis.fetch;
}
