import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathOf } from './fileUris.ts';

/**
 * A file that makes the next start faster and may be removed at any time. It holds what is run or shown, so nobody else
 * may read or write it.
 */
export class KeptFile {
  private readonly path: string;
  private reading: Promise<Buffer | undefined> | undefined;

  /** @param uri of the file; its folder need not exist */
  constructor(uri: string) {
    this.path = pathOf(uri);
  }

  /** Begins to read it, which takes no time of this thread. */
  begin(): void {
    this.reading ??= readFile(this.path).catch(() => undefined);
  }

  /** As it was at the first call. @returns undefined if it can't be read */
  read(): Promise<Buffer | undefined> {
    this.begin();
    return this.reading ?? Promise.resolve(undefined);
  }

  /** Readers never see a part of it. @throws errors of the file system */
  async write(content: Uint8Array | string): Promise<void> {
    await mkdir(path.dirname(this.path), { recursive: true, mode: 0o700 });
    const next = `${this.path}.${process.pid}`;
    await writeFile(next, content, { mode: 0o600 });
    await rename(next, this.path);
  }

  /** @throws errors of the file system, but not if there is none */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
