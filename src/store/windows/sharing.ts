import { ClosedError } from '../../engine/errors.ts';
import type { StoreChange } from '../../engine/graph.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Sequencer } from '../../base/sequencer.ts';
import type { Channels, Listener, Platform } from '../../host/platform.ts';
import type { BackgroundTimer } from '../../host/timers.ts';
import type { Outcome } from '../sqlite/database.ts';
import type { WriteArguments, WriteName, WriteResults } from '../common/storeWrites.ts';
import type { DurableDatabase } from '../durable/durableDatabase.ts';
import type { JournalPoint } from '../durable/journal.ts';
import type { StorageFiles } from '../durable/storageFiles.ts';
import type { StorageParts } from '../durable/storageParts.ts';
import { announcedChanges, writeHere } from './writeHere.ts';
import type { Role } from './channelProtocol.ts';
import type { AnswerQuestion } from './guestQuestions.ts';
import { LiveWindows } from './liveWindows.ts';
import { packGiven, unpackResult } from './wireWrites.ts';
import { LinkLostError, WriterClient } from './writerClient.ts';
import { reachWindow, readContact, writeContact } from './reachWindow.ts';
import { WriterServer, type Served } from './writerServer.ts';

export interface SharingOptions {
  readonly storage: StorageFiles;
  readonly platform: Platform;
  readonly channels: Channels;
  readonly parts: StorageParts;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly window: string;
  /** Default: a window. */
  readonly role?: Role;
  /** Shows the user the questions of guests when this process is the writer. */
  readonly onAsk?: AnswerQuestion | undefined;
  readonly onDidChangeReach: () => void;
  /** Called when memory has a change of another process; without an argument, anything may have changed. */
  readonly onChanges: (changes: readonly StoreChange[]) => void;
}

/** How often the connection to the writer is checked, in milliseconds. */
const TEND_MS = 500;

/** The pause between two attempts of a write that could not be sent, in milliseconds. */
const RETRY_MS = 50;

/**
 * How long a writer may be unreachable before saving is reported as impossible, in milliseconds: longer than it takes
 * to see that a lock was left behind.
 */
const PATIENCE_MS = 10_000;

interface Serving {
  readonly server: WriterServer;
  readonly listener: Listener;
  readonly secret: string;
}

/** Lets one process write for all: the writer serves the others, and the others send it requests. */
export class Sharing {
  private readonly subscription: Disposable;
  private readonly rewriteWatch: Disposable;
  private readonly tending: Sequencer;
  private readonly timer: BackgroundTimer;
  private readonly windows: LiveWindows;
  private readonly asking = new Set<Promise<unknown>>();
  private serving: Serving | undefined;
  private client: WriterClient | undefined;
  private lastReached = performance.now();
  private wasInReach = true;
  private isClosed = false;

  constructor(
    private readonly database: DurableDatabase,
    private readonly options: SharingOptions,
  ) {
    const { Sequencer, timers } = options.parts;
    this.tending = new Sequencer();
    this.windows = new LiveWindows(options.platform.owner, timers, () => {
      // Drafts of ended windows no longer have an owner.
      if (this.database.isWriter && this.hasDrafts()) options.onChanges([]);
    });
    if (database.isWriter) this.windows.begin();
    this.subscription = database.onDidChangeAccess(({ kind }) => {
      if (kind === 'writer') this.beginWriting();
      this.tendSoon();
    });
    const { loss } = options.storage.files;
    this.rewriteWatch = loss
      ? loss.onDidRewrite(() => this.tendTo(() => this.publishAgain()))
      : database.onDidRewrite(() => this.tendTo(() => this.serveAgain()));
    this.timer = timers.every(TEND_MS, () => this.tendSoon());
    this.tendSoon();
  }

  /** Whether a write can be requested, now or in a moment. */
  get isInReach(): boolean {
    return this.client?.isOpen === true || performance.now() - this.lastReached < PATIENCE_MS;
  }

  get isShared(): boolean {
    return this.client?.isOpen === true || this.serving?.server.hasWindows === true;
  }

  isElsewhere(window: string): boolean {
    return this.windows.has(window, this.database.isWriter);
  }

