import type { JsonValue } from './json.ts';
import type { OwnedBy, ViewedBy } from './users.ts';

/** How long deleted items can be restored, in milliseconds: 30 days. */
export const TRASH_LIFETIME = 30 * 24 * 60 * 60 * 1_000;

/** Deleted items that can be restored. */
export interface Trash {
  /** The deleted items, newest first. Parts of a deleted chat are restored with it, and are not listed. */
  list(options?: ListTrash): Promise<TrashEntry[]>;
  /**
   * Restores an item as it was; no user is moved to a restored branch. A name or id that is taken since is changed.
   * @throws TrashEntryNotFoundError, TrashConflictError
   */
  restore(id: string, options?: ViewedBy): Promise<RestoredEntry>;
  /**
   * Removes a branch permanently, bypassing the trash: with the messages that nothing else reaches, its drafts, its
   * log entries, and the bytes that only it names. The log keeps one line without any content. Other users on it move
   * to another branch, as when it is deleted.
   * @throws ActiveBranchError when the user is on it; LastBranchError
   */
  discardBranch(chatId: string, name: string, options?: ViewedBy): Promise<DiscardedBranch>;
  /** Removes items permanently, in batches; an interrupted removal is completed. */
  empty(options?: EmptyTrash): Promise<EmptiedTrash>;
}

/** One deleted item. */
export interface TrashEntry {
  readonly id: string;
  readonly kind: 'chat' | 'branch' | 'checkpoint';
  /** The chat it is or was part of. */
  readonly chatId: string;
  readonly chatTitle: string | undefined;
  /** The name of the branch or the checkpoint. */
  readonly name: string | undefined;
  /**
   * What a branch was about, as the data of that message: the first one deleted with it, or the question that this one
   * answers. Undefined if it had no message of its own, and for anything else than a branch.
   */
  readonly subject: JsonValue | undefined;
  /** The number of messages deleted with it: those that nothing else reaches. */
  readonly messageCount: number;
  readonly deletedAt: number;
}

/** Which part of the trash is listed. */
export interface ListTrash extends OwnedBy {
  readonly chatId?: string;
}

/** What was restored, and under which name. */
export interface RestoredEntry {
  readonly kind: TrashEntry['kind'];
  readonly chatId: string;
  /** Its current name, if it is a branch or a checkpoint. */
  readonly name: string | undefined;
}

/** Which items of the trash are removed permanently. */
export interface EmptyTrash extends OwnedBy {
  /** Only these entries. */
  readonly ids?: readonly string[];
  /** Only items deleted before this time. */
  readonly deletedBefore?: number;
  /** How long bytes are kept after their last put, in milliseconds: a message may name them yet. Default: a day. */
  readonly blobGrace?: number;
}

/** What was removed permanently. */
export interface EmptiedTrash {
  readonly entries: number;
  readonly messages: number;
  /** Unreferenced bytes, whether or not they were ever in the trash. */
  readonly blobs: Amount;
}

/** What was removed with a discarded branch. */
export interface DiscardedBranch {
  readonly messages: number;
  readonly blobs: Amount;
}

/** A count and a total size. */
export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** What is stored, its size, and what could be freed. Sizes are those of the texts, in bytes. */
export interface StorageReport {
  /** The database, with its indexes; `free` bytes of it are reused by later writes. */
  readonly database: { readonly bytes: number; readonly free: number };
  /** The largest first. */
  readonly chats: readonly ChatSize[];
  readonly trash: Amount & { readonly entries: number };
  readonly blobs: Amount;
  /** The unreferenced part of the blobs. */
  readonly unusedBlobs: Amount;
}

/** The size of one chat. */
export interface ChatSize {
  readonly chatId: string;
  readonly title: string | undefined;
  readonly messages: Amount;
  readonly branches: number;
  readonly archivedBranches: number;
}
