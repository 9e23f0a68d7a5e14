import { ClosedError, InvalidArgumentError } from '../../engine/errors.ts';
import type { StoreChange, ChatData } from '../../engine/graph.ts';
import type { Disposable, Event } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { CollectableBlobs } from './blobCollection.ts';
import type { Database } from './database.ts';
import type { StoreBacking } from './storeBacking.ts';
import type { AnswerReader } from './operations/answerOperations.ts';
import { runWrite } from './operations/runWrite.ts';
import type { WriteArguments, WriteName, WriteResults } from '../common/storeWrites.ts';
import { verbatim } from '../../engine/messageDescriptor.ts';
import type { ChatChanges, ChatUpdate } from '../../engine/store.ts';
import { LAST_TIME } from '../../engine/time.ts';
import { changesOf } from '../common/chatChanges.ts';
import { requireChat } from './operations/chatOperations.ts';

/** Stands for this process as the owner of answers where only one window has the database. */
const thisProcess = crypto.randomUUID();

/** The first call that needs the database opens it. */
export class StoreSession {
  private readonly changed: Emitter<StoreChange>;
  private readonly closes = new Emitter<undefined>();
  private readonly listening = new Set<Disposable>();
  private database: Promise<Database> | undefined;
  private opened: Database | undefined;
  private isEnding = false;
  private closing: Promise<void> | undefined;

  constructor(private readonly backing: StoreBacking) {
    this.changed = backing.changes ?? new Emitter();
  }

  readonly onDidChange: Event<StoreChange> = (listener) => {
    const inner = this.changed.event(listener);
    const own: Disposable = {
      dispose: () => {
        this.listening.delete(own);
        inner.dispose();
      },
    };
    this.listening.add(own);
    return own;
  };

  /** Fires when it begins to close, while calls are still taken. */
  readonly onWillClose = this.closes.event;

  get blobs(): CollectableBlobs {
    return this.backing.blobs;
  }

  get isReadOnly(): boolean {
    return this.opened?.isReadOnly ?? false;
  }

  get isWriter(): boolean {
    return this.opened?.isWriter ?? true;
  }

  /** The name of this window among those that share the database; null where there is only one. */
  async owner(): Promise<string | null> {
    return (await this.read()).owner ?? null;
  }

  /** The name under which this window owns answers. */
  async answerOwner(): Promise<string> {
    return (await this.owner()) ?? thisProcess;
  }

  /** The database, and what tells whether the writers of its answers still exist. */
  async readAnswers(): Promise<AnswerReader> {
    const reader = await this.read();
    return { reader, self: reader.owner ?? thisProcess, now: timeOf(this.backing.now ?? Date.now) };
  }

  async isShared(): Promise<boolean> {
    return (await this.read()).isShared ?? false;
  }

  /** What an empty store in memory with the same settings is made of. @throws InvalidArgumentError */
  async memory(): Promise<StoreBacking> {
    const { wasm, now } = this.backing;
    if (!wasm) throw new InvalidArgumentError('store', verbatim('it makes none in memory; give another one'));
    const { memoryBacking } = await import('./inMemory.ts');
    return memoryBacking(wasm, now);
  }

  read(): Promise<Database> {
    if (this.closing) return Promise.reject(new ClosedError('store'));
    this.database ??= this.openDatabase();
    return this.database;
  }

  /** One transaction; its changes are announced once it is durable. */
  async write<N extends WriteName>(name: N, given: WriteArguments[N]): Promise<WriteResults[N]> {
    const database = await this.read();
    const now = timeOf(this.backing.now ?? Date.now);
    const { result, changes } = database.perform
      ? await database.perform(name, given, now)
      : await database.transaction((transaction) => runWrite(name, transaction, now, given));
    for (const change of changes) this.changed.fire(change);
    return result;
  }

  /** A second call waits for the same. */
  close(): Promise<void> {
    if (!this.isEnding) {
      this.isEnding = true;
      this.closes.fire(undefined);
      this.closes.dispose();
    }
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    for (const each of [...this.listening]) each.dispose();
    const database = await this.database?.catch(() => undefined);
    await database?.close();
  }

  /** A failed opening is tried again by the next call. */
  private async openDatabase(): Promise<Database> {
    try {
      const opened = await this.backing.open();
      this.opened = opened;
      // Stores that share a database are notified through what they share.
      if (!this.backing.changes) opened.onDidChangeElsewhere?.((change) => this.changed.fire(change));
      return opened;
    } catch (error) {
      this.database = undefined;
      throw error;
    }
  }
}

/** In whole milliseconds. @throws InvalidArgumentError for what is no time: it would be stored, and never read again */
function timeOf(clock: () => number): number {
  const time = clock();
  if (time >= 0 && time <= LAST_TIME) return Math.trunc(time);
  throw new InvalidArgumentError('clock', verbatim(`it gives ${time}, and no milliseconds since 1970`));
}

/** Changes a chat by a function, repeating until no other change happened between its read and its write. */
export async function updateByFunction(
  session: StoreSession,
  chatId: string,
  update: Exclude<ChatUpdate, ChatChanges>,
): Promise<ChatData> {
  for (;;) {
    const seen = requireChat(await session.read(), chatId);
    const changes = changesOf(update, structuredClone(seen));
    if (!changes) return seen;
    const changed = await session.write('updateSeenChat', { chatId, seen, changes });
    if (changed) return changed;
  }
}
