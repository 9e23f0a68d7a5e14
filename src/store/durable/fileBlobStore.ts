import { sha256 } from '../../engine/sha256.ts';
import type { BlobStore } from '../../engine/store.ts';
import type { Files } from '../../platform/files.ts';

/** Nothing but a hash may become part of a path. */
const HASH = /^[0-9a-f]{64}$/;

/** Blobs as files, each named by its hash: the same bytes are kept once. */
export class FileBlobStore implements BlobStore {
  /** The sizes of those there are; read from the folder once. */
  private sizes: Promise<Map<string, number>> | undefined;
  private used = 0;

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
    await this.count(hash, copy.byteLength);
    return hash;
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    return HASH.test(hash) ? this.files.read(this.files.join(this.folder, hash)) : undefined;
  }

  async has(hash: string): Promise<boolean> {
    return (await this.known()).has(hash);
  }

  async usedBytes(): Promise<number> {
    await this.known();
    return this.used;
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
    const found = (await this.files.list(this.folder)).filter(({ name }) => HASH.test(name));
    this.used = found.reduce((sum, { size }) => sum + size, 0);
    return new Map(found.map(({ name, size }) => [name, size]));
  }
}
