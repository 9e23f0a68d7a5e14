import type { ArtifactVersion, FileChange, MessageEffects } from './effects.ts';
import type { Event } from '../kit/disposable.ts';
import type {
  BranchData,
  ChatData,
  ChatSummary,
  CheckpointData,
  GraphData,
  LogEvent,
  LogEventKind,
  MessageData,
  SkeletonNode,
  StoreChange,
} from './graph.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { PortableChat } from './portableChat.ts';
import type { OwnedBy } from './ownedBy.ts';
import type { StorageReport, Trash, TrashEntry } from './trash.ts';
import type { UIMessage } from './uiMessage.ts';
import type { UsageNumbers } from './usage.ts';

/**
 * Where conversations are kept. Every method is one transaction: all of it happens or none of it, and what it promises
 * is durable when it resolves. Lists have a total order: time, then insertion.
 */
export interface ContextStore {
  /** True while another process is the writer; known after the first call. */
  readonly isReadOnly: boolean;
  /** Tells of every durable change, whichever engine made it. */
  readonly onDidChange: Event<StoreChange>;

  /** Makes a chat with its first branch `main`. @throws ChatExistsError */
  createChat(chat: NewChat): Promise<ChatData>;
  /**
   * Opens the chat, or makes it with its first branch `main`. Of a title and metadata given for a chat that exists only
   * what it does not have is added. To open a chat is no use of it: it does not come first in the list for that.
   * @throws ChatNotFoundError when it belongs to another user
   */
  upsertChat(chat: NewChat): Promise<ChatData>;
  /** A chat; undefined when there is none (or it is another user's). */
  getChat(chatId: string, options?: OwnedBy): Promise<ChatData | undefined>;
  /**
   * Changes title and metadata; metadata is merged with what is there. A function is given the chat as it is in that
   * moment, and nothing comes between what it reads and what it gives back. It must do nothing else, for it may be called
   * more than once; what it throws is thrown, and nothing is changed.
   * @example
   * ```js
   * await store.upsertChat({ id: 'chat-1', userId: 'me', metadata: { visits: 1 } });
   * const chat = await store.updateChat('chat-1', ({ metadata }) => ({
   *   metadata: { visits: metadata.visits + 1 },
   * }));
   * console.log(chat.metadata.visits); // 2
   * ```
   * @throws ChatNotFoundError
   */
  updateChat(chatId: string, changes: ChatUpdate): Promise<ChatData>;
  /** Adds each number to the one of its name under `usage` in the metadata, group by group. */
  addUsage(chatId: string, usage: UsageNumbers): Promise<ChatData>;
  /**
   * The chats, most recently used first, each with how much it holds and how it ends. Of very many chats, `details: false`
   * reads only the chats themselves.
   * @example
   * ```js
   * const context = new ContextEngine({ store, chatId: 'chat-2', userId: 'you' });
   * await context.set(user('What is a tree?'), assistant('A graph without cycles.')).save();
   * const [chat] = await store.listChats({ userId: 'you', limit: 20 });
   * console.log(chat.messageCount, chat.branchCount, chat.lastMessage.role); // 2 1 assistant
   * console.log(chat.lastMessage.text); // A graph without cycles.
   * ```
   */
  listChats(options: ListChats & { readonly details: false }): Promise<ChatData[]>;
  /** The chats, most recently used first, each with how much it holds and how it ends. */
  listChats(options?: ListChats): Promise<ChatSummary[]>;
  /** Puts the chat and all it holds into the trash; false when there was none (or it is another user's). */
  deleteChat(chatId: string, options?: OwnedBy): Promise<boolean>;

