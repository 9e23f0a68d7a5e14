import type { Files } from '../../platform/files.ts';
import type { BlobInfo, CollectableBlobs } from '../blobs.ts';
import { sha256 } from '../memoryBlobs.ts';

/** Blobs as files, each named by its hash: the same bytes are kept once. */
export class FileBlobStore implements CollectableBlobs {
  constructor(
    private readonly files: Files,
    private readonly folder: string,
  ) {}

  async put(bytes: Uint8Array): Promise<string> {
    const copy = Uint8Array.from(bytes);
    const hash = await sha256(copy);
    const path = this.files.join(this.folder, hash);
    // Bytes that are put again count as new: what is about to name them may not be saved yet.
    if (await this.files.stamp(path)) await this.files.touch(path);
    else {
      await this.files.ensureFolder(this.folder);
      await this.files.replace(path, copy);
    }
    return hash;
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    return isHash(hash) ? this.files.read(this.files.join(this.folder, hash)) : undefined;
  }

  async list(): Promise<BlobInfo[]> {
    const files = await this.files.list(this.folder);
    return files.filter(({ name }) => isHash(name)).map(({ name, ...file }) => ({ hash: name, ...file }));
  }

  async remove(hash: string): Promise<void> {
    if (isHash(hash)) await this.files.remove(this.files.join(this.folder, hash));
  }
}

/** Names come from the database; nothing but a hash may become part of a path. */
function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}
