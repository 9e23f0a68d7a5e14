import { constants, existsSync, type BigIntStats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readlink, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

/**
 * On Linux a folder is held open, and its contents are accessed through that handle: even if its name changes its
 * meaning, a reader or writer cannot be redirected. Other systems have no such way in Node; there the name is checked
 * again before each use.
 */
const HANDLES = '/proc/self/fd';
const hasHandles = process.platform === 'linux' && existsSync(HANDLES);

/** A folder, entered from its parent without following any link. */
export class OpenFolder {
  private constructor(
    /** Its path when it was entered. */
    readonly path: string,
    private readonly handle: FileHandle | undefined,
  ) {}

  /** @param folder with its links resolved */
  static async root(folder: string): Promise<OpenFolder> {
    const real = await realpath(folder);
    return new OpenFolder(real, hasHandles ? await open(real, FOLDER_FLAGS) : undefined);
  }

  /** Undefined when there is none. @throws NotAFolderError when it is something else */
  async enter(name: string): Promise<OpenFolder | undefined> {
    const inside = path.join(this.path, name);
    const found = await this.stat(name);
    if (!found) return undefined;
    if (!found.isDirectory()) throw new NotAFolderError(found.isSymbolicLink());
    if (!hasHandles) return new OpenFolder(inside, undefined);
    try {
      return new OpenFolder(inside, await open(this.at(name), FOLDER_FLAGS));
    } catch (error) {
      // It was replaced since the check.
      if (hasCode(error, 'ENOTDIR', 'ELOOP', 'ENOENT')) throw new NotAFolderError(true);
      throw error;
    }
  }

  /** @returns whether it is new: another program may make it at the same moment */
  async make(name: string): Promise<boolean> {
    await this.check();
    try {
      await mkdir(this.at(name));
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  /** Links are not followed. */
  async stat(name: string): Promise<BigIntStats | undefined> {
    await this.check();
    return lstat(this.at(name), { bigint: true }).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    });
  }

  async ownStat(): Promise<BigIntStats> {
    await this.check();
    return this.handle ? this.handle.stat({ bigint: true }) : lstat(this.path, { bigint: true });
  }

  async list(): Promise<{ readonly name: string; readonly isFolder: boolean }[]> {
    await this.check();
    const entries = await readdir(this.handle ? `${HANDLES}/${this.handle.fd}` : this.path, {
      withFileTypes: true,
    });
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  }

  /** Undefined when it is no regular file; nothing else is opened: links lead elsewhere, and pipes may never end. */
  async openFile(name: string): Promise<FileHandle | undefined> {
    if (!(await this.stat(name))?.isFile()) return undefined;
    let handle: FileHandle;
    try {
      handle = await open(this.at(name), FILE_FLAGS);
    } catch (error) {
      // It was replaced since the check.
      if (hasCode(error, 'ELOOP', 'ENOENT', 'ENXIO')) return undefined;
      throw error;
    }
    const found = await handle.stat();
    if (found.isFile()) return handle;
    await handle.close();
    return undefined;
  }

  /** Undefined when it is no regular file, or another one than before. It is neither made nor emptied. */
  async openToWrite(name: string, wanted: BigIntStats): Promise<FileHandle | undefined> {
    await this.check();
    let handle: FileHandle;
    try {
      handle = await open(this.at(name), WRITE_FLAGS);
    } catch (error) {
      if (hasCode(error, 'ELOOP', 'ENOENT', 'ENXIO')) return undefined;
      throw error;
    }
    const found = await handle.stat({ bigint: true });
    if (found.isFile() && found.dev === wanted.dev && found.ino === wanted.ino) return handle;
    await handle.close();
    return undefined;
  }

  /** The path that a link leads to, as it is written in the link. */
  async readLink(name: string): Promise<Uint8Array<ArrayBuffer>> {
    await this.check();
    return Uint8Array.from(await readlink(this.at(name), { encoding: 'buffer' }));
  }

  /** Sets its own permissions. */
  async setMode(mode: number): Promise<void> {
    await this.check();
    await (this.handle ? this.handle.chmod(mode) : chmod(this.path, mode));
  }

  /** A path for accessing the entry of this name. */
  at(name: string): string {
    return path.join(this.handle ? `${HANDLES}/${this.handle.fd}` : this.path, name);
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }

  private async check(): Promise<void> {
    if (!this.handle && (await realpath(this.path)) !== this.path) throw new NotAFolderError(true);
  }
}

export class NotAFolderError extends Error {
  constructor(readonly isLink: boolean) {
    super('This is no folder.');
  }
}

/** `O_NONBLOCK`: a file that was replaced by a pipe does not block. Windows has neither flag. */
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITE_FLAGS = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
