import type { OwnedBy } from './ownedBy.ts';
import type { ViewedBy } from './viewedBy.ts';

/** How long what was deleted can be brought back, in milliseconds: 30 days. */
export const TRASH_LIFETIME = 30 * 24 * 60 * 60 * 1_000;

/** What was deleted and can be brought back. */
export interface Trash {
  /** What was deleted last comes first. What belonged to a deleted chat comes back with it, and is not listed. */
  list(options?: ListTrash): Promise<TrashEntry[]>;
  /**
   * Puts something back as it was; nobody is on a branch for that. A name that has been taken since is changed; a chat whose id has been gets a new one.
   * @throws TrashEntryNotFoundError, TrashConflictError
   */
  restore(id: string, options?: ViewedBy): Promise<RestoredEntry>;
  /**
   * Removes a branch for good, without the trash: with the messages that nothing else reaches, its drafts, what the log
   * says of it, and the bytes that only it names. The log keeps one line, without a word of what was said. Other users
   * who are on it come to another, as when it is deleted.
   * @throws ActiveBranchError when the user is on it; LastBranchError
   */
  discardBranch(chatId: string, name: string, options?: ViewedBy): Promise<DiscardedBranch>;
  /** Removes for good, a piece at a time; what was begun and cut off is finished. */
  empty(options?: EmptyTrash): Promise<EmptiedTrash>;
}

/** One thing that was deleted. */
export interface TrashEntry {
  readonly id: string;
  readonly kind: 'chat' | 'branch' | 'checkpoint';
  /** The chat it is or was part of. */
  readonly chatId: string;
  readonly chatTitle: string | undefined;
  /** The name of the branch or the checkpoint. */
  readonly name: string | undefined;
  /** Messages that went with it: those that nothing else reaches. */
  readonly messageCount: number;
  readonly deletedAt: number;
}

/** Which part of the trash is listed. */
export interface ListTrash extends OwnedBy {
  readonly chatId?: string;
}

/** What was brought back, and under which name. */
export interface RestoredEntry {
  readonly kind: TrashEntry['kind'];
  readonly chatId: string;
  /** The name it has now, if it is a branch or a checkpoint. */
  readonly name: string | undefined;
}

/** What of the trash is removed for good. */
export interface EmptyTrash extends OwnedBy {
  /** Only these entries. */
  readonly ids?: readonly string[];
  /** Only what was deleted before this time. */
  readonly deletedBefore?: number;
  /**
   * Bytes are kept this long after they were last put, in milliseconds, because what will name them may not be saved
   * yet. Default: a day.
   */
  readonly blobGrace?: number;
}

/** What was removed for good. */
export interface EmptiedTrash {
  readonly entries: number;
  readonly messages: number;
  /** Bytes that nothing names any more, whether or not the trash ever did. */
  readonly blobs: Amount;
}

/** What went with a branch that was discarded. */
export interface DiscardedBranch {
  readonly messages: number;
  readonly blobs: Amount;
}

/** How many, and how large together. */
export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** What is kept, how large it is, and what could be let go of. Sizes are those of the texts, in bytes. */
export interface StorageReport {
  /** The database, with its indexes; `free` of it is used again by what comes next. */
  readonly database: { readonly bytes: number; readonly free: number };
  /** The largest first. */
  readonly chats: readonly ChatSize[];
  readonly trash: Amount & { readonly entries: number };
  readonly blobs: Amount;
  /** The part of the blobs that nothing names. */
  readonly unusedBlobs: Amount;
}

/** What one chat takes. */
export interface ChatSize {
  readonly chatId: string;
  readonly title: string | undefined;
  readonly messages: Amount;
  readonly branches: number;
  readonly archivedBranches: number;
}
