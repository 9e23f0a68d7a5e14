import { isGitName } from '../fileNames.ts';
import { FileTooLargeError } from '../files.ts';
import type { GuardedFile, GuardedFiles, NamedFile } from '../guardedFiles.ts';
import { refuseGitNames, shownPath } from '../pathSyntax.ts';
import { protectionOf, isSecretName } from '../protectedFiles.ts';
import type { UriFiles } from '../uriFiles.ts';
import {
  WorkspaceFileError,
  type FileIdentity,
  type FileLocation,
  type OpenedFolder,
} from '../workspaceFiles.ts';
import { VirtualFolders } from './virtualFolders.ts';
import { locationOf, namedLocation, uriAt } from './virtualPaths.ts';

export class VirtualGuardedFiles implements GuardedFiles {
  private readonly way: VirtualFolders;

  constructor(
    private readonly files: UriFiles,
    readonly folders: () => readonly OpenedFolder[],
  ) {
    this.way = new VirtualFolders(files, folders);
  }

  async resolve(named: NamedFile): Promise<GuardedFile> {
    const location = this.locate(named);
    const given = typeof named === 'string' ? named : named.uri;
    refuseGitNames(location.path.split('/'), given);
    const { entry } = await this.way.wayTo(location, { isForReading: true });
    return this.guardedFile(location, { exists: entry !== undefined });
  }

  async resolveForWriting(named: NamedFile): Promise<GuardedFile> {
    const location = this.locate(named);
    refuseGitNames(location.path.split('/'), typeof named === 'string' ? named : named.uri);
    const { entry } = await this.way.wayToWrite(location);
    return this.guardedFile(location, { exists: entry !== undefined });
  }

  /** Checks only the names; `read` checks the path. */
  nameable(uris: readonly string[]): Promise<Pick<GuardedFile, 'uri' | 'shown' | 'isSecret'>[]> {
    const found = uris.flatMap((uri) => {
      const location = locationOf(this.folders(), uri);
      if (!location || location.path === '' || location.path.split('/').some(isGitName)) return [];
      return [{ uri, shown: this.shown(location), isSecret: isSecretName(location.path) }];
    });
    return Promise.resolve(found);
  }

  async read(at: GuardedFile, limit: number): Promise<Uint8Array> {
    const { uri, size } = await this.existing(at);
    if (size > limit) throw new FileTooLargeError(at.shown, size, limit);
    const bytes = await this.files.read(uri);
    // The reported size may be outdated.
    if (bytes.byteLength > limit) throw new FileTooLargeError(at.shown, bytes.byteLength, limit);
    return bytes;
  }

  /** Fetches the whole file: partial reads are not available. */
  async readStart(at: GuardedFile, length: number): Promise<{ bytes: Uint8Array; size: number }> {
    const { uri } = await this.existing(at);
    const bytes = await this.files.read(uri);
    return { bytes: bytes.subarray(0, length), size: bytes.byteLength };
  }

  async list(at: GuardedFile): Promise<{ name: string; isFolder: boolean }[]> {
    const { uri, entry } = await this.way.wayTo(at, { isForReading: true });
    const found = entry && entry.kind !== 'folder' ? undefined : await this.files.list(uri);
    if (!found) throw new WorkspaceFileError('not-found', at.shown);
    return found
      .filter(({ name }) => !isGitName(name))
      .map(({ name, kind }) => ({ name, isFolder: kind === 'folder' }));
  }

  private async existing(at: GuardedFile): Promise<{ uri: string; size: number }> {
    if (at.path === '') throw new WorkspaceFileError('is-folder', at.shown);
    const { uri, entry } = await this.way.wayTo(at, { isForReading: true });
    if (!entry) throw new WorkspaceFileError('not-found', at.shown);
    if (entry.kind === 'folder') throw new WorkspaceFileError('is-folder', at.shown);
    if (entry.kind === 'other') throw new WorkspaceFileError('not-a-file', at.shown);
    return { uri, size: entry.size };
  }

  private locate(named: NamedFile): FileLocation {
    if (typeof named === 'string') return namedLocation(this.folders(), named);
    const location = locationOf(this.folders(), named.uri);
    if (!location) throw new WorkspaceFileError('outside-workspace', named.uri);
    return location;
  }

  private guardedFile(location: FileLocation, { exists }: { exists: boolean }): GuardedFile {
    return {
      ...location,
      uri: uriAt(location),
      shown: this.shown(location),
      protection: protectionOf(location.path),
      isSecret: isSecretName(location.path),
      // What is read-only here is refused, and there is one name for a file and no owner.
      isReadOnly: false,
      isPlain: true,
      identity: identityAt(location, exists),
    };
  }

  private shown({ folder, path }: FileLocation): string {
    const name = this.folders().find(({ uri }) => uri === folder)?.name ?? '';
    return shownPath(this.folders().length, name, path);
  }
}

/** The only identity of a file here is its location. */
export function identityAt(location: FileLocation, exists: boolean): FileIdentity {
  return { file: exists ? uriAt(location) : undefined, folders: [] };
}
