import type {
  DiscardedBranch,
  EmptiedTrash,
  EmptyTrash,
  ListTrash,
  RestoredEntry,
  Trash,
  TrashEntry,
} from '../engine/trash.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import { Sequencer } from '../kit/sequencer.ts';
import { BLOB_GRACE, collectBlobs, collectNamed } from './blobCollection.ts';
import type { CollectableBlobs } from './blobs.ts';
import type { Database } from './database.ts';
import { listTrash } from './operations/trashOperations.ts';
import type { WriteArguments, WriteName, WriteResults } from './writeTypes.ts';
import { leavingMessages, pieces } from './purge.ts';

/** What the trash needs of its store. */
export interface StoreAccess {
  readonly blobs: CollectableBlobs;
  read(): Promise<Database>;
  write<N extends WriteName>(name: N, given: WriteArguments[N]): Promise<WriteResults[N]>;
}

/** The trash of a store. */
export class StoreTrash implements Trash {
  private readonly emptying = new Sequencer();

  constructor(private readonly store: StoreAccess) {}

  async list(options: ListTrash = {}): Promise<TrashEntry[]> {
    return listTrash(await this.store.read(), options);
  }

  restore(id: string, by: ViewedBy = {}): Promise<RestoredEntry> {
    return this.store.write('restoreFromTrash', { ...by, id });
  }

  async discardBranch(chatId: string, name: string, by: ViewedBy = {}): Promise<DiscardedBranch> {
    const { messages, named } = await this.store.write('discardBranch', { ...by, chatId, name });
    const reader = await this.store.read();
    return { messages, blobs: await collectNamed(reader, this.store.blobs, named) };
  }

  /** One call after the other: two at once would count the same items. */
  empty(options: EmptyTrash = {}): Promise<EmptiedTrash> {
    return this.emptying.run(() => this.remove(options));
  }

  private async remove(options: EmptyTrash): Promise<EmptiedTrash> {
    const entries = await this.store.write('beginLeaving', options);
    const keys = leavingMessages(await this.store.read());
    for (const piece of pieces(keys)) {
      await this.store.write('removePiece', piece);
      // Lets other tasks run.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await this.store.write('endLeaving', {});
    const reader = await this.store.read();
    const blobs = await collectBlobs(reader, this.store.blobs, options.blobGrace ?? BLOB_GRACE);
    return { entries, messages: keys.length, blobs };
  }
}
