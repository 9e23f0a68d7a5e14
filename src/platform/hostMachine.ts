import type { ForeignFiles } from './foreignFiles.ts';
import type { GuardedFiles } from './guardedFiles.ts';
import type { Platform } from './platform.ts';
import type { Programs } from './programs.ts';
import type { WebReader } from './webReader.ts';
import type { WorkspaceWatch } from './workspaceChanges.ts';
import type { OpenedFolder, WorkspaceFiles } from './workspaceFiles.ts';

/**
 * All that differs by the machine and the program the extension runs in. Above it files are known by their URIs; only
 * it makes paths of them.
 */
export interface Host extends Platform {
  /** The extension runs in a worker of a browser: there are no programs, and requests follow the rules of pages. */
  readonly isBrowser: boolean;
  /** Whether files there are on this machine, where its programs reach them. */
  isLocal(uri: string): boolean;
  /** The path of a file or a folder, as `files` takes it. */
  pathOf(uri: string): string;
  /** The files of these folders, to be changed. @param folders asked for at each use: they come and go */
  workspaceFiles(folders: () => readonly OpenedFolder[]): WorkspaceFiles;
  /** The files of these folders, to be named and read. @param folders asked for at each use */
  guardedFiles(folders: () => readonly OpenedFolder[]): GuardedFiles;
  /** Loaded when one is first needed. Undefined where there are none. */
  readonly programs: (() => Promise<Programs>) | undefined;
  /** Sessions and exports of other programs. Loaded when it is first needed. Undefined where none can be reached. */
  readonly foreignFiles: (() => Promise<ForeignFiles>) | undefined;
  /** Loaded when it is first needed. Undefined where nobody but the extension changes files. */
  readonly watch: (() => Promise<WorkspaceWatch>) | undefined;
  /** Loaded when it is first needed. Undefined where pages of others cannot be read. */
  readonly web: (() => Promise<WebReader>) | undefined;
  /**
   * How a program for Node is started by the Node that is here: what comes before its path, and its environment. Undefined
   * where there is none.
   */
  readonly nodeCommand:
    { readonly command: string; readonly env: Readonly<Record<string, string>> } | undefined;
  /** Waits as long as an answer takes, also where the `fetch` of the language gives up. */
  readonly fetch: typeof globalThis.fetch;
}
