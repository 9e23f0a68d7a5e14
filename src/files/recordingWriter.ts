import { isSameBytes } from '../base/sameBytes.ts';
import type { EngineFiles } from '../engine/engineFiles.ts';
import type {
  FoundChange,
  FileContent,
  FileLocation,
  ResolvedFile,
  WorkspaceFiles,
} from '../host/workspaceFiles.ts';
import { FileChangedError, NotWrittenError } from './restoreErrors.ts';
import type { Sequencer } from '../base/sequencer.ts';
import { isSameVersion, versionOf } from './contentVersion.ts';
import type { FileVersion } from '../engine/effects.ts';
import type { BlobStore } from '../engine/store.ts';

export interface RecordingWriterOptions {
  readonly files: WorkspaceFiles;
  readonly keeper: VersionKeeper;
  /** One at a time: writes and restores exclude each other. */
  readonly sequencer: Sequencer;
  /** The stored list of files that tools of the conversation have changed. */
  readonly storedChanges?: () => Promise<readonly FileLocation[]>;
  readonly now?: () => number;
}

/**
 * Writes files for the tools of a conversation and records each change, so that it can be undone. What each call does
 * is described where the agent declares it (`FileWriter`). All but `changed` wait for a restore.
 */
export class RecordingWriter {
  constructor(
    private readonly options: RecordingWriterOptions,
    /** From the engine whose next save stores the records. */
    private readonly recorded: EngineFiles,
  ) {}

  /**
   * @throws FileChangedError when the file no longer contains `before`
   * @throws WorkspaceFileError when the path leads out of the workspace or into a git repository
   */
  write(file: ResolvedFile, before: Uint8Array | null, after: Uint8Array | null): Promise<void> {
    return this.options.sequencer.run(() => this.writeNow(file, before, after));
  }

  /** @throws as {@link write} */
  move(from: ResolvedFile, to: ResolvedFile, content: Uint8Array): Promise<void> {
    const { files, keeper, sequencer, now = Date.now } = this.options;
    return sequencer.run(async () => {
      const [source, target] = [locationOf(from), locationOf(to)];
      const found = await files.read(source);
      if (!found || !isSame(found.bytes, content)) throw new FileChangedError(from.path);
      const version = await keeper.keep(to.path, found);
      const expected = { hash: version?.hash ?? null, identity: from.identity };
      const madeFolders = await files.move(source, target, expected, to.identity);
      const moved = await versionOf(await files.read(target));
      if (!isSameVersion(moved, version)) throw new NotWrittenError(to.path);
      const made = madeFolders.length > 0 ? { madeFolders } : {};
      this.recorded.add({ ...target, before: null, after: version, ...made, at: now() });
      this.recorded.add({ ...source, before: version, after: null, at: now() });
    });
  }

  /** @throws WorkspaceFileError as {@link write} does */
  makeFolder({ folder, path }: FileLocation): Promise<void> {
    const { files, sequencer, now = Date.now } = this.options;
    return sequencer.run(async () => {
      const made = await files.makeFolder({ folder, path });
      if (made.length === 0) return;
      const after = await versionOf({ bytes: new Uint8Array(), mode: undefined, kind: 'folder' });
      const above = made.filter((each) => each !== path);
      const madeFolders = above.length > 0 ? { madeFolders: above } : {};
      this.recorded.add({ folder, path, before: null, after, ...madeFolders, at: now() });
    });
  }

  recordEdit({ folder, path }: FileLocation, before: Uint8Array, edit: () => Promise<void>): Promise<void> {
    const { files, keeper, sequencer, now = Date.now } = this.options;
    return sequencer.run(async () => {
      const { mode } = (await files.read({ folder, path })) ?? { mode: undefined };
      const kept = await keeper.keep(path, { bytes: Uint8Array.from(before), mode });
      await edit();
      const after = await keeper.keep(path, await files.read({ folder, path }));
      this.recorded.add({ folder, path, before: kept, after, at: now() });
    });
  }

  recordFound(changes: readonly FoundChange[]): Promise<readonly FoundChange[]> {
    return this.options.sequencer.run(async () => {
      const { keeper, now = Date.now } = this.options;
      const left: FoundChange[] = [];
      for (const change of changes) {
        const { folder, path, before, after, madeFolders } = change;
        // It cannot be undone.
        if (before === 'unknown' || after === 'unknown') {
          left.push(change);
          continue;
        }
        const keep = (content: FileContent | null) => keeper.keep(path, content ?? undefined);
        const versions = { before: await keep(before), after: await keep(after) };
        const made = madeFolders.length > 0 ? { madeFolders: [...madeFolders] } : {};
        this.recorded.add({ folder, path, ...versions, ...made, at: now() });
      }
      return left;
    });
  }

  async changed(): Promise<readonly FileLocation[]> {
    const { storedChanges = () => Promise.resolve([]) } = this.options;
    const recent = [...this.recorded.leaving(), ...this.recorded.pending()];
    return [...(await storedChanges()), ...recent.map(({ folder, path }) => ({ folder, path }))];
  }

  private async writeNow(
    { folder, path, identity }: ResolvedFile,
    before: Uint8Array | null,
    after: Uint8Array | null,
  ): Promise<void> {
    const { files, keeper, now = Date.now } = this.options;
    const location: FileLocation = { folder, path };
    const found = await files.read(location);
    if (!isSame(found?.bytes ?? null, before)) throw new FileChangedError(path);
    if (isSame(before, after)) return;
    const wanted = after === null ? undefined : { bytes: Uint8Array.from(after), mode: found?.mode };
    // Keep both before touching the file: a crash in between leaves unused bytes, not an unrecorded change.
    const versions = { before: await keeper.keep(path, found), after: await keeper.keep(path, wanted) };
    const expected = { hash: versions.before?.hash ?? null, identity };
    const madeFolders = wanted ? await files.write(location, wanted, crypto.randomUUID(), expected) : [];
    if (!wanted) await files.remove(location, expected);
    const written = await versionOf(await files.read(location));
    if (!isSameVersion(written, versions.after)) throw new NotWrittenError(path);
    this.recorded.add({
      ...location,
      // The mode of a new file is known only now.
      before: versions.before,
      after: versions.after && {
        ...versions.after,
        ...(written?.mode === undefined ? {} : { mode: written.mode }),
      },
      ...(madeFolders.length > 0 ? { madeFolders } : {}),
      at: now(),
    });
  }
}

function locationOf({ folder, path }: ResolvedFile): FileLocation {
  return { folder, path };
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : isSameBytes(a, b);
}

export interface KeeperLimits {
  /** In bytes: only the hash of a larger file is recorded, and it cannot be restored. */
  readonly maxFileSize: number;
  /** In bytes: the total for all kept versions and artifacts. */
  readonly budget: number;
}

export type NotKeptReason = 'file-too-large' | 'budget-used-up';

interface KeeperOptions {
  readonly blobs: BlobStore;
  /** Read again for each version. */
  readonly limits: () => KeeperLimits;
  readonly onNotKept: (path: string, reason: NotKeptReason) => void;
}

/** Keeps the content of files before and after tool changes, as long as there is room. */
export class VersionKeeper {
  constructor(private readonly options: KeeperOptions) {}

  /** The version of `content`, with its bytes in the blob store unless it is too large. */
  async keep(path: string, content: FileContent | undefined): Promise<FileVersion | null> {
    if (!content) return null;
    const version = await versionOf(content);
    // It has no bytes.
    if (content.kind === 'folder') return version;
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
