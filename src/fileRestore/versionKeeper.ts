import type { FileVersion } from '../engine/effects.ts';
import type { BlobStore } from '../engine/store.ts';
import type { FileContent } from '../platform/workspaceFiles.ts';
import { versionOf } from './contentVersion.ts';

export interface KeeperLimits {
  /** In bytes: only the hash of a larger file is recorded, and it cannot be restored. */
  readonly maxFileSize: number;
  /** In bytes: the total for all kept versions and artifacts. */
  readonly budget: number;
}

export type NotKeptReason = 'file-too-large' | 'budget-used-up';

export interface KeeperOptions {
  readonly blobs: BlobStore;
  /** Read again for each version. */
  readonly limits: () => KeeperLimits;
  /** A version was not kept. */
  readonly onNotKept: (path: string, reason: NotKeptReason) => void;
}

/** Keeps the content of files before and after tool changes, as long as there is room. */
export class VersionKeeper {
  constructor(private readonly options: KeeperOptions) {}

  /** The version of `content`, with its bytes in the blob store unless it is too large. */
  async keep(path: string, content: FileContent | undefined): Promise<FileVersion | null> {
    if (!content) return null;
    const version = await versionOf(content);
    const reason = await this.reasonNotToKeep(version);
    if (reason === undefined) {
      await this.options.blobs.put(content.bytes);
      return version;
    }
    this.options.onNotKept(path, reason);
    return { ...version, isKept: false };
  }

  private async reasonNotToKeep({ hash, size }: FileVersion): Promise<NotKeptReason | undefined> {
    const { blobs, limits } = this.options;
    const { maxFileSize, budget } = limits();
    if (size > maxFileSize) return 'file-too-large';
    const used = await blobs.usedBytes();
    if (used + size <= budget || (await blobs.has(hash))) return undefined;
    return 'budget-used-up';
  }
}
