import type { ArtifactVersion, FileChange, MessageEffects } from './effects.ts';
import type { Event } from './event.ts';
import type {
  BranchData,
  ChatData,
  CheckpointData,
  GraphData,
  LogEvent,
  LogEventKind,
  MessageData,
  StoreChange,
} from './graph.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { StorageReport, Trash, TrashEntry } from './trash.ts';
import type { UIMessage } from './uiMessage.ts';

/**
 * Where conversations are kept. Every method is one transaction: all of it happens or none of it, and what it promises
 * is durable when it resolves. Lists have a total order: time, then insertion.
 */
export interface ContextStore {
  /** True while another process is the writer; known after the first call. */
  readonly isReadOnly: boolean;
  /** Tells of every durable change, whichever engine made it. */
  readonly onDidChange: Event<StoreChange>;

  /** @throws ChatExistsError */
  createChat(chat: NewChat): Promise<ChatData>;
  /**
   * Opens the chat, or makes it with its first branch `main`. Metadata given for a chat that exists is merged into it.
   * @throws ChatNotFoundError when it belongs to another user
   */
  upsertChat(chat: NewChat): Promise<ChatData>;
  getChat(chatId: string, options?: OwnedBy): Promise<ChatData | undefined>;
  /** Metadata is merged with what is there. */
  updateChat(chatId: string, changes: ChatChanges): Promise<ChatData>;
  /** Adds each number to the one of its name under `usage` in the metadata. */
  addUsage(chatId: string, usage: Readonly<Record<string, number>>): Promise<ChatData>;
  /** Most recently used first. */
  listChats(options?: ListChats): Promise<ChatData[]>;
  /** Puts the chat and all it holds into the trash; false when there was none (or it is another user's). */
  deleteChat(chatId: string, options?: OwnedBy): Promise<boolean>;

