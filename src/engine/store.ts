import type { ArtifactVersion } from './effects.ts';
import type { Event } from '../kit/disposable.ts';
import type {
  BranchData,
  ChatData,
  ChatSummary,
  CheckpointData,
  GraphData,
  LogEvent,
  MessageData,
  SkeletonNode,
  StoreChange,
} from './graph.ts';
import type { JsonValue } from './json.ts';
import type { PortableChat } from './portableChat.ts';
import type { OwnedBy } from './ownedBy.ts';
import type { ViewedBy } from './viewedBy.ts';
import type {
  AddBranch,
  ChatUpdate,
  CreateBranch,
  Draft,
  ExtendedChat,
  ListBranches,
  ListChats,
  ListEvents,
  MessageFiles,
  NewChat,
  NewDraft,
  NewLogEvent,
  NewTitle,
  SaveMessages,
  SaveDraft,
  SavedMessages,
  SearchAllOptions,
  SearchOptions,
  SearchResult,
  SharedOwner,
} from './storeTypes.ts';
import type { StorageReport, Trash, TrashEntry } from './trash.ts';
import type { UsageNumbers } from './usage.ts';

export type * from './storeTypes.ts';

/**
 * Where conversations are kept. Every method is one transaction: all of it happens or none of it, and what it promises
 * is durable when it resolves. Lists have a total order: time, then insertion.
 *
 * What concerns one user's view of a chat, or is logged as done by a user, takes the user's id ({@link ViewedBy}) in its
 * last argument: in the request, or in the options.
 */
export interface ContextStore {
  /** True while nothing can be written; known after the first call. */
  readonly isReadOnly: boolean;
  /**
   * False while another process does the writing, for this one too; known after the first call. What is to be done once
   * for all processes is done by the one that writes.
   */
  readonly isWriter: boolean;
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
   * Where the conversation forks: by those of the messages that have siblings in the same role, all of them, themselves
   * included, oldest first. Nodes nobody reads, and what only archived branches lead to, are left out.
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
  listBranches(chatId: string, options?: ListBranches): Promise<BranchData[]>;
  /** The branch of this name, archived ones included. */
  getBranch(chatId: string, name: string, options?: ViewedBy): Promise<BranchData | undefined>;
  /** The branch that the user is on; one who has never been in the chat begins on the oldest that is not archived. */
  getActiveBranch(chatId: string, options?: ViewedBy): Promise<BranchData | undefined>;
  /** Makes a branch of a name of the caller's. @throws BranchExistsError */
  createBranch(request: CreateBranch): Promise<BranchData>;
  /** Makes a branch named after `from`. */
  addBranch(request: AddBranch): Promise<BranchData>;
  /** Makes a branch the one the user is on; where others are stays as it is. @throws BranchNotFoundError */
  activateBranch(chatId: string, name: string, options?: ViewedBy): Promise<BranchData>;
  /** Gives a branch another name. @throws BranchNotFoundError, BranchExistsError, InvalidNameError */
  renameBranch(chatId: string, name: string, newName: string, options?: ViewedBy): Promise<BranchData>;
  /**
   * Hides a branch from lists; nothing of it is lost. Other users who are on it come to the branch it was made from, or,
   * where that is archived or gone, to the oldest that is not archived.
   * @throws ActiveBranchError when the user is on it
   */
  archiveBranch(chatId: string, name: string, options?: ViewedBy): Promise<BranchData>;
  /** Shows an archived branch in lists again. */
  unarchiveBranch(chatId: string, name: string, options?: ViewedBy): Promise<BranchData>;
  /**
   * Puts a branch into the trash, with the messages that no other branch and no checkpoint reaches. Other users who are
   * on it come to another, as when it is archived.
   * @throws ActiveBranchError when the user is on it; LastBranchError
   */
  deleteBranch(chatId: string, name: string, options?: ViewedBy): Promise<TrashEntry>;

  /** Sets a checkpoint, or moves the one that has this name. */
  setCheckpoint(chatId: string, name: string, messageId: string, options?: ViewedBy): Promise<CheckpointData>;
  /** The checkpoint of this name. */
  getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined>;
  /** The checkpoints of a chat, oldest first. */
  listCheckpoints(chatId: string): Promise<CheckpointData[]>;
  /** Gives a checkpoint another name. @throws CheckpointNotFoundError, CheckpointExistsError */
  renameCheckpoint(
    chatId: string,
    name: string,
    newName: string,
    options?: ViewedBy,
  ): Promise<CheckpointData>;
  /** Puts a checkpoint into the trash; false when there was none. */
  deleteCheckpoint(chatId: string, name: string, options?: ViewedBy): Promise<boolean>;

  /** Chats, branches and checkpoints that were deleted. */
  readonly trash: Trash;
  /** How much room everything takes, and what of it could be freed. */
  storageReport(options?: OwnedBy): Promise<StorageReport>;
  /**
   * A whole chat, to be written to a file; the bytes its artifacts name are in {@link blobs}. It names no users, and of
   * their active branches holds one: that of the user who takes it out.
   */
  exportChat(chatId: string, options?: ViewedBy): Promise<PortableChat>;
  /**
   * Puts whole chats in, all of them or none; one whose id is taken gets a new one. What they say is checked.
   * @returns the ids they have now
   * @throws ImportError
   */
  importChats(userId: string, chats: readonly PortableChat[]): Promise<string[]>;
  /**
   * Adds to a chat what a later copy of it has, by the ids of messages. Nothing that is there changes: a branch that
   * still ends where the copy's went on goes forward, all else comes as new branches, and where the user is stays.
   * Messages that are in the trash, and what follows them, stay away.
   * @throws ChatNotFoundError, ImportError
   */
  extendChat(chatId: string, copy: PortableChat, options: { readonly userId: string }): Promise<ExtendedChat>;

  /** The whole chat as a picture. */
  getGraph(chatId: string, options?: ViewedBy): Promise<GraphData>;
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
  findBranchWith(chatId: string, messageId: string, options?: ViewedBy): Promise<BranchData | undefined>;
  /**
   * The branch through a message that the user used last: the active one, else the one they last switched to or wrote on;
   * archived ones after all others. Undefined when only a checkpoint leads there.
   */
  findBranchUsedWith(chatId: string, messageId: string, options?: ViewedBy): Promise<BranchData | undefined>;
  /** The log, oldest first; with `limit`, the last of it. */
  listEvents(chatId: string, options?: ListEvents): Promise<LogEvent[]>;
  /**
   * Keeps the title a model gave to what begins with a message, without counting as use of the chat.
   * @returns false when the chat has another title by now than the one it was to replace: then nothing is changed
   */
  saveTitle(title: NewTitle): Promise<boolean>;
  /** Adds an entry of the caller's to the log. */
  logEvent(event: NewLogEvent): Promise<void>;

  /** Keeps what has arrived of a streaming answer; one per branch and user. */
  saveDraft(draft: NewDraft, options?: SaveDraft): Promise<void>;
  /** The user's drafts in a chat, or in all. */
  listDrafts(chatId?: string, options?: ViewedBy): Promise<Draft[]>;
  /** Forgets a draft: its answer was saved, or is not wanted. */
  deleteDraft(chatId: string, branch: string, options?: ViewedBy): Promise<void>;

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
