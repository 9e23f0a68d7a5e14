import type {
  DiscardedBranch,
  EmptiedTrash,
  EmptyTrash,
  ListTrash,
  RestoredEntry,
  Trash,
  TrashEntry,
  Amount,
  ChatSize,
  StorageReport,
} from '../../engine/trash.ts';
import type { ViewedBy, OwnedBy } from '../../engine/users.ts';
import { Sequencer } from '../../base/sequencer.ts';
import {
  BLOB_GRACE,
  collectBlobs,
  collectNamed,
  amountOf,
  unusedBlobs,
  type CollectableBlobs,
} from './blobCollection.ts';
import type { Database, Reader, SqlRow } from './database.ts';
import { listTrash } from './operations/trashOperations.ts';
import type { WriteArguments, WriteName, WriteResults } from '../common/storeWrites.ts';
import { leavingMessages, pieces } from './purge.ts';
import { integer, optionalText, text } from './rows.ts';

export interface StoreAccess {
  readonly blobs: CollectableBlobs;
  read(): Promise<Database>;
  write<N extends WriteName>(name: N, given: WriteArguments[N]): Promise<WriteResults[N]>;
}

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

const messageSizes = `SELECT c.id, c.title, c.trashedAt IS NOT NULL AS isTrash, count(m.key) AS count,
    coalesce(sum(octet_length(m.data) + coalesce(octet_length(m.effects), 0)), 0) AS bytes,
    (SELECT count(*) FROM branches b WHERE b.chatKey = c.key) AS branches,
    (SELECT count(*) FROM branches b WHERE b.chatKey = c.key AND b.archivedAt IS NOT NULL) AS archived
  FROM chats c LEFT JOIN messages m ON m.chatKey = c.key
  WHERE (?1 IS NULL OR c.userId = ?1) GROUP BY c.key ORDER BY bytes DESC, c.key`;

export async function readStorageReport(
  reader: Reader,
  blobs: CollectableBlobs,
  { userId }: OwnedBy,
): Promise<StorageReport> {
  const rows = reader.all(messageSizes, [userId ?? null]);
  const trashed = rows.filter((row) => integer(row, 'isTrash') === 1);
  const pageSize = pragma(reader, 'page_size');
  return {
    database: {
      bytes: pragma(reader, 'page_count') * pageSize,
      free: pragma(reader, 'freelist_count') * pageSize,
    },
    chats: rows.filter((row) => !trashed.includes(row)).map(chatSize),
    trash: {
      entries: trashed.length,
      count: trashed.reduce((sum, row) => sum + integer(row, 'count'), 0),
      bytes: trashed.reduce((sum, row) => sum + integer(row, 'bytes'), 0),
    },
    blobs: amountOf(await blobs.list()),
    unusedBlobs: amountOf(await unusedBlobs(reader, blobs, BLOB_GRACE)),
  };
}

function chatSize(row: SqlRow): ChatSize {
  return {
    chatId: text(row, 'id'),
    title: optionalText(row, 'title'),
    messages: amount(row),
    branches: integer(row, 'branches'),
    archivedBranches: integer(row, 'archived'),
  };
}

function amount(row: SqlRow): Amount {
  return { count: integer(row, 'count'), bytes: integer(row, 'bytes') };
}

function pragma(reader: Reader, name: 'page_count' | 'page_size' | 'freelist_count'): number {
  const row = reader.get(`PRAGMA ${name}`);
  return row ? integer(row, name) : 0;
}