  /** Checks which windows that were writing answers still exist, if that takes a moment. */
  async lookForWindows(): Promise<void> {
    const owners = this.database.all('SELECT DISTINCT owner FROM drafts WHERE owner IS NOT NULL');
    for (const { owner } of owners) this.isElsewhere(String(owner));
    await this.options.platform.owner.looked?.();
  }

  announce<N extends WriteName>(
    name: N,
    given: WriteArguments[N],
    changes: readonly StoreChange[],
    point: JournalPoint,
  ): void {
    const announced = announcedChanges(this.options.parts, name, given, changes);
    if (announced) this.serving?.server.announce(announced, point);
  }

  announceAnything(point: JournalPoint): void {
    this.serving?.server.announce([], point);
  }

  /**
   * Runs a write in the process that is the writer. If that process ends before it has answered, the next writer is
   * asked, or this process writes; a finished write is not repeated.
   */
  async perform<N extends WriteName>(name: N, given: WriteArguments[N]): Promise<Outcome<WriteResults[N]>> {
    const { database } = this;
    const id = crypto.randomUUID();
    let packed: string | undefined;
    for (;;) {
      if (this.isClosed) throw new ClosedError('database');
      if (database.isWriter) {
        const done = await writeHere(
          database,
          this.options,
          packed === undefined ? undefined : id,
          name,
          given,
        );
        if (done) {
          this.announce(name, given, done.changes, done.point);
          return { result: done.value(), changes: done.changes };
        }
      }
      this.requireReach();
      await this.tend();
      const { client } = this;
      if (client?.isOpen) {
        packed ??= packGiven(name, given);
        try {
          const answer = await client.request(id, name, packed);
          // The caller of a refused write sees why, and can do it differently.
          await (answer.point ? database.reach(answer.point) : database.look());
          if ('error' in answer) throw answer.error;
          const { result, changes } = answer;
          return { result: unpackResult(this.options.parts, name, result, given), changes };
        } catch (error) {
          if (!(error instanceof LinkLostError)) throw error;
        }
      } else await this.options.parts.timers.delay(RETRY_MS);
      await database.look();
    }
  }

  /** Asks as a guest. @throws NoWindowError when there is none, and errors of the question */
  async ask(name: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    const asking = this.askWriter(name, given, signal);
    this.asking.add(asking);
    try {
      return await asking;
    } finally {
      this.asking.delete(asking);
    }
  }

  private async askWriter(name: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    const client = await reachWindow(
      async () => {
        if (this.isClosed) throw new ClosedError('database');
        await this.tend();
        return this.client?.isOpen ? this.client : undefined;
      },
      async () => (await readContact(this.options.storage)) !== undefined,
      { signal, delay: this.options.parts.timers.delay },
    );
    const result = await client.ask(name, given, signal);
    // Makes the allowed change visible here.
    await this.database.look();
    return result;
  }

  /** Nothing of it runs any more once this has settled. */
  async close(): Promise<void> {
    this.timer.stop();
    try {
      await this.tending.run(async () => {
        this.isClosed = true;
        await this.client?.close();
        await this.stopServing();
      });
    } finally {
      await Promise.allSettled(this.asking);
      this.subscription.dispose();
      this.rewriteWatch.dispose();
      this.windows.dispose();
    }
  }

  /** @throws ReadOnlyError when no process can write */
  private requireReach(): void {
    const { access } = this.database;
    if (access.kind === 'writer') return;
    if (access.kind === 'other-writer' && this.isInReach) return;
    throw this.options.parts.readOnlyError(this.options.storage.folder, access);
  }

  private async serve<N extends WriteName>(
    id: string,
    name: N,
    given: WriteArguments[N],
  ): Promise<Served | undefined> {
    if (!this.database.isWriter) return undefined;
    const done = await writeHere(this.database, this.options, id, name, given);
    if (!done) return undefined;
    const announced = announcedChanges(this.options.parts, name, given, done.changes);
    if (announced) this.options.onChanges(announced);
    return { ...done, announced };
  }

  private tendSoon(): void {
    this.tend().catch(this.options.onError);
  }

