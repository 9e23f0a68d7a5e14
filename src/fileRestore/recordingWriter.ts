import type { EngineFiles } from '../engine/engineFiles.ts';
import type { FoundChange } from '../platform/workspaceChanges.ts';
import type { FileContent, FileIdentity, FileLocation, WorkspaceFiles } from '../platform/workspaceFiles.ts';
import { FileChangedError, NotWrittenError } from './restoreErrors.ts';
import type { Sequencer } from '../kit/sequencer.ts';
import type { VersionKeeper } from './versionKeeper.ts';
import { isSameVersion, versionOf } from './contentVersion.ts';

export interface RecordingWriterOptions {
  readonly files: WorkspaceFiles;
  readonly keeper: VersionKeeper;
  /** One at a time: nothing is written while files are being restored, nor the other way round. */
  readonly sequencer: Sequencer;
  /** The files that tools of the conversation have changed, as far as it is stored. */
  readonly storedChanges?: () => Promise<readonly FileLocation[]>;
  readonly now?: () => number;
}

/** A file whose path was resolved, and what was found there if it has to be that still. */
type ResolvedFile = FileLocation & { readonly identity?: FileIdentity };

/** Writes files for the tools of a conversation and records what each write changed, so that it can be taken back. */
export class RecordingWriter {
  constructor(
    private readonly options: RecordingWriterOptions,
    /** Of the engine whose next save stores what was recorded. */
    private readonly recorded: EngineFiles,
  ) {}

  /**
   * Makes a file hold `after` (null: it is gone). All of it happens or nothing; it waits while files are being restored.
   * @param file as it was resolved; with its identity when it has to be the very file that was found then
   * @param before what the user was shown (null: there was none)
   * @throws FileChangedError when the file does not hold `before` any more
   * @throws WorkspaceFileError when the path leads out of the workspace or into a git repository
   */
  write(file: ResolvedFile, before: Uint8Array | null, after: Uint8Array | null): Promise<void> {
    return this.options.sequencer.run(() => this.writeNow(file, before, after));
  }

  /** Writes the new file, then removes the old one; both are recorded. @throws as {@link write} */
  move(from: ResolvedFile, to: ResolvedFile, content: Uint8Array): Promise<void> {
    const { files, sequencer } = this.options;
    return sequencer.run(async () => {
      const found = await files.read({ folder: from.folder, path: from.path });
      if (!isSameBytes(found?.bytes ?? null, content)) throw new FileChangedError(from.path);
      await this.writeNow(to, null, content, found?.mode);
      await this.writeNow(from, content, null);
    });
  }

  /** Makes a folder and those on the way to it. @throws WorkspaceFileError as {@link write} does */
  makeFolder({ folder, path }: FileLocation): Promise<void> {
    return this.options.sequencer.run(() => this.options.files.makeFolder({ folder, path }));
  }

  /** Records an edit that is made in the editor. @param before what the editor held: nobody had saved it */
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

  /**
   * Records changes that others made. What it was or what it is may not be known: then it cannot be taken back.
   * @returns those that are not recorded
   */
  recordFound(changes: readonly FoundChange[]): Promise<readonly FoundChange[]> {
    return this.options.sequencer.run(async () => {
      const { keeper, now = Date.now } = this.options;
      const left: FoundChange[] = [];
      for (const change of changes) {
        const { folder, path, before, after, madeFolders } = change;
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

  /** The files that tools of this conversation changed, on whichever branch. */
  async changed(): Promise<readonly FileLocation[]> {
    const { storedChanges = () => Promise.resolve([]) } = this.options;
    const recent = [...this.recorded.leaving(), ...this.recorded.pending()];
    return [...(await storedChanges()), ...recent.map(({ folder, path }) => ({ folder, path }))];
  }

  /** @param mode of a file that is new */
  private async writeNow(
    { folder, path, identity }: ResolvedFile,
    before: Uint8Array | null,
    after: Uint8Array | null,
    mode?: number,
  ): Promise<void> {
    const { files, keeper, now = Date.now } = this.options;
    const location: FileLocation = { folder, path };
    const found = await files.read(location);
    if (!isSameBytes(found?.bytes ?? null, before)) throw new FileChangedError(path);
    if (isSameBytes(before, after)) return;
    const wanted = after === null ? undefined : { bytes: Uint8Array.from(after), mode: found?.mode ?? mode };
    // Both are kept before the file is touched: a crash in between leaves bytes nobody asks for, and no file without a way back.
    const versions = { before: await keeper.keep(path, found), after: await keeper.keep(path, wanted) };
    const expected = { hash: versions.before?.hash ?? null, identity };
    const madeFolders = wanted ? await files.write(location, wanted, crypto.randomUUID(), expected) : [];
    if (!wanted) await files.remove(location, expected);
    const written = await versionOf(await files.read(location));
    if (!isSameVersion(written, versions.after)) throw new NotWrittenError(path);
    this.recorded.add({
      ...location,
      // The mode a new file got is known only now.
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

function isSameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index]);
}
