import { homedir } from 'node:os';
import { crc32 } from 'node:zlib';
import type { GuardedFiles, NamedFile } from '../guardedFiles.ts';
import type { Host } from '../hostMachine.ts';
import type { UriFiles } from '../uriFiles.ts';
import { BRANCH_FILES } from '../branchFiles.ts';
import { WorkspaceFileError, WRITES, type OpenedFolder, type WorkspaceFiles } from '../workspaceFiles.ts';
import type { WriteJournal } from '../writeJournal.ts';
import { pathOf, uriOf } from './fileUris.ts';
import type * as loadedLater from './loadedLater.ts';
import { nodeCommand } from './nodeCommand.ts';
import { nodeFolderFacts } from './nodeFolderFacts.ts';
import { nodeParts } from './nodeParts.ts';

export interface NodeHostOptions {
  /** The URI of the folder with the built files: SQLite and the worker that makes snapshots. */
  readonly dist: string;
  /** The folder of the editor's own files, as a path. */
  readonly appRoot: string;
  /** Files the editor reaches elsewhere: the folders of other extensions. */
  readonly editorFiles: UriFiles;
  /** The URI of the folder for the records of writes in place. */
  readonly storage: string;
}

/** Called on each use, because folders are opened and closed. */
type Folders = () => readonly OpenedFolder[];

/** With Node, all parts are available. */
export type NodeHost = Host & {
  readonly [
    K in
      | 'branchFiles'
      | 'committedHistory'
      | 'programs'
      | 'sandbox'
      | 'foreignFiles'
      | 'repositoryFacts'
      | 'watch'
      | 'web'
      | 'cloudAccounts'
  ]: NonNullable<Host[K]>;
};

const systemNames: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
};

/** The machine of an editor with Node. Parts not needed to open a conversation are loaded on first use. */
export function nodeHost({ dist, appRoot, editorFiles, storage }: NodeHostOptions): NodeHost {
  // Paths of folders on other machines mean nothing here.
  const here = (folders: Folders) => (): readonly OpenedFolder[] =>
    folders().filter(({ uri }) => isLocal(uri));
  const elsewhere = (folders: Folders) => (): readonly OpenedFolder[] =>
    folders().filter(({ uri }) => !isLocal(uri));
  const parts = nodeParts(pathOf(dist));
  const journal = once(
    async () => new (await load()).WriteJournal(parts.files, pathOf(storage), parts.owner),
  );
  // The start does not load what there is nothing to do for.
  const hasLeftWrites = async (): Promise<boolean> =>
    (await parts.files.names(pathOf(storage))).some((name) => name.startsWith(WRITES));
  // VS Code's Node has its own checksum; the one for older versions need not be loaded.
  const platform = { ...parts, crc32 };
  return {
    ...platform,
    isBrowser: false,
    system: systemNames[process.platform] ?? process.platform,
    isLocal,
    home: uriOf(homedir()),
    platformFor: () => platform,
    folderFacts: (uri) => nodeFolderFacts(uri),
    repositoryFacts: async (uri) => (await load()).nodeRepositoryFacts(uri),
    pathOf: (uri) => pathOf(uri),
    nodeCommand,
    workspaceFiles: (folders) =>
      workspaceFilesByPlace(isLocal, hasLeftWrites, {
        local: once(() => workspaceFiles(here(folders), journal)),
        virtual: once(async () => new (await load()).VirtualWorkspaceFiles(editorFiles, elsewhere(folders))),
      }),
    guardedFiles: (folders) =>
      guardedByPlace(isLocal, folders, {
        local: once(() => guardedFiles(here(folders))),
        virtual: once(async () => new (await load()).VirtualGuardedFiles(editorFiles, elsewhere(folders))),
      }),
    programs: async () => new (await load()).NodePrograms(appRoot),
    sandbox: once(async () => new (await load()).NodeSandbox()),
    foreignFiles: async () => new (await load()).NodeForeignFiles(),
    watch: async () => new (await load()).WorkspaceSnapshots(),
    branchFiles: once(async () => {
      const { files, owner } = parts;
      const folder = files.join(pathOf(storage), BRANCH_FILES);
      return new (await load()).NodeBranchFiles({ files, owner, folder });
    }),
    committedHistory: once(async () => new (await load()).GitHistory()),
    web: async () => new (await load()).NodeWebReader(),
    cloudAccounts: once(async () => new (await load()).NodeCloudAccounts()),
    fetch: async (input, init) => (await load()).fetchWithoutTimeout(input, init),
  };
}

