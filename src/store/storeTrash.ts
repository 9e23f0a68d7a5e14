import type {
  EmptiedTrash,
  EmptyTrash,
  ListTrash,
  RestoredEntry,
  Trash,
  TrashEntry,
} from '../engine/trash.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { Sequencer } from '../kit/sequencer.ts';
import { BLOB_GRACE, collectBlobs } from './blobCollection.ts';
import type { CollectableBlobs } from './blobs.ts';
import type { Database, Transaction } from './database.ts';
import { quiet, type Outcome } from './operations/outcome.ts';
import { listTrash, restoreFromTrash } from './operations/trashOperations.ts';
import { beginLeaving, endLeaving, leavingMessages, pieces, removePiece } from './purge.ts';

/** What the trash needs of its store. */
export interface StoreAccess {
  readonly blobs: CollectableBlobs;
  read(): Promise<Database>;
  write<T>(work: (transaction: Transaction, now: number) => Outcome<T>): Promise<T>;
}

/** The trash of a store. */
export class StoreTrash implements Trash {
  private readonly emptying = new Sequencer();

  constructor(private readonly store: StoreAccess) {}

  async list(options: ListTrash = {}): Promise<TrashEntry[]> {
    return listTrash(await this.store.read(), options);
  }

  restore(id: string, by: ViewedBy = {}): Promise<RestoredEntry> {
    return this.store.write((transaction, now) => restoreFromTrash(transaction, now, id, by));
  }

  /** One after the other: two at once would count the same things. */
  empty(options: EmptyTrash = {}): Promise<EmptiedTrash> {
    return this.emptying.run(() => this.remove(options));
  }

  private async remove(options: EmptyTrash): Promise<EmptiedTrash> {
    const entries = await this.store.write((transaction) => quiet(beginLeaving(transaction, options)));
    const keys = leavingMessages(await this.store.read());
    for (const piece of pieces(keys)) {
      await this.store.write((transaction) => {
        removePiece(transaction, piece);
        return quiet(undefined);
      });
      // Whatever else wants to happen may.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await this.store.write((transaction) => {
      endLeaving(transaction);
      return quiet(undefined);
    });
    const reader = await this.store.read();
    const blobs = await collectBlobs(reader, this.store.blobs, options.blobGrace ?? BLOB_GRACE);
    return { entries, messages: keys.length, blobs };
  }
}
