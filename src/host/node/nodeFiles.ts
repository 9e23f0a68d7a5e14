import { constants, fstatSync, type Dirent } from 'node:fs';
import { lutimes, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import {
  FileKindError,
  FilesLostError,
  FileTooLargeError,
  type Files,
  type LogFile,
  type ReadOptions,
} from '../files.ts';
import { find, findFile, folderProblem, hasCode, kindOf } from './fileKinds.ts';
import { isWrittenThrough } from './writtenThrough.ts';

// write-file-atomic, the usual library, does not sync the folder, without which a new name may be lost in a power
// failure, and does not sync in steps, without which a save waits for a whole snapshot.

/** Bytes written at once: so few that another process's sync in between takes only a few milliseconds. */
const STEP_BYTES = 1_000_000;

/** Bytes read at once while the previous ones are processed. */
const READ_STEP_BYTES = 8_000_000;

/** Chats may contain anything: independent of the umask, only the owner has access. Windows has its own rules. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const hasModes = process.platform !== 'win32';

/** Makes a new file only if the name is free, without following a link, so that nothing is written elsewhere. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow();

/** Names are looked at before they are opened. One that has become a pipe since then does not block. */
const READING = constants.O_RDONLY | nonBlocking();
const APPENDING = constants.O_RDWR | noFollow() | nonBlocking();

/** Node's reads take a length of 31 bits; a longer one crashes the process instead of failing. */
const MAX_READ_BYTES = 2 ** 31 - 1;

export interface NodeFilesOptions {
  /** For tests. */
  readonly maxReadBytes?: number;
}

export class NodeFiles implements Files {
  private readonly maxReadBytes: number;

  constructor({ maxReadBytes = MAX_READ_BYTES }: NodeFilesOptions = {}) {
    this.maxReadBytes = maxReadBytes;
  }

  async read(
    file: string,
    { start = 0, length = Infinity, spare = 0, onProgress }: ReadOptions = {},
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!(await findFile(file))) return undefined;
    let handle: FileHandle;
    try {
      handle = await open(file, READING);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      const size = await sizeOf(handle, file);
      if (start > size) return undefined;
      const wanted = Math.min(length, size - start);
      if (wanted > this.maxReadBytes) throw new FileTooLargeError(file, size, this.maxReadBytes);
      const buffer = new ArrayBuffer(Math.ceil(wanted * (1 + spare)));
      return await readUpTo(handle, start, new Uint8Array(buffer, 0, wanted), onProgress);
    } finally {
      await handle.close();
    }
  }

  async write(file: string, parts: readonly Uint8Array[]): Promise<void> {
    // Removes an existing file or link, so that the new file is a regular one.
    if (await findFile(file)) await rm(file, { force: true });
    const handle = await open(file, NEW_FILE, FILE_MODE);
    try {
      let position = 0;
      for (const part of parts) {
        for (let start = 0; start < part.byteLength; start += STEP_BYTES) {
          const step = part.subarray(start, start + STEP_BYTES);
          await writeAll(handle, step, position);
          position += step.byteLength;
          await handle.datasync();
        }
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async replace(file: string, bytes: Uint8Array): Promise<void> {
    await findFile(file);
    // The name cannot be guessed, and concurrent replacements of the same file do not conflict.
    const temporary = `${file}.${crypto.randomUUID()}.tmp`;
    try {
      await this.write(temporary, [bytes]);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolderOf(file);
  }

  async openLog(file: string): Promise<LogFile> {
    if ((await findFile(file))?.isLink) throw new FileKindError(file, 'link', 'file');
    const isThrough = await isWrittenThrough(file);
    const handle = await open(file, isThrough ? APPENDING | constants.O_DSYNC : APPENDING);
    try {
      const size = await sizeOf(handle, file);
      // A writer that ended may not have synced the end. Later writes sync only what they write.
      if (isThrough) await handle.datasync();
      return new NodeLogFile(handle, file, isThrough, size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async move(from: string, to: string): Promise<void> {
    await findFile(from);
    await findFile(to);
    try {
      await rename(from, to);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    await syncFolderOf(to);
  }

  async remove(file: string): Promise<void> {
    if (await findFile(file)) await rm(file, { force: true });
  }

  async createExclusively(file: string, text: string): Promise<boolean> {
    let handle: FileHandle;
    try {
      handle = await open(file, NEW_FILE, FILE_MODE);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      await findFile(file);
      return false;
    }
    try {
      await handle.writeFile(text);
      await handle.sync();
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return true;
  }

  async touch(file: string): Promise<void> {
    await findFile(file);
    const now = new Date();
    // For a link, the times of the link itself.
    await lutimes(file, now, now);
  }

  async stamp(file: string): Promise<string | undefined> {
    const found = await findFile(file);
    if (!found) return undefined;
    const { size, mtimeNs, ino } = found.stats;
    return `${ino.toString()}:${size.toString()}:${mtimeNs.toString()}`;
  }

  async list(folder: string): Promise<{ name: string; size: number; age: number }[]> {
    const files = (await entriesOf(folder)).filter((entry) => entry.isFile());
    const found = await Promise.all(files.map(({ name }) => details(folder, name)));
    return found.filter((each) => each !== undefined);
  }

  async names(folder: string): Promise<string[]> {
    return (await entriesOf(folder)).map(({ name }) => name);
  }

  async ensureFolder(folder: string): Promise<void> {
    try {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    } catch (error) {
      throw (await folderProblem(folder)) ?? error;
    }
  }

  async protect(file: string): Promise<void> {
    if (!hasModes) return;
    const found = await find(file);
    // Links are replaced when they are written to, and their targets are not ours.
    if (!found || found.isLink) return;
    if (found.kind !== 'file' && found.kind !== 'folder') throw new FileKindError(file, found.kind, 'file');
    let handle: FileHandle;
    try {
      handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      // It was removed or replaced since.
      if (isMissing(error) || hasCode(error, 'ELOOP')) return;
      throw error;
    }
    try {
      const { mode } = await handle.stat();
      if ((mode & 0o077) !== 0) await handle.chmod(mode & FOLDER_MODE);
    } finally {
      await handle.close();
    }
  }

  join(folder: string, name: string): string {
    return path.join(folder, name);
  }
}

class NodeLogFile implements LogFile {
  constructor(
    private readonly handle: FileHandle,
    private readonly file: string,
    /** It is on disk once it is written, and need not be synced. */
    private readonly isThrough: boolean,
    private end: number,
  ) {}

  get size(): number {
    return this.end;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await writeAll(this.handle, bytes, this.end);
    if (await (this.isThrough ? this.isGone() : this.syncUnlessGone())) throw new FilesLostError();
    this.end += bytes.byteLength;
  }

  async truncate(size: number): Promise<void> {
    await this.handle.truncate(size);
    await this.handle.datasync();
    this.end = size;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async syncUnlessGone(): Promise<boolean> {
    // Looked at while it is synced, and after that has begun, which takes longest: one that is removed only then is
    // noticed next time, as one that is removed later.
    const [, isRemoved] = await Promise.all([this.handle.datasync(), this.isRemoved()]);
    return isRemoved;
  }

  /** Asks at once: a thread that is asked takes as long as half of the writing. */
  private isGone(): boolean | Promise<boolean> {
    return fstatSync(this.handle.fd).nlink === 0 && this.isRemoved();
  }

  /** A file that was removed while it is open still takes bytes, which nobody finds again. */
  private async isRemoved(): Promise<boolean> {
    const { nlink, ino } = await this.handle.stat({ bigint: true });
    // Some network file systems count no links at all.
    return nlink === 0n && (await find(this.file))?.stats.ino !== ino;
  }
}

/** @throws FileKindError when something else has taken the name since it was looked at */
async function sizeOf(handle: FileHandle, file: string): Promise<number> {
  const found = await handle.stat();
  if (!found.isFile()) throw new FileKindError(file, kindOf(found), 'file');
  return found.size;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw (await folderProblem(folder)) ?? error;
  }
}

async function details(
  folder: string,
  name: string,
): Promise<{ name: string; size: number; age: number } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path.join(folder, name));
    // File times are more precise than the clock, so a file could seem to be from the future.
    return { name, size, age: Math.max(0, Date.now() - mtimeMs) };
  } catch (error) {
    // The file was removed in the meantime.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Fills `bytes`; returns fewer when the file is shortened during the read. */
async function readUpTo(
  handle: FileHandle,
  start: number,
  bytes: Uint8Array<ArrayBuffer>,
  onProgress: ReadOptions['onProgress'],
): Promise<Uint8Array<ArrayBuffer>> {
  const step = onProgress ? READ_STEP_BYTES : Infinity;
  let filled = 0;
  while (filled < bytes.byteLength) {
    const length = Math.min(step, bytes.byteLength - filled);
    const reading = handle.read(bytes, filled, length, start + filled);
    if (filled > 0) onProgress?.(bytes.subarray(0, filled));
    const { bytesRead } = await reading;
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      bytes.byteLength - written,
      position + written,
    );
    written += bytesWritten;
  }
}

/** A new name is durable only once its folder is on disk. Windows has no such call, and needs none. */
async function syncFolderOf(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path.dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Windows has no such flag. */
function noFollow(): number {
  return hasModes ? constants.O_NOFOLLOW : 0;
}

/** Windows has no such flag. */
function nonBlocking(): number {
  return hasModes ? constants.O_NONBLOCK : 0;
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}