const load = (): Promise<typeof loadedLater> => import('./loadedLater.ts');

function isLocal(uri: string): boolean {
  return uri.startsWith('file:');
}

async function workspaceFiles(
  folders: Folders,
  journal: () => Promise<WriteJournal>,
): Promise<WorkspaceFiles> {
  const { NodeWorkspaceFiles, PathGuard, onThisMachine } = await load();
  return new NodeWorkspaceFiles(new PathGuard(() => onThisMachine(folders())), await journal());
}

async function guardedFiles(folders: Folders): Promise<GuardedFiles> {
  return new (await load()).NodeGuardedFiles(folders);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** For files of this machine, and for those that only the editor reaches. Each is made on first use. */
interface ByPlace<T> {
  readonly local: () => Promise<T>;
  readonly virtual: () => Promise<T>;
}

function workspaceFilesByPlace(
  isLocal: (uri: string) => boolean,
  hasLeftWrites: () => Promise<boolean>,
  { local, virtual }: ByPlace<WorkspaceFiles>,
): WorkspaceFiles {
  const of = ({ folder }: { readonly folder: string }): Promise<WorkspaceFiles> =>
    isLocal(folder) ? local() : virtual();
  return {
    read: async (file) => (await of(file)).read(file),
    readEntry: async (file) => (await of(file)).readEntry(file),
    isFolder: async (file) => (await of(file)).isFolder(file),
    checkWrite: async (file) => (await of(file)).checkWrite(file),
    write: async (file, ...given) => (await of(file)).write(file, ...given),
    remove: async (file, ...given) => (await of(file)).remove(file, ...given),
    move: async (from, ...given) => (await of(from)).move(from, ...given),
    makeFolder: async (folder, ...given) => (await of(folder)).makeFolder(folder, ...given),
    removeEmptyFolder: async (folder) => (await of(folder)).removeEmptyFolder(folder),
    sweep: async (file, tag) => (await of(file)).sweep(file, tag),
    recover: async () => ((await hasLeftWrites()) ? (await local()).recover() : []),
  };
}

/** @param folders all of one kind */
function guardedByPlace(
  isLocal: (uri: string) => boolean,
  folders: () => readonly OpenedFolder[],
  { local, virtual }: ByPlace<GuardedFiles>,
): GuardedFiles {
  const at = (uri: string | undefined): Promise<GuardedFiles> =>
    uri === undefined || isLocal(uri) ? local() : virtual();
  const named = (file: NamedFile): Promise<GuardedFiles> => {
    const [first] = folders();
    if (typeof file !== 'string' && first && isLocal(file.uri) !== isLocal(first.uri)) {
      return Promise.reject(new WorkspaceFileError('outside-workspace', file.uri));
    }
    return at(first?.uri);
  };
  return {
    folders,
    resolve: async (file) => (await named(file)).resolve(file),
    resolveForWriting: async (file) => (await named(file)).resolveForWriting(file),
    nameable: async (uris) => (await at(folders()[0]?.uri)).nameable(uris),
    read: async (file, limit) => (await at(file.folder)).read(file, limit),
    readStart: async (file, length) => (await at(file.folder)).readStart(file, length),
    list: async (folder) => (await at(folder.folder)).list(folder),
  };
}
