import { sha256 } from '../../engine/bytes.ts';
import { FileKindError, type Files } from '../../host/files.ts';
import type { BlobInfo, CollectableBlobs } from '../sqlite/blobCollection.ts';
import { asStorageError, StorageWriteError } from './storageErrors.ts';

/** Blobs as files, each named by its hash: equal bytes are stored once. */
export class FileBlobStore implements CollectableBlobs {
  /** Read from the folder once. */
  private sizes: Promise<Map<string, number>> | undefined;
  private used = 0;

  constructor(
    private readonly files: Files,
    private readonly folder: string,
  ) {
    // After the files were removed, only the conversations are written again.
    files.loss?.onDidRewrite(() => (this.sizes = undefined));
  }

  async put(bytes: Uint8Array): Promise<string> {
    const copy = Uint8Array.from(bytes);
    const hash = await sha256(copy);
    const path = this.files.join(this.folder, hash);
    // Bytes that are put again count as new: the message that names them may not be saved yet.
    if (await explained(this.files.stamp(path))) await explained(this.files.touch(path));
    else await this.write(path, copy);
    await this.count(hash, copy.byteLength);
    return hash;
  }

  private async write(path: string, bytes: Uint8Array): Promise<void> {
    try {
      await this.files.ensureFolder(this.folder);
      await this.files.replace(path, bytes);
    } catch (error) {
      if (error instanceof FileKindError) throw asStorageError(error);
      throw new StorageWriteError(this.folder, error);
    }
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    return isHash(hash) ? explained(this.files.read(this.files.join(this.folder, hash))) : undefined;
  }

  async has(hash: string): Promise<boolean> {
    if (!isHash(hash)) return false;
    // Another window may have added or removed it.
    return (await explained(this.files.stamp(this.files.join(this.folder, hash)))) !== undefined;
  }

  async usedBytes(): Promise<number> {
    await this.known();
    return this.used;
  }

  async list(): Promise<BlobInfo[]> {
    const files = await explained(this.files.list(this.folder));
    return files.filter(({ name }) => isHash(name)).map(({ name, ...file }) => ({ hash: name, ...file }));
  }

  async remove(hash: string): Promise<void> {
    if (!isHash(hash)) return;
    await explained(this.files.remove(this.files.join(this.folder, hash)));
    const sizes = await this.known();
    this.used -= sizes.get(hash) ?? 0;
    sizes.delete(hash);
  }

  private async count(hash: string, size: number): Promise<void> {
    const sizes = await this.known();
    if (sizes.has(hash)) return;
    sizes.set(hash, size);
    this.used += size;
  }

  private known(): Promise<Map<string, number>> {
    this.sizes ??= this.readSizes();
    return this.sizes;
  }

  private async readSizes(): Promise<Map<string, number>> {
    const found = await this.list();
    this.used = found.reduce((sum, { size }) => sum + size, 0);
    return new Map(found.map(({ hash, size }) => [hash, size]));
  }
}

/** The result of access to the files, with errors as they are shown to users. */
async function explained<T>(access: Promise<T>): Promise<T> {
  try {
    return await access;
  } catch (error) {
    throw asStorageError(error);
  }
}

/** Names come from the database; only a hash may become part of a path. */
function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}
