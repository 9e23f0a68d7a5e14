import { ClosedError, ReadOnlyError } from '../../engine/errors.ts';
import type { StoreChange } from '../../engine/graph.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { Emitter } from '../../base/emitter.ts';
import { LiveReader, type Database, type Perform, type Transaction } from '../sqlite/database.ts';
import type { DurableDatabase } from '../durable/durableDatabase.ts';
import { Sharing, type SharingOptions } from './sharing.ts';
import type { StorageAccess } from '../durable/storageErrors.ts';

/** A guest only reads; it asks the user for writes. */
class GuestWriteError extends ReadOnlyError {
  constructor() {
    super(defineMessage('Only a VS Code window writes to these conversations. Ask for it there.'));
  }
}

export type SharedDatabaseOptions = Omit<SharingOptions, 'window' | 'onDidChangeReach' | 'onChanges'>;

/**
 * A durable database that every process can write to: one of them writes for all. Connections and timers alone do not
 * keep a program running; whatever a caller waits for does, until it has settled.
 */
export class SharedDatabase extends LiveReader implements Database {
  /** Also identifies the process, so that others on this machine can check whether it still runs. */
  readonly owner: string;
  private readonly accessChanged = new Emitter<StorageAccess>();
  private readonly refreshed = new Emitter<undefined>();
  private readonly changedElsewhere = new Emitter<StoreChange>();
  private readonly sharing: Sharing;
  private readonly underWay = new Set<Promise<unknown>>();
  private shown: StorageAccess;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly database: DurableDatabase,
    private readonly options: SharedDatabaseOptions,
  ) {
    super();
    const { pid, host } = options.platform.owner;
    this.owner = JSON.stringify([host, pid, crypto.randomUUID()]);
    this.sharing = new Sharing(database, {
      ...options,
      window: this.owner,
      onDidChangeReach: () => this.showAccess(),
      onChanges: (changes) => {
        for (const change of changes) this.changedElsewhere.fire(change);
        if (changes.length === 0) this.refreshed.fire(undefined);
      },
    });
    this.shown = this.access;
    database.onDidRefresh(() => this.refreshed.fire(undefined));
    database.onDidChangeAccess(() => this.showAccess());
  }

  readonly onDidChangeAccess = this.accessChanged.event;
  readonly onDidRefresh = this.refreshed.event;
  readonly onDidChangeElsewhere = this.changedElsewhere.event;

  get access(): StorageAccess {
    const { access } = this.database;
    const isWrittenFor = access.kind === 'other-writer' && this.sharing.isInReach;
    return isWrittenFor ? { kind: 'through-writer' } : access;
  }

  get isReadOnly(): boolean {
    const { kind } = this.access;
    return kind !== 'writer' && kind !== 'through-writer';
  }

  get isWriter(): boolean {
    return this.database.isWriter;
  }

  get isShared(): boolean {
    return this.sharing.isShared;
  }

  readonly isElsewhere = (owner: string): boolean => owner !== this.owner && this.sharing.isElsewhere(owner);

  readonly perform: Perform = async (name, given, now) => {
    if (this.closing) throw new ClosedError('database');
    if (this.options.role === 'guest') throw new GuestWriteError();
    return this.beforeClosing(this.performOpen(name, given, now));
  };

  /** Checks which windows that were writing answers still exist: until then they count as existing. */
  lookForWindows(): Promise<void> {
    return this.hold(this.sharing.lookForWindows());
  }

  /** Asks the user in the writing window, as a guest. @throws NoWindowError, and errors of the question */
  ask(name: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    return this.hold(this.sharing.ask(name, given, signal));
  }

  /** Reads the current contents of the files. */
  look(): Promise<void> {
    return this.hold(this.database.look());
  }

  async beforeClosing<T>(work: Promise<T>): Promise<T> {
    this.underWay.add(work);
    try {
      return await work;
    } finally {
      this.underWay.delete(work);
    }
  }

  /** Anything may have changed: refreshes this window and the others. */
  refresh(): void {
    this.refreshed.fire(undefined);
    this.sharing.announceAnything(this.database.point);
  }

  transaction<T>(work: (transaction: Transaction) => T): Promise<T> {
    return this.database.transaction(work);
  }

  /** Nothing of it runs any more once this has settled. A second call waits for the same. */
  close(): Promise<void> {
    this.closing ??= this.hold(this.end());
    return this.closing;
  }

  protected live(): Database {
    return this.database;
  }

  private async end(): Promise<void> {
    try {
      await this.settled();
      await this.sharing.close();
    } finally {
      // Until here it may have become the writer, which begins work.
      await this.settled();
      await this.database.close();
      for (const emitter of [this.accessChanged, this.refreshed, this.changedElsewhere]) emitter.dispose();
    }
  }

  /** Resolves once nothing is left that closing waits for. */
  private async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  /** Keeps the program running until `work` has settled. */
  private hold<T>(work: Promise<T>): Promise<T> {
    return this.options.parts.timers.untilDone(work);
  }

  private readonly performOpen: Perform = async (name, given, now) => {
    if (this.isWriter) {
      try {
        const { result, point } = await this.database.transact((transaction) =>
          this.options.parts.runWrite(name, transaction, now, given),
        );
        this.sharing.announce(name, given, result.changes, point);
        return result;
      } catch (error) {
        // Another process took over before anything was written.
        if (!this.options.parts.isNotTheWriter(error)) throw error;
      }
    }
    return this.hold(this.sharing.perform(name, given));
  };

  private showAccess(): void {
    const { shown, access } = this;
    this.shown = access;
    if (shown.kind === access.kind) return;
    this.accessChanged.fire(access);
    // Views show whether they can write.
    if (access.kind !== 'writer') this.refreshed.fire(undefined);
  }
}
