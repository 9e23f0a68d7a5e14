import type { BlobStore } from '../../engine/store.ts';
import type { Files } from '../../platform/files.ts';
import { sha256 } from '../memoryBlobs.ts';

/** Blobs as files, each named by its hash: the same bytes are kept once. */
export class FileBlobStore implements BlobStore {
  constructor(
    private readonly files: Files,
    private readonly folder: string,
  ) {}

  async put(bytes: Uint8Array): Promise<string> {
    const copy = Uint8Array.from(bytes);
    const hash = await sha256(copy);
    const path = this.files.join(this.folder, hash);
    if (!(await this.files.stamp(path))) {
      await this.files.ensureFolder(this.folder);
      await this.files.replace(path, copy);
    }
    return hash;
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    // The name comes from the database; nothing but a hash may become part of a path.
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
    return this.files.read(this.files.join(this.folder, hash));
  }
}
