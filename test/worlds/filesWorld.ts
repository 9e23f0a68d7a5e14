import { join } from 'node:path';
import { logRestored } from '../../src/conversation/userWrites.ts';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { assistant, user } from '../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../src/engine/store.ts';
import { NodeFiles } from '../../src/host/node/nodeFiles.ts';
import { thisProcess } from '../../src/host/node/nodeParts.ts';
import { WorkspaceFileError, type FileLocation, type WorkspaceFiles } from '../../src/host/workspaceFiles.ts';
import { Sequencer } from '../../src/base/sequencer.ts';
import { canBeChosen, isReady, type OpenEditors } from '../../src/files/inspectFiles.ts';
import { RecordingWriter, VersionKeeper } from '../../src/files/recordingWriter.ts';
import { RestoreJournal } from '../../src/files/restoreJournal.ts';
import { Restorer, type Restored } from '../../src/files/restorer.ts';
import { keyOf } from '../../src/files/contentVersion.ts';
import { RealWorkspace } from '../fixtures/realWorkspace.ts';
import { memoryStore } from '../fixtures/stores.ts';

export const CHAT = 'chat-1';
type Changes = Readonly<Record<string, string | Uint8Array | null>>;

export const MAX_FILE_SIZE = 100_000;

/** Editors with changes that nobody saved, as far as restoring sees them. */
export class FakeEditors implements OpenEditors {
  readonly unsaved = new Map<string, string>();
  /** Files with changes in editors that do not give them away. */
  readonly closed = new Set<string>();

  unsavedText(file: FileLocation): string | undefined {
    if (this.closed.has(keyOf(file))) throw new WorkspaceFileError('unsaved', file.path);
    return this.unsaved.get(keyOf(file));
  }

  discard(file: FileLocation): Promise<void> {
    this.unsaved.delete(keyOf(file));
    return Promise.resolve();
  }

  bringBack(file: FileLocation, text: string): Promise<void> {
    this.unsaved.set(keyOf(file), text);
    return Promise.resolve();
  }
}

/** A run that changes real files through the real engine, and what brings them back. */
export class FilesWorld implements AsyncDisposable {
  readonly editors = new FakeEditors();
  readonly sequencer = new Sequencer();
  /** Files that a setting of the editor makes read-only. */
  readonly readOnly = new Set<string>();
  readonly journalPath: string;
  engine: ContextEngine;
  private turns = 0;
  private own: Restorer | undefined;
  private time = 1_000;
  /** Each moment comes once. */
  readonly now = (): number => this.time++;

  /** Nothing happens until then. @param time in milliseconds since 1970 */
  waitUntil(time: number): void {
    this.time = Math.max(this.time, time);
  }

  private constructor(
    readonly workspace: RealWorkspace,
    readonly store: ContextStore,
  ) {
    this.journalPath = join(workspace.outside, `restore.${process.pid}.json`);
    this.engine = new ContextEngine({ store, chatId: CHAT, userId: 'me' });
  }

  static async make(store: ContextStore = memoryStore()): Promise<FilesWorld> {
    return new FilesWorld(await RealWorkspace.make(), store);
  }

  /** @param files what stands between the restorer and the disk */
  restorer(files?: WorkspaceFiles): Restorer {
    return files ? this.makeRestorer(files) : (this.own ??= this.makeRestorer(this.workspace.files));
  }

  private makeRestorer(files: WorkspaceFiles): Restorer {
    const { store, editors, sequencer } = this;
    return new Restorer({
      store,
      files,
      editors,
      sequencer,
      logRestored: (chatId, details) => logRestored(store, chatId, details),
      journal: new RestoreJournal(new NodeFiles(), this.workspace.outside, thisProcess()),
      maxFileSize: () => MAX_FILE_SIZE,
      isReadOnly: ({ path }) => this.readOnly.has(path),
      now: this.now,
    });
  }

  /** One turn on the engine's branch whose tools leave these files (null: gone). @returns the id of its answer */
  async turn(changes: Changes): Promise<string> {
    await this.edit(changes);
    return this.answer();
  }

  /** What tools do in a step, before it is saved. */
  async edit(changes: Changes): Promise<void> {
    const { files } = this.workspace;
    const keeper = new VersionKeeper({
      blobs: this.store.blobs,
      limits: () => ({ maxFileSize: MAX_FILE_SIZE, budget: 10_000_000 }),
      onNotKept: () => undefined,
    });
    const writer = new RecordingWriter(
      { files, keeper, sequencer: this.sequencer, now: this.now },
      this.engine.files,
    );
    for (const [path, content] of Object.entries(changes)) {
      const location = this.workspace.at(path);
      const before = (await files.read(location))?.bytes ?? null;
      await writer.write(
        location,
        before,
        typeof content === 'string' ? new TextEncoder().encode(content) : content,
      );
    }
  }

  async answer(): Promise<string> {
    this.turns += 1;
    const id = `a${this.turns}`;
    await this.engine.set(user('do it', { id: `q${this.turns}` }), assistant('done', { id })).save();
    return id;
  }

  /** Brings the files to a point: those that are as they were left, and those named. */
  async restoreTo(messageId: string | null, ...alsoChosen: string[]): Promise<Restored> {
    const restorer = this.restorer();
    const preview = await restorer.preview(CHAT, messageId);
    const chosen = preview.files.filter(
      (file) => isReady(file) || (canBeChosen(file) && alsoChosen.includes(file.planned.location.path)),
    );
    return restorer.restore(CHAT, preview, chosen);
  }

  /** What a preview says of each file: `path state`. */
  async states(messageId: string | null): Promise<Record<string, string>> {
    const { files } = await this.restorer().preview(CHAT, messageId);
    return Object.fromEntries(files.map(({ planned, state }) => [planned.location.path, state]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
    await this.store.close();
    await this.workspace[Symbol.asyncDispose]();
  }
}
