import type { OwnedBy } from '../engine/ownedBy.ts';
import type { ChatSize, StorageReport } from '../engine/trash.ts';
import type { StoreAccess } from './storeAccess.ts';
import { BLOB_GRACE } from './postgresTrash.ts';

type ReportRow = Omit<StorageReport, 'chats'> & {
  readonly chats: readonly (Omit<ChatSize, 'title'> & { readonly title: string | null })[];
};

/** The storage used by everything. */
export async function readStorageReport(store: StoreAccess, { userId }: OwnedBy): Promise<StorageReport> {
  const row = await store.value<ReportRow>('storage_report($1, $2)', [userId ?? null, BLOB_GRACE]);
  const empty = { count: 0, bytes: 0 };
  if (!row)
    return {
      database: { bytes: 0, free: 0 },
      chats: [],
      trash: { ...empty, entries: 0 },
      blobs: empty,
      unusedBlobs: empty,
    };
  return { ...row, chats: row.chats.map((chat) => ({ ...chat, title: chat.title ?? undefined })) };
}
