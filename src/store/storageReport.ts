import type { OwnedBy } from '../engine/ownedBy.ts';
import type { Amount, ChatSize, StorageReport } from '../engine/trash.ts';
import { amountOf, BLOB_GRACE, unusedBlobs } from './blobCollection.ts';
import type { CollectableBlobs } from './blobs.ts';
import type { Reader, SqlRow } from './database.ts';
import { integer, optionalText, text } from './rows.ts';

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
