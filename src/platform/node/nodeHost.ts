import { crc32 } from 'node:zlib';
import type { GuardedFiles } from '../guardedFiles.ts';
import type { Host } from '../hostMachine.ts';
import type { OpenedFolder, WorkspaceFiles } from '../workspaceFiles.ts';
import { pathOf } from './fileUris.ts';
import type * as loadedLater from './loadedLater.ts';
import { nodeParts } from './nodeParts.ts';

export interface NodeHostOptions {
  /** The URI of the folder with the built files: SQLite and the worker that makes snapshots. */
  readonly dist: string;
  /** The folder of the editor's own files, as a path. */
  readonly appRoot: string;
}

/** The machine an editor with Node runs on. What no conversation is opened with is loaded by its first use. */
export function nodeHost({ dist, appRoot }: NodeHostOptions): Host {
  return {
    ...nodeParts(pathOf(dist)),
    // VS Code's Node has a checksum of its own; one for older ones need not be loaded.
    crc32,
    pathOf: (uri) => pathOf(uri),
    // On a desktop that is the editor itself, which this makes a plain Node.
    nodeCommand: { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
    workspaceFiles,
    guardedFiles,
    programs: async () => new (await load()).NodePrograms(appRoot),
    foreignFiles: async () => new (await load()).NodeForeignFiles(),
    watch: async () => new (await load()).WorkspaceMoments(),
    web: async () => new (await load()).NodeWebReader(),
    fetch: async (input, init) => (await load()).patientFetch(input, init),
  };
}

const load = (): Promise<typeof loadedLater> => import('./loadedLater.ts');

function workspaceFiles(folders: () => readonly OpenedFolder[]): WorkspaceFiles {
  const files = once(async () => {
    const { NodeWorkspaceFiles, PathGuard, onThisMachine } = await load();
    return new NodeWorkspaceFiles(new PathGuard(() => onThisMachine(folders())));
  });
  return {
    read: async (file) => (await files()).read(file),
    isFolder: async (file) => (await files()).isFolder(file),
    checkWrite: async (file) => (await files()).checkWrite(file),
    write: async (...given) => (await files()).write(...given),
    remove: async (...given) => (await files()).remove(...given),
    makeFolder: async (folder) => (await files()).makeFolder(folder),
    removeEmptyFolder: async (folder) => (await files()).removeEmptyFolder(folder),
    sweep: async (...given) => (await files()).sweep(...given),
  };
}

function guardedFiles(folders: () => readonly OpenedFolder[]): GuardedFiles {
  const files = once(async () => new (await load()).NodeGuardedFiles(folders));
  return {
    folders,
    resolve: async (named) => (await files()).resolve(named),
    resolveForWriting: async (named) => (await files()).resolveForWriting(named),
    nameable: async (uris) => (await files()).nameable(uris),
    read: async (...given) => (await files()).read(...given),
    readStart: async (...given) => (await files()).readStart(...given),
    list: async (folder) => (await files()).list(folder),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
