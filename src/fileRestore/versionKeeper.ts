import type { FileVersion } from '../engine/effects.ts';
import type { BlobStore } from '../engine/store.ts';
import type { FileContent } from '../platform/workspaceFiles.ts';
import { versionOf } from './contentVersion.ts';

export interface KeeperLimits {
  /** In bytes: a larger file is known by its hash only, and cannot be brought back. */
  readonly maxFileSize: number;
  /** In bytes: what all kept versions and artifacts may take together. */
  readonly budget: number;
}

export type NotKeptReason = 'file-too-large' | 'budget-used-up';

export interface KeeperOptions {
  readonly blobs: BlobStore;
  /** Read anew for each version. */
  readonly limits: () => KeeperLimits;
  /** A version was not kept. */
  readonly onNotKept: (path: string, reason: NotKeptReason) => void;
}

/** Keeps what files held before and after tools changed them, as far as there is room. */
export class VersionKeeper {
  constructor(private readonly options: KeeperOptions) {}

  /** The version of `content`, with its bytes in the blob store unless they are too many. */
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