  getMessage(chatId: string, messageId: string): Promise<MessageData | undefined>;
  /** The parents of those messages that exist; null for a root. */
  getParentIds(chatId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** True when some other chat has a message of this id: the difference between "not found" and "not yours". */
  isMessageElsewhere(chatId: string, messageId: string): Promise<boolean>;
  /** The path from the root to a message, root first; with `limit`, only the last of it. */
  getPath(chatId: string, messageId: string, options?: { limit?: number }): Promise<MessageData[]>;
  /**
   * What stands after `ancestorId` on the path to `messageId`, or undefined when it is no ancestor.
   * Costs what lies between, not the whole path.
   */
  getPathAfter(chatId: string, ancestorId: string, messageId: string): Promise<MessageData[] | undefined>;
  /** The first message of a turn. */
  findInvocation(chatId: string, invocationId: string): Promise<MessageData | undefined>;
  /** Appends messages to a branch, or to a new one; without messages, only what is shared is stored. @throws HeadConflictError */
  saveMessages(request: SaveMessages): Promise<SavedMessages>;

  listBranches(chatId: string, options?: { includeArchived?: boolean }): Promise<BranchData[]>;
  getBranch(chatId: string, name: string): Promise<BranchData | undefined>;
  getActiveBranch(chatId: string): Promise<BranchData | undefined>;
  /** Makes a branch of a name of the caller's. @throws BranchExistsError */
  createBranch(request: CreateBranch): Promise<BranchData>;
  /** Makes a branch named after `from`. */
  addBranch(request: AddBranch): Promise<BranchData>;
  activateBranch(chatId: string, name: string): Promise<BranchData>;
  renameBranch(chatId: string, name: string, newName: string): Promise<BranchData>;
  /** Hides a branch from lists; nothing of it is lost. @throws ActiveBranchError */
  archiveBranch(chatId: string, name: string): Promise<BranchData>;
  unarchiveBranch(chatId: string, name: string): Promise<BranchData>;
  /**
   * Puts a branch into the trash, with the messages that no other branch and no checkpoint reaches.
   * @throws ActiveBranchError, LastBranchError
   */
  deleteBranch(chatId: string, name: string): Promise<TrashEntry>;

  /** Sets a checkpoint, or moves the one that has this name. */
  setCheckpoint(chatId: string, name: string, messageId: string): Promise<CheckpointData>;
  getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined>;
  listCheckpoints(chatId: string): Promise<CheckpointData[]>;
  renameCheckpoint(chatId: string, name: string, newName: string): Promise<CheckpointData>;
  /** Puts a checkpoint into the trash; false when there was none. */
  deleteCheckpoint(chatId: string, name: string): Promise<boolean>;

  /** Chats, branches and checkpoints that were deleted. */
  readonly trash: Trash;
  storageReport(options?: OwnedBy): Promise<StorageReport>;

  getGraph(chatId: string): Promise<GraphData>;
  /** Finds messages by the words of their visible text; any punctuation may stand in the query. Best first. */
  searchMessages(chatId: string, query: string, options?: SearchOptions): Promise<SearchResult[]>;
  /** The same in all chats. */
  searchAllMessages(query: string, options?: SearchAllOptions): Promise<SearchResult[]>;
  /** A branch that leads to a message, or undefined when only a checkpoint does: the active one, else the one made last. */
  findBranchWith(chatId: string, messageId: string): Promise<BranchData | undefined>;
  /** The log, oldest first; with `limit`, the last of it. */
  listEvents(chatId: string, options?: { limit?: number; kind?: LogEventKind }): Promise<LogEvent[]>;
  /** Adds an entry of the caller's to the log. */
  logEvent(event: NewLogEvent): Promise<void>;

  /** Keeps what has arrived of a streaming answer; one per branch. */
  saveDraft(draft: NewDraft): Promise<void>;
  listDrafts(chatId?: string): Promise<Draft[]>;
  deleteDraft(chatId: string, branch: string): Promise<void>;

  /** State of all chats: a user's, or everybody's. */
  getSharedState(owner: SharedOwner): Promise<ReadonlyMap<string, JsonValue>>;
  /** A user's artifacts of all chats, by name, oldest version first. */
  getSharedArtifacts(userId: string): Promise<ReadonlyMap<string, readonly ArtifactVersion[]>>;
  /** The files tools changed in this chat, on all its branches, in the order of the messages. */
  listFileChanges(chatId: string): Promise<MessageFiles[]>;
  readonly blobs: BlobStore;

  /** Lets pending writes finish and frees everything; a second call does nothing. */
  close(): Promise<void>;
}

/** Bytes, each kept once, found by their SHA-256 in hex. */
export interface BlobStore {
  put(bytes: Uint8Array): Promise<string>;
  get(hash: string): Promise<Uint8Array | undefined>;
  has(hash: string): Promise<boolean>;
  /** In bytes: what all of them take together. */
  usedBytes(): Promise<number>;
}

/** What one message changed in the workspace. */
export interface MessageFiles {
  readonly messageId: string;
  readonly files: readonly FileChange[];
}

export interface NewChat {
  readonly id: string;
  readonly userId: string;
  readonly title?: string;
  readonly metadata?: JsonObject;
}

export interface OwnedBy {
  /** Only when it belongs to this user. */
  readonly userId?: string;
}

export interface ChatChanges {
  readonly title?: string;
  readonly metadata?: JsonObject;
}

export interface ListChats extends OwnedBy {
  /** Only chats whose metadata have these members with these values. */
  readonly metadata?: JsonObject;
  readonly limit?: number;
  readonly offset?: number;
}

export interface NewMessage {
  readonly id: string;
  readonly name: string;
  readonly type: MessageData['type'];
  readonly data: JsonValue;
  /** Undefined: the turn of the message before it. */
  readonly invocationId: string | undefined;
  readonly replaces: string | undefined;
  readonly effects: MessageEffects | undefined;
}

export interface SaveMessages {
  readonly chatId: string;
  readonly branch: string;
  /** The head the caller last saw. */
  readonly expectedHead: string | null;
  /** What to do when the branch has another head by now. */
  readonly onHeadConflict: 'error' | 'fork';
  /** Save on a new branch that begins after this message (null: before the first), leaving `branch` as it is. */
  readonly newBranchAt: { readonly messageId: string | null } | undefined;
  /** Make a branch that had to be made the active one. */
  readonly activate: boolean;
  readonly messages: readonly NewMessage[];
  readonly shared: SharedChanges;
}

export interface SharedChanges {
  readonly user: StateChanges;
  readonly app: StateChanges;
  readonly userId: string;
  readonly artifacts: readonly ArtifactVersion[];
}

/** Undefined as a value: the key is removed. */
export type StateChanges = ReadonlyMap<string, JsonValue | undefined>;

export interface SavedMessages {
  /** Where they are now: another branch than the one asked for after an edit or a fork. */
  readonly branch: BranchData;
  readonly messages: readonly MessageData[];
}

export interface CreateBranch {
  readonly chatId: string;
  readonly name: string;
  /** Its head; null for an empty branch. */
  readonly headMessageId: string | null;
  /** The branch it is made from, if any. */
  readonly from?: string;
  /** Make it the active one; default no. */
  readonly activate?: boolean;
}

export interface AddBranch {
  readonly chatId: string;
  /** The branch it is named after. */
  readonly from: string;
  /** Its head; null for an empty branch. */
  readonly messageId: string | null;
  readonly activate: boolean;
  /** How the log calls it. */
  readonly event: Extract<LogEventKind, 'rewound' | 'restored' | 'btw'>;
  readonly details?: JsonObject;
}

export interface NewLogEvent {
  readonly chatId: string;
  readonly kind: LogEventKind;
  readonly branch?: string;
  readonly messageId?: string;
  readonly details?: JsonObject;
}

export interface SearchOptions {
  readonly roles?: readonly string[];
  /** Default 50. */
  readonly limit?: number;
  /** What stands before and after each hit of a snippet; default `[` and `]`. */
  readonly marks?: readonly [string, string];
}

export interface SearchAllOptions extends SearchOptions, OwnedBy {}

export interface SearchResult {
  readonly message: MessageData;
  /** Higher is better. */
  readonly rank: number;
  /** The text around the best hits, each hit between marks. */
  readonly snippet: string;
}

export interface NewDraft {
  readonly chatId: string;
  readonly branch: string;
  readonly message: UIMessage;
}

export interface Draft extends NewDraft {
  readonly updatedAt: number;
}

export type SharedOwner = { readonly scope: 'user'; readonly userId: string } | { readonly scope: 'app' };