  /** Serves as the writer, or connects to the writer. */
  private tend(): Promise<void> {
    return this.tending.run(async () => {
      if (this.isClosed) return;
      if (this.database.isWriter) {
        await this.client?.close();
        if (!this.serving) await this.startServing();
      } else {
        await this.stopServing();
        if (this.database.access.kind === 'other-writer') await this.connect();
      }
      if (this.wasInReach === this.isInReach) return;
      this.wasInReach = this.isInReach;
      this.options.onDidChangeReach();
    });
  }

  private async startServing(): Promise<void> {
    const { storage, channels, platform } = this.options;
    const before = await readContact(storage);
    const secret = `${crypto.randomUUID()}${crypto.randomUUID()}`;
    const server = new WriterServer({
      secret,
      parts: this.options.parts,
      serve: (id, name, given) => this.serve(id, name, given),
      settled: () => this.database.settled(),
      onAsk: this.options.onAsk,
      onDidChangeWindow: (window, isThere) => this.windows.change(window, isThere),
    });
    const listener = await channels.listen(storage.folder, server.accept);
    this.serving = { server, listener, secret };
    await this.publish(this.serving);
    if (before?.host === platform.owner.host) await channels.discard(before.address);
  }

  private tendTo(work: () => Promise<void>): void {
    this.tending.run(work).catch(this.options.onError);
  }

  private async publishAgain(): Promise<void> {
    if (this.serving) await this.publish(this.serving);
  }

  /** The socket may have been one of the removed files. */
  private async serveAgain(): Promise<void> {
    await this.stopServing();
    if (this.database.isWriter && !this.isClosed) await this.startServing();
  }

  /** Publishes where this process can be reached. */
  private async publish({ listener: { address }, secret }: Serving): Promise<void> {
    const { storage, platform } = this.options;
    await writeContact(storage, { host: platform.owner.host, address, secret });
  }

  private async stopServing(): Promise<void> {
    const { serving } = this;
    if (!serving) return;
    this.serving = undefined;
    const { storage } = this.options;
    try {
      await serving.listener.close();
    } finally {
      await serving.server.stop();
    }
    const isOurs = (await readContact(storage))?.address === serving.listener.address;
    if (isOurs) await storage.files.remove(storage.channel);
  }

  private async connect(): Promise<void> {
    const { storage, channels, platform, window, role = 'window', parts } = this.options;
    const contact = await readContact(storage);
    if (this.client?.isOpen) {
      this.lastReached = performance.now();
      if (!contact || contact.address === this.client.contact.address) return;
      // Another process has taken over from a writer that does not know it yet.
      await this.client.close();
    }
    if (contact?.host !== platform.owner.host) return;
    const { database } = this;
    const before = database.point;
    const client = await WriterClient.connect(
      { channels, parts },
      contact,
      { window, role },
      {
        onChanged: (changes, point) => void this.showChanges(changes, point),
        onClose: () => this.disconnected(),
      },
    );
    if (!client?.isOpen) return;
    this.client = client;
    this.lastReached = performance.now();
    database.hearsOfChanges = true;
    await database.look();
    // Nobody will announce what was written until now.
    const { generation, size } = database.point;
    if (generation !== before.generation || size !== before.size) this.options.onChanges([]);
  }

  private async showChanges(changes: readonly StoreChange[], point: JournalPoint): Promise<void> {
    try {
      await this.database.reach(point);
      if (!this.isClosed) this.options.onChanges(changes);
    } catch (error) {
      this.options.onError(error);
    }
  }

  private disconnected(): void {
    if (!this.database.hearsOfChanges) return;
    this.database.hearsOfChanges = false;
    if (this.isClosed) return;
    this.lastReached = performance.now();
    // The previous writer may not have announced its last writes.
    this.options.onChanges([]);
    this.tendSoon();
  }

  private beginWriting(): void {
    this.windows.begin();
    if (!this.options.platform.owner.looked) return;
    const look = async (): Promise<void> => {
      await this.lookForWindows();
      if (!this.isClosed && this.hasDrafts()) this.options.onChanges([]);
    };
    look().catch(this.options.onError);
  }

  private hasDrafts(): boolean {
    return this.database.get('SELECT 1 FROM drafts LIMIT 1') !== undefined;
  }
}
