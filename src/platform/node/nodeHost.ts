import { crc32 } from 'node:zlib';
import type { GuardedFiles } from '../guardedFiles.ts';
import type { Host } from '../hostMachine.ts';
import type { UriFiles } from '../uriFiles.ts';
import { guardedByPlace, workspaceFilesByPlace } from '../virtual/byPlace.ts';
import type { OpenedFolder, WorkspaceFiles } from '../workspaceFiles.ts';
import { pathOf } from './fileUris.ts';
import type * as loadedLater from './loadedLater.ts';
import { nodeParts } from './nodeParts.ts';

export interface NodeHostOptions {
  /** The URI of the folder with the built files: SQLite and the worker that makes snapshots. */
  readonly dist: string;
  /** The folder of the editor's own files, as a path. */
  readonly appRoot: string;
  /** Files the editor reaches elsewhere: the folders of other extensions. */
  readonly editorFiles: UriFiles;
}

/** Called on each use, because folders are opened and closed. */
type Folders = () => readonly OpenedFolder[];

/** With Node, all parts are available. */
export type NodeHost = Host & {
  readonly [K in 'programs' | 'foreignFiles' | 'watch' | 'web']: NonNullable<Host[K]>;
};

/** The machine of an editor with Node. Parts not needed to open a conversation are loaded on first use. */
export function nodeHost({ dist, appRoot, editorFiles }: NodeHostOptions): NodeHost {
  // Paths of folders on other machines mean nothing here.
  const here = (folders: Folders) => (): readonly OpenedFolder[] =>
    folders().filter(({ uri }) => isLocal(uri));
  const elsewhere = (folders: Folders) => (): readonly OpenedFolder[] =>
    folders().filter(({ uri }) => !isLocal(uri));
  return {
    ...nodeParts(pathOf(dist)),
    isBrowser: false,
    isLocal,
    // VS Code's Node has its own checksum; the one for older versions need not be loaded.
    crc32,
    pathOf: (uri) => pathOf(uri),
    // On a desktop this is the editor itself, which this variable turns into a plain Node.
    nodeCommand: { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
    workspaceFiles: (folders) =>
      workspaceFilesByPlace(isLocal, {
        local: once(() => workspaceFiles(here(folders))),
        virtual: once(async () => new (await load()).VirtualWorkspaceFiles(editorFiles, elsewhere(folders))),
      }),
    guardedFiles: (folders) =>
      guardedByPlace(isLocal, folders, {
        local: once(() => guardedFiles(here(folders))),
        virtual: once(async () => new (await load()).VirtualGuardedFiles(editorFiles, elsewhere(folders))),
      }),
    programs: async () => new (await load()).NodePrograms(appRoot),
    foreignFiles: async () => new (await load()).NodeForeignFiles(),
    watch: async () => new (await load()).WorkspaceMoments(),
    web: async () => new (await load()).NodeWebReader(),
    fetch: async (input, init) => (await load()).patientFetch(input, init),
  };
}

const load = (): Promise<typeof loadedLater> => import('./loadedLater.ts');

/** Files of this machine have specific schemes; all others belong to other machines. */
function isLocal(uri: string): boolean {
  return uri.startsWith('file:');
}

async function workspaceFiles(folders: Folders): Promise<WorkspaceFiles> {
  const { NodeWorkspaceFiles, PathGuard, onThisMachine } = await load();
  return new NodeWorkspaceFiles(new PathGuard(() => onThisMachine(folders())));
}

async function guardedFiles(folders: Folders): Promise<GuardedFiles> {
  return new (await load()).NodeGuardedFiles(folders);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
