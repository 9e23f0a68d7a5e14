import type { GuardedFiles, NamedFile } from '../guardedFiles.ts';
import { WorkspaceFileError, type OpenedFolder, type WorkspaceFiles } from '../workspaceFiles.ts';

/**
 * Two implementations: for files of this machine, and for those that only the editor reaches. Each is made on first
 * use.
 */
export interface ByPlace<T> {
  readonly local: () => Promise<T>;
  readonly virtual: () => Promise<T>;
}

/** @param isLocal by the URI of a file or a folder */
export function workspaceFilesByPlace(
  isLocal: (uri: string) => boolean,
  { local, virtual }: ByPlace<WorkspaceFiles>,
): WorkspaceFiles {
  const of = ({ folder }: { readonly folder: string }): Promise<WorkspaceFiles> =>
    isLocal(folder) ? local() : virtual();
  return {
    read: async (file) => (await of(file)).read(file),
    isFolder: async (file) => (await of(file)).isFolder(file),
    checkWrite: async (file) => (await of(file)).checkWrite(file),
    write: async (file, ...given) => (await of(file)).write(file, ...given),
    remove: async (file, ...given) => (await of(file)).remove(file, ...given),
    makeFolder: async (folder) => (await of(folder)).makeFolder(folder),
    removeEmptyFolder: async (folder) => (await of(folder)).removeEmptyFolder(folder),
    sweep: async (file, tag) => (await of(file)).sweep(file, tag),
  };
}

/**
 * @param isLocal by the URI of a file or a folder
 * @param folders all of one kind
 */
export function guardedByPlace(
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
