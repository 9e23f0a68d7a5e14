import { Emitter } from '../../base/emitter.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { ClosedError } from '../../engine/errors.ts';
import type { StoreChange } from '../../engine/graph.ts';
import type { StoreBacking } from './storeBacking.ts';
import { LiveReader, type Database, type Perform, type Transaction } from './database.ts';
import { runWrite } from './operations/runWrite.ts';

/** Opened by the first store that needs it, closed with the last. Each is notified of the others' changes. */
export class SharedBacking implements StoreBacking {
  readonly changes = new Emitter<StoreChange>();
  private users = 0;
  private opened: Promise<Database> | undefined;
  /** A database that is being closed still has its lock: it is opened again after that. */
  private readonly openings = new Sequencer();

  constructor(private readonly backing: StoreBacking) {}

  get blobs(): StoreBacking['blobs'] {
    return this.backing.blobs;
  }

  get wasm(): StoreBacking['wasm'] {
    return this.backing.wasm;
  }

  get now(): () => number {
    return this.backing.now ?? Date.now;
  }

  /** @returns the database for one store: closing it leaves it open for the others */
  readonly open = async (): Promise<Database> => {
    this.users += 1;
    this.opened ??= this.openings.run(() => this.openDatabase());
    const { opened } = this;
    try {
      return new DatabaseShare(await opened, () => this.leave());
    } catch (error) {
      this.users -= 1;
      // The next call tries again.
      if (this.opened === opened) this.opened = undefined;
      throw error;
    }
  };

  private async openDatabase(): Promise<Database> {
    const database = await this.backing.open();
    database.onDidChangeElsewhere?.((change) => this.changes.fire(change));
    return database;
  }

  private async leave(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    const { opened } = this;
    this.opened = undefined;
    await this.openings.run(async () => (await opened)?.close());
  }
}

class DatabaseShare extends LiveReader implements Database {
  private isLeft = false;

  constructor(
    private readonly database: Database,
    private readonly leave: () => Promise<void>,
  ) {
    super();
  }

  get isReadOnly(): boolean {
    return this.database.isReadOnly;
  }

  get isWriter(): boolean {
    return this.database.isWriter ?? true;
  }

  get owner(): string | undefined {
    return this.database.owner;
  }

  get isShared(): boolean {
    return this.database.isShared ?? false;
  }

  readonly isElsewhere = (owner: string): boolean => this.database.isElsewhere?.(owner) ?? false;

  readonly perform: Perform = async (name, given, now) => {
    const database = this.live();
    return database.perform
      ? database.perform(name, given, now)
      : database.transaction((transaction) => runWrite(name, transaction, now, given));
  };

  async transaction<T>(work: (transaction: Transaction) => T): Promise<T> {
    return this.live().transaction(work);
  }

  async close(): Promise<void> {
    if (this.isLeft) return;
    this.isLeft = true;
    await this.leave();
  }

  protected live(): Database {
    if (this.isLeft) throw new ClosedError('database');
    return this.database;
  }
}
