import { constants } from 'node:fs';
import { lutimes, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { FileTooLargeError, type Files, type LogFile, type ReadOptions } from '../files.ts';

// write-file-atomic, the usual library, syncs neither the folder, without which a new name may be lost with the power,
// nor in steps, without which a save waits for the whole of a snapshot.

/** What is written at once: little enough that somebody else's sync in between takes a few milliseconds. */
const STEP_BYTES = 1_000_000;

/** What is read at once while something is done with what came before. */
const READ_STEP_BYTES = 8_000_000;

/** Chats may hold anything: whatever the umask, nobody but the owner gets at them. Windows has its own rules. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const hasModes = process.platform !== 'win32';

/** A new file under a name that nothing has, not even a link: what is written never ends up elsewhere. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow();

/** Node's reads take a length of 31 bits; a longer one ends the process instead of failing. */
const MAX_READ_BYTES = 2 ** 31 - 1;

export interface NodeFilesOptions {
  /** How large a file may be to be read; for tests. */
  readonly maxReadBytes?: number;
}

/** Files of this machine, by Node. */
export class NodeFiles implements Files {
  private readonly maxReadBytes: number;

  constructor({ maxReadBytes = MAX_READ_BYTES }: NodeFilesOptions = {}) {
    this.maxReadBytes = maxReadBytes;
  }

  async read(
    file: string,
    { start = 0, spare = 0, meanwhile }: ReadOptions = {},
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    let handle: FileHandle;
    try {
      handle = await open(file, 'r');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      const { size } = await handle.stat();
      if (start > size) return undefined;
      if (size - start > this.maxReadBytes) throw new FileTooLargeError(file, size, this.maxReadBytes);
      const buffer = new ArrayBuffer(Math.ceil((size - start) * (1 + spare)));
      return await readUpTo(handle, start, new Uint8Array(buffer, 0, size - start), meanwhile);
    } finally {
      await handle.close();
    }
  }

  async write(file: string, parts: readonly Uint8Array[]): Promise<void> {
    // Whatever has the name goes, a link included, so that the new file is a file of its own.
    await rm(file, { force: true });
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
    // Nobody can guess it, and two that replace the same file do not get in each other's way.
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
    const handle = await open(file, constants.O_RDWR | noFollow());
    return new NodeLogFile(handle, (await handle.stat()).size);
  }

  async move(from: string, to: string): Promise<void> {
    try {
      await rename(from, to);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    await syncFolderOf(to);
  }

  async remove(file: string): Promise<void> {
    await rm(file, { force: true });
  }

  async createExclusively(file: string, text: string): Promise<boolean> {
    let handle: FileHandle;
    try {
      handle = await open(file, NEW_FILE, FILE_MODE);
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
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
    const now = new Date();
    // Of a link, the link's own.
    await lutimes(file, now, now);
  }

  async stamp(file: string): Promise<string | undefined> {
    try {
      const { size, mtimeNs, ino } = await stat(file, { bigint: true });
      return `${ino.toString()}:${size.toString()}:${mtimeNs.toString()}`;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async list(folder: string): Promise<{ name: string; size: number; age: number }[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map(({ name }) => details(folder, name));
      return (await Promise.all(files)).filter((found) => found !== undefined);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async ensureFolder(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  }

  async protect(file: string): Promise<void> {
    if (!hasModes) return;
    let handle: FileHandle;
    try {
      // Without waiting: the name may stand for a pipe.
      handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      // Links are replaced when they are written to, and what they lead to is not ours.
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
    private end: number,
  ) {}

  get size(): number {
    return this.end;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await writeAll(this.handle, bytes, this.end);
    await this.handle.datasync();
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
}

async function details(
  folder: string,
  name: string,
): Promise<{ name: string; size: number; age: number } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path.join(folder, name));
    // The clock of files is finer, so that a file could seem to be of the future.
    return { name, size, age: Math.max(0, Date.now() - mtimeMs) };
  } catch (error) {
    // It was there a moment ago.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Fills `bytes`; gives less when the file has become shorter meanwhile. */
async function readUpTo(
  handle: FileHandle,
  start: number,
  bytes: Uint8Array<ArrayBuffer>,
  meanwhile: ReadOptions['meanwhile'],
): Promise<Uint8Array<ArrayBuffer>> {
  const step = meanwhile ? READ_STEP_BYTES : Infinity;
  let filled = 0;
  while (filled < bytes.byteLength) {
    const length = Math.min(step, bytes.byteLength - filled);
    const reading = handle.read(bytes, filled, length, start + filled);
    if (filled > 0) meanwhile?.(bytes.subarray(0, filled));
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

/** A new name is safe only once its folder is on the disk. Windows has no such thing, and needs none. */
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

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