  /** A message of a chat; undefined when there is none. */
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
  /** The messages right after one, oldest first. @throws MessageNotFoundError */
  getChildren(chatId: string, messageId: string): Promise<MessageData[]>;
  /**
   * Where the conversation forks: by those of the messages that have siblings, all of them, themselves included, oldest
   * first. Nodes nobody reads, and what only archived branches lead to, are left out.
   */
  getSiblings(chatId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The first message of a turn: on a path, if the turn is there, else wherever it was first. */
  findInvocation(
    chatId: string,
    invocationId: string,
    options?: { readonly preferPathTo?: string | null },
  ): Promise<MessageData | undefined>;
  /**
   * Appends messages to a branch, or to a new one; without messages, only what is shared is stored. Versions of
   * artifacts are numbered here, as they follow on the path that the messages come to stand on.
   * @throws HeadConflictError
   */
  saveMessages(request: SaveMessages): Promise<SavedMessages>;

  /** The branches of a chat, oldest first; archived ones only when asked for. */
  listBranches(chatId: string, options?: { includeArchived?: boolean }): Promise<BranchData[]>;
  /** The branch of this name, archived ones included. */
  getBranch(chatId: string, name: string): Promise<BranchData | undefined>;
  /** The branch that the chat is on. */
  getActiveBranch(chatId: string): Promise<BranchData | undefined>;
  /** Makes a branch of a name of the caller's. @throws BranchExistsError */
  createBranch(request: CreateBranch): Promise<BranchData>;
  /** Makes a branch named after `from`. */
  addBranch(request: AddBranch): Promise<BranchData>;
  /** Makes a branch the one the chat is on. @throws BranchNotFoundError */
  activateBranch(chatId: string, name: string): Promise<BranchData>;
  /** Gives a branch another name. @throws BranchNotFoundError, BranchExistsError, InvalidNameError */
  renameBranch(chatId: string, name: string, newName: string): Promise<BranchData>;
  /** Hides a branch from lists; nothing of it is lost. @throws ActiveBranchError */
  archiveBranch(chatId: string, name: string): Promise<BranchData>;
  /** Shows an archived branch in lists again. */
  unarchiveBranch(chatId: string, name: string): Promise<BranchData>;
  /**
   * Puts a branch into the trash, with the messages that no other branch and no checkpoint reaches.
   * @throws ActiveBranchError, LastBranchError
   */
  deleteBranch(chatId: string, name: string): Promise<TrashEntry>;

  /** Sets a checkpoint, or moves the one that has this name. */
  setCheckpoint(chatId: string, name: string, messageId: string): Promise<CheckpointData>;
  /** The checkpoint of this name. */
  getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined>;
  /** The checkpoints of a chat, oldest first. */
  listCheckpoints(chatId: string): Promise<CheckpointData[]>;
  /** Gives a checkpoint another name. @throws CheckpointNotFoundError, CheckpointExistsError */
  renameCheckpoint(chatId: string, name: string, newName: string): Promise<CheckpointData>;
  /** Puts a checkpoint into the trash; false when there was none. */
  deleteCheckpoint(chatId: string, name: string): Promise<boolean>;

  /** Chats, branches and checkpoints that were deleted. */
  readonly trash: Trash;
  /** How much room everything takes, and what of it could be freed. */
  storageReport(options?: OwnedBy): Promise<StorageReport>;
  /** A whole chat, to be written to a file; the bytes its artifacts name are in {@link blobs}. */
  exportChat(chatId: string): Promise<PortableChat>;
  /**
   * Puts whole chats in, all of them or none; one whose id is taken gets a new one. What they say is checked.
   * @returns the ids they have now
   * @throws ImportError
   */
  importChats(userId: string, chats: readonly PortableChat[]): Promise<string[]>;

  /** The whole chat as a picture. */
  getGraph(chatId: string): Promise<GraphData>;
  /** Every message without what it says, in the order they were stored; costs nothing for their texts. */
  getSkeleton(chatId: string): Promise<SkeletonNode[]>;
  /**
   * The last message that the paths to two messages have in common; undefined when they begin apart. Costs what lies
   * between, not the whole paths.
   * @throws MessageNotFoundError
   */
  findCommonAncestor(chatId: string, oneId: string, otherId: string): Promise<MessageData | undefined>;
  /** Finds messages by the words of their visible text; any punctuation may stand in the query. Best first. */
  searchMessages(chatId: string, query: string, options?: SearchOptions): Promise<SearchResult[]>;
  /** The same in all chats. */
  searchAllMessages(query: string, options?: SearchAllOptions): Promise<SearchResult[]>;
  /** A branch that leads to a message, or undefined when only a checkpoint does: the active one, else the one made last. */
  findBranchWith(chatId: string, messageId: string): Promise<BranchData | undefined>;
  /**
   * The branch through a message that was used last: the active one, else the one that was last switched to or written
   * on; archived ones after all others. Undefined when only a checkpoint leads there.
   */
  findBranchUsedWith(chatId: string, messageId: string): Promise<BranchData | undefined>;
  /** The log, oldest first; with `limit`, the last of it. */
  listEvents(chatId: string, options?: ListEvents): Promise<LogEvent[]>;
  /**
   * Keeps the title a model gave to what begins with a message, without counting as use of the chat.
   * @returns false when the chat has another title by now than the one it was to replace: then nothing is changed
   */
  saveTitle(title: NewTitle): Promise<boolean>;
  /** Adds an entry of the caller's to the log. */
  logEvent(event: NewLogEvent): Promise<void>;

  /** Keeps what has arrived of a streaming answer; one per branch. */
  saveDraft(draft: NewDraft): Promise<void>;
  /** The drafts of a chat, or of all. */
  listDrafts(chatId?: string): Promise<Draft[]>;
  /** Forgets a draft: its answer was saved, or is not wanted. */
  deleteDraft(chatId: string, branch: string): Promise<void>;

  /** State of all chats: a user's, or everybody's. */
  getSharedState(owner: SharedOwner): Promise<ReadonlyMap<string, JsonValue>>;
  /** A user's artifacts of all chats, by name, oldest version first. */
  getSharedArtifacts(userId: string): Promise<ReadonlyMap<string, readonly ArtifactVersion[]>>;
  /** The files tools changed in this chat, on all its branches, in the order of the messages. */
  listFileChanges(chatId: string): Promise<MessageFiles[]>;
  /** The bytes of artifacts and recorded files. */
  readonly blobs: BlobStore;

  /** Lets pending writes finish and frees everything; a second call does nothing. */
  close(): Promise<void>;
}

/** Bytes, each kept once, found by their SHA-256 in hex. */
export interface BlobStore {
  /** Keeps bytes; returns their SHA-256 in hex. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes of a hash; undefined when they are not kept. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Whether the bytes of a hash are kept. */
  has(hash: string): Promise<boolean>;
  /** In bytes: what all of them take together. */
  usedBytes(): Promise<number>;
}

/** What one message changed in the workspace. */
export interface MessageFiles {
  readonly messageId: string;
  readonly files: readonly FileChange[];
}

/** A chat that is to be made. */
export interface NewChat {
  readonly id: string;
  readonly userId: string;
  readonly title?: string;
  readonly metadata?: JsonObject;
}

/** What is to be different about a chat; what is left out stays. */
export interface ChatChanges {
  readonly title?: string;
  readonly metadata?: JsonObject;
}

/** Changes, or a function that says what they are for the chat as it is then; undefined: none. */
export type ChatUpdate = ChatChanges | ((chat: ChatData) => ChatChanges | undefined);

/** Which chats are listed, and how many. */
export interface ListChats extends OwnedBy {
  /** Only chats whose metadata have these members with these values. */
  readonly metadata?: JsonObject;
  readonly limit?: number;
  readonly offset?: number;
  /** How much each chat holds and how it ends; default yes. */
  readonly details?: boolean;
}

/** A message that is to be stored. */
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

/** Messages that are to be stored, and where. */
export interface SaveMessages {
  readonly chatId: string;
  readonly branch: string;
  /** The head the caller last saw. */
  readonly expectedHead: string | null;
  /** What to do when the branch has another head by now. */
  readonly onHeadConflict: 'error' | 'fork';
  /** Save on a new branch that begins after this message (null: before the first), leaving `branch` as it is. */
  readonly newBranchAt: NewBranchAt | undefined;
  /** Make a branch that had to be made the active one. */
  readonly activate: boolean;
  readonly messages: readonly NewMessage[];
  /** What changes beside the path; left out: nothing. */
  readonly shared?: SharedChanges;
  /** An entry of the caller's for the log, about the first of the messages and their branch. */
  readonly event?: Pick<NewLogEvent, 'kind' | 'details'>;
}

/** Where a new branch begins: after a message, or (null) before the first. */
export interface NewBranchAt {
  readonly messageId: string | null;
  /** How the log says why; default: an edit. */
  readonly why?: 'edit' | 'report' | 'summary' | 'copy';
}

/** Changes of what is not bound to the path: the state of the user and of everybody, and the user's artifacts. */
export interface SharedChanges {
  readonly user: StateChanges;
  readonly app: StateChanges;
  readonly userId: string;
  readonly artifacts: readonly ArtifactVersion[];
}

/** Undefined as a value: the key is removed. */
export type StateChanges = ReadonlyMap<string, JsonValue | undefined>;

/** Messages that were stored. */
export interface SavedMessages {
  /** Where they are now: another branch than the one asked for after an edit or a fork. */
  readonly branch: BranchData;
  readonly messages: readonly MessageData[];
  /** The user's artifacts that were stored beside them, as they are numbered. */
  readonly artifacts: readonly ArtifactVersion[];
}

/** A branch that is to be made under a name of the caller's. */
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

/** A branch that is to be made by going back, restoring, asking aside or trying again. */
export interface AddBranch {
  readonly chatId: string;
  /** The branch it is named after. */
  readonly from: string;
  /** Its head; null for an empty branch. */
  readonly messageId: string | null;
  readonly activate: boolean;
  /** How the log calls it. */
  readonly event: Extract<LogEventKind, 'rewound' | 'restored' | 'btw' | 'branch-created'>;
  readonly details?: JsonObject;
}

/** A title that a model gave. */
export interface NewTitle {
  readonly chatId: string;
  /** The message that what it names begins with. */
  readonly messageId: string;
  readonly title: string;
  /** The title of the chat that it takes the place of; undefined: it names a branch, and the chat keeps its own. */
  readonly replaces?: string | undefined;
  /** What else is known of it. */
  readonly details?: JsonObject;
}

/** An entry for the log. */
export interface NewLogEvent {
  readonly chatId: string;
  readonly kind: LogEventKind;
  readonly branch?: string;
  readonly messageId?: string;
  readonly details?: JsonObject;
}

/** Which entries of the log are listed. */
export interface ListEvents {
  /** The last so many. */
  readonly limit?: number;
  /** Only those of this kind. */
  readonly kind?: LogEventKind;
  /** Only those of these kinds. */
  readonly kinds?: readonly LogEventKind[];
  /** Only those before this one, by its sequence: for reading page after page. */
  readonly before?: number;
}

/** Which messages of a chat are looked through. */
export interface SearchOptions {
  readonly roles?: readonly string[];
  /** Default 50. */
  readonly limit?: number;
  /** What stands before and after each hit of a snippet; default `[` and `]`. */
  readonly marks?: readonly [string, string];
}

/** Which messages of all chats are looked through. */
export interface SearchAllOptions extends SearchOptions, OwnedBy {}

/** A message that was found. */
export interface SearchResult {
  readonly message: MessageData;
  /** Higher is better. */
  readonly rank: number;
  /** The text around the best hits, each hit between marks. */
  readonly snippet: string;
}

/** What has arrived of an answer that is still streaming. */
export interface NewDraft {
  readonly chatId: string;
  readonly branch: string;
  readonly message: UIMessage;
}

/** A draft that was kept: an answer cut off by the end of the process. */
export interface Draft extends NewDraft {
  readonly updatedAt: number;
}

/** Whose state it is. */
export type SharedOwner = { readonly scope: 'user'; readonly userId: string } | { readonly scope: 'app' };
