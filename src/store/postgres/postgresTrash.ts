import type {
  Amount,
  DiscardedBranch,
  EmptiedTrash,
  EmptyTrash,
  ListTrash,
  RestoredEntry,
  Trash,
  TrashEntry,
  ChatSize,
  StorageReport,
} from '../../engine/trash.ts';
import type { ViewedBy, OwnedBy } from '../../engine/users.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { StoreAccess } from './storeAccess.ts';
import { parsed } from './wire.ts';

/** Bytes are stored before the message that names them; the maximum time between the two, in milliseconds. */
export const BLOB_GRACE = 24 * 60 * 60 * 1_000;
/** How many messages are removed at once. */
const PIECE = 1_000;

type TrashRow = Omit<TrashEntry, 'chatTitle' | 'name' | 'subject'> & {
  readonly chatTitle: string | null;
  readonly name: string | null;
  readonly subject: string | null;
};

export function trashEntryOf({ chatTitle, name, subject, ...entry }: TrashRow): TrashEntry {
  return {
    ...entry,
    chatTitle: chatTitle ?? undefined,
    name: name ?? undefined,
    subject: subject === null ? undefined : parsed(subject),
  };
}

export class PostgresTrash implements Trash {
  private readonly emptying = new Sequencer();

  constructor(private readonly store: StoreAccess) {}

  async list({ userId, chatId }: ListTrash = {}): Promise<TrashEntry[]> {
    const rows = await this.store.value<TrashRow[]>('list_trash($1, $2)', [userId ?? null, chatId ?? null]);
    return (rows ?? []).map(trashEntryOf);
  }

  async restore(id: string, by: ViewedBy = {}): Promise<RestoredEntry> {
    const restored = await this.store.write<RestoredEntry>('restoreFromTrash', { ...by, id });
    return { kind: restored.kind, chatId: restored.chatId, name: restored.name };
  }

  discardBranch(chatId: string, name: string, by: ViewedBy = {}): Promise<DiscardedBranch> {
    return this.store.write('discardBranch', { ...by, chatId, name });
  }

  /** One call after the other: two at once would count the same items. */
  empty(options: EmptyTrash = {}): Promise<EmptiedTrash> {
    return this.emptying.run(() => this.remove(options));
  }

  private async remove({ blobGrace = BLOB_GRACE, ...options }: EmptyTrash): Promise<EmptiedTrash> {
    const entries = await this.store.write<number>('beginLeaving', { ...options, askedAt: Date.now() });
    let messages = 0;
    for (let removed = PIECE; removed === PIECE; messages += removed) {
      removed = (await this.store.value<number>('remove_leaving($1)', [PIECE])) ?? 0;
    }
    await this.store.value('finish_leaving()');
    const blobs = await this.store.value<Amount>('collect_unused_blobs($1)', [blobGrace]);
    return { entries, messages, blobs: blobs ?? { count: 0, bytes: 0 } };
  }
}

type ReportRow = Omit<StorageReport, 'chats'> & {
  readonly chats: readonly (Omit<ChatSize, 'title'> & { readonly title: string | null })[];
};

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
