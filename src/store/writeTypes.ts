import type { BranchData, ChatData, CheckpointData } from '../engine/graph.ts';
import type { OwnedBy, ViewedBy } from '../engine/users.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import type {
  AddBranch,
  ChatChanges,
  CreateBranch,
  ExtendedChat,
  NewChat,
  NewLogEvent,
  NewTitle,
  SavedMessages,
  SaveMessages,
} from '../engine/store.ts';
import type { EmptyTrash, RestoredEntry, TrashEntry } from '../engine/trash.ts';
import type { UsageNumbers } from '../engine/usage.ts';

/** The version of a chat that a caller's function has read and based its changes on. */
export type SeenChat = Pick<ChatData, 'title' | 'metadata' | 'updatedAt'>;

/** A draft to store. */
export interface DraftToSave extends ViewedBy {
  readonly chatId: string;
  readonly branch: string;
  /** The message as JSON. */
  readonly data: string;
  /** The window that writes the answer; null where there is only one. */
  readonly owner: string | null;
}

/** The messages that one transaction removes, by their keys. */
export interface Piece {
  readonly first: number;
  readonly last: number;
}

interface NamedArguments extends ViewedBy {
  readonly chatId: string;
  readonly name: string;
}

/** The arguments of each write of a store. All of them can be sent to another process, which may be the writer. */
export interface WriteArguments {
  createChat: NewChat;
  upsertChat: NewChat;
  updateChat: { readonly chatId: string; readonly changes: ChatChanges };
  /** Changes a chat if it is still as it was read. */
  updateSeenChat: {
    readonly chatId: string;
    readonly seen: SeenChat;
    readonly changes: ChatChanges;
  };
  addUsage: { readonly chatId: string; readonly usage: UsageNumbers };
  deleteChat: { readonly chatId: string } & OwnedBy;
  saveMessages: SaveMessages;
  createBranch: CreateBranch;
  addBranch: AddBranch;
  activateBranch: NamedArguments;
  renameBranch: NamedArguments & { readonly newName: string };
  archiveBranch: NamedArguments;
  unarchiveBranch: NamedArguments;
  deleteBranch: NamedArguments;
  discardBranch: NamedArguments;
  importChats: { readonly userId: string; readonly chats: readonly PortableChat[] };
  extendChat: { readonly chatId: string; readonly userId: string; readonly chat: PortableChat };
  setCheckpoint: NamedArguments & { readonly messageId: string };
  renameCheckpoint: NamedArguments & { readonly newName: string };
  deleteCheckpoint: NamedArguments;
  saveTitle: NewTitle;
  logEvent: NewLogEvent;
  saveDraft: DraftToSave;
  deleteDraft: { readonly chatId: string; readonly branch: string } & ViewedBy;
  restoreFromTrash: { readonly id: string } & ViewedBy;
  beginLeaving: EmptyTrash;
  removePiece: Piece;
  endLeaving: Readonly<Record<string, never>>;
}

/** What was removed with a permanently removed branch. */
export interface DiscardedMessages {
  readonly messages: number;
  /** The blobs that its messages named, by hash, with the time when the last message that named it was saved. */
  readonly named: ReadonlyMap<string, number>;
}

/** The results of each write. */
export interface WriteResults {
  createChat: ChatData;
  upsertChat: ChatData;
  updateChat: ChatData;
  updateSeenChat: ChatData | undefined;
  addUsage: ChatData;
  deleteChat: boolean;
  saveMessages: SavedMessages;
  createBranch: BranchData;
  addBranch: BranchData;
  activateBranch: BranchData;
  renameBranch: BranchData;
  archiveBranch: BranchData;
  unarchiveBranch: BranchData;
  deleteBranch: TrashEntry;
  discardBranch: DiscardedMessages;
  importChats: string[];
  extendChat: ExtendedChat;
  setCheckpoint: CheckpointData;
  renameCheckpoint: CheckpointData;
  deleteCheckpoint: boolean;
  saveTitle: boolean;
  logEvent: undefined;
  saveDraft: undefined;
  deleteDraft: undefined;
  restoreFromTrash: RestoredEntry;
  beginLeaving: number;
  removePiece: undefined;
  endLeaving: undefined;
}

/** The name of a write. */
export type WriteName = keyof WriteArguments;
