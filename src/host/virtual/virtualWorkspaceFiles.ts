import type { UriFiles } from '../uriFiles.ts';
import {
  WorkspaceFileError,
  type ExpectedFile,
  type FileContent,
  type FileIdentity,
  type FileLocation,
  type OpenedFolder,
  type RecoveredWrite,
  type WorkspaceFiles,
} from '../workspaceFiles.ts';
import { VirtualFolders, type WayTo } from './virtualFolders.ts';
import { uriAt } from './virtualPaths.ts';

/** Whether a file is replaced atomically depends on the medium: a temporary file cannot be renamed into place. */
export class VirtualWorkspaceFiles implements WorkspaceFiles {
  private readonly way: VirtualFolders;

  constructor(
    private readonly files: UriFiles,
    folders: () => readonly OpenedFolder[],
  ) {
    this.way = new VirtualFolders(files, folders);
  }

  async read(file: FileLocation): Promise<FileContent | undefined> {
    const { uri, entry } = await this.way.wayTo(file, { isForReading: false });
    if (!entry || entry.kind === 'folder') return undefined;
    if (entry.kind === 'other') throw new WorkspaceFileError('not-a-file', file.path);
    return { bytes: await this.files.read(uri), mode: undefined };
  }

  /** Links are refused here. */
  async readEntry(file: FileLocation): Promise<FileContent | undefined> {
    const { entry } = await this.way.wayTo(file, { isForReading: false });
    if (entry?.kind === 'folder') return { bytes: new Uint8Array(), mode: undefined, kind: 'folder' };
    return this.read(file);
  }

  async isFolder(file: FileLocation): Promise<boolean> {
    const { entry } = await this.way.wayTo(file, { isForReading: false });
    return entry?.kind === 'folder';
  }

  async checkWrite(file: FileLocation): Promise<void> {
    await this.way.wayToWrite(file);
  }

  async write(
    file: FileLocation,
    { bytes, kind }: FileContent,
    _tag: string,
    expected?: ExpectedFile,
  ): Promise<string[]> {
    if (kind !== undefined) throw new WorkspaceFileError('not-a-file', file.path);
    const way = await this.way.wayToWrite(file);
    await this.refuseOther(way, file, expected);
    const made: string[] = [];
    try {
      for (const path of way.missing) {
        await this.files.makeFolder(uriAt({ folder: file.folder, path }));
        made.push(path);
      }
      await this.files.write(way.uri, bytes);
    } catch (error) {
      await this.removeMade(file, made);
      throw error;
    }
    return made;
  }

  async remove(file: FileLocation, expected?: ExpectedFile): Promise<void> {
    const way = await this.way.wayTo(file, { isForReading: false });
    if (!way.entry) return;
    if (way.entry.kind !== 'file') throw new WorkspaceFileError('not-a-file', file.path);
    if (this.files.isWritable(way.uri) === false || way.entry.isReadOnly === true) {
      throw new WorkspaceFileError('read-only', file.path);
    }
    await this.refuseOther(way, file, expected);
    await this.files.remove(way.uri);
  }

  /** The copy exists before the original is removed, so that an interruption loses nothing. */
  async move(
    from: FileLocation,
    to: FileLocation,
    expected: ExpectedFile,
    target?: FileIdentity,
  ): Promise<string[]> {
    const content = await this.read(from);
    if (!content || (await sha256(content.bytes)) !== expected.hash) {
      throw new WorkspaceFileError('changed', from.path);
    }
    const made = await this.write(to, content, '', { hash: null, identity: target });
    await this.remove(from, expected);
    return made;
  }

  async makeFolder({ folder, path }: FileLocation): Promise<string[]> {
    const { missing } = await this.way.wayToWrite({ folder, path: `${path}/any` });
    for (const each of missing) await this.files.makeFolder(uriAt({ folder, path: each }));
    return [...missing];
  }

  async removeEmptyFolder(location: FileLocation): Promise<void> {
    const { uri, entry } = await this.way.wayTo(location, { isForReading: false });
    if (entry?.kind !== 'folder') return;
    if ((await this.files.list(uri))?.length === 0) await this.files.remove(uri);
  }

  /** A write leaves nothing behind. */
  sweep(): Promise<void> {
    return Promise.resolve();
  }

  recover(): Promise<readonly RecoveredWrite[]> {
    return Promise.resolve([]);
  }

  /** @throws WorkspaceFileError when the content differs from the expected one */
  private async refuseOther(
    { uri, entry }: WayTo,
    { path }: FileLocation,
    expected: ExpectedFile | undefined,
  ): Promise<void> {
    if (!expected) return;
    const { hash, identity } = expected;
    const isSame = identity === undefined || identity.file === (entry && uri);
    const holds = entry ? await sha256(await this.files.read(uri)) : null;
    if (!isSame || holds !== hash) throw new WorkspaceFileError('changed', path);
  }

  private async removeMade({ folder }: FileLocation, made: readonly string[]): Promise<void> {
    for (const path of made.toReversed()) {
      try {
        await this.removeEmptyFolder({ folder, path });
      } catch {
        // Why the file was not written is more important; an empty folder stays.
        return;
      }
    }
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
