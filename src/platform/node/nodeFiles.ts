import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Files, LogFile } from '../files.ts';

/** Files of this machine, by Node. */
export class NodeFiles implements Files {
  async read(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return Uint8Array.from(await readFile(file));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async replace(file: string, bytes: Uint8Array): Promise<void> {
    const temporary = `${file}.tmp`;
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    await syncFolderOf(file);
  }

  async openLog(file: string): Promise<LogFile> {
    const handle = await open(file, constants.O_RDWR | constants.O_CREAT);
    await syncFolderOf(file);
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
      handle = await open(file, 'wx');
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  }

  async touch(file: string): Promise<void> {
    const now = new Date();
    await utimes(file, now, now);
  }

  async stamp(file: string): Promise<{ value: string; age: number } | undefined> {
    try {
      const { size, mtimeMs, ino } = await stat(file);
      return { value: `${ino}:${size}:${mtimeMs}`, age: Date.now() - mtimeMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async ensureFolder(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
  }

  async list(folder: string): Promise<{ name: string; size: number }[]> {
    try {
      const found = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
      return await Promise.all(
        found.map(async ({ name }) => ({ name, size: (await stat(path.join(folder, name))).size })),
      );
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
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
    let written = 0;
    while (written < bytes.byteLength) {
      const { bytesWritten } = await this.handle.write(
        bytes,
        written,
        bytes.byteLength - written,
        this.end + written,
      );
      written += bytesWritten;
    }
    await this.handle.datasync();
    this.end += written;
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

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
