import type {
  AnswerData,
  ClaimAnswer,
  FinishAnswer,
  ReadAnswer,
  ReclaimAnswer,
  SaveAnswer,
} from './answerData.ts';
import type { ArtifactVersion } from './effects.ts';
import type { Event } from '../base/disposable.ts';
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
import type { OwnedBy, ViewedBy } from './users.ts';
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

export type * from './answerData.ts';
export type * from './storeTypes.ts';

/**
 * Stores conversations. Every method is one transaction: all of it happens or none of it, and the result is durable
 * when the method resolves. Lists have a total order: time, then insertion.
 *
 * Methods that depend on one user's view of a chat, or are logged as done by a user, take the user's id ({@link
 * ViewedBy}) in the last argument: in the request, or in the options.
 */
export interface ContextStore {
  /** True while nothing can be written; known after the first call. */
  readonly isReadOnly: boolean;
  /** False while another process writes for it; known after the first call. The writer does what must run once. */
  readonly isWriter: boolean;
  /** Fires on every durable change, by any engine. */
  readonly onDidChange: Event<StoreChange>;
  /** Fires once, when `close` is called: calls that its listeners begin at once are the last. */
  readonly onWillClose: Event<undefined>;

  /** Makes a chat with its first branch `main`. @throws ChatExistsError */
  createChat(chat: NewChat): Promise<ChatData>;
  /**
   * Opens the chat, or makes it with its first branch `main`. For an existing chat, only a missing title and missing
   * metadata are added. Opening does not count as use: the chat does not move to the top of the list.
   * @throws ChatNotFoundError when it belongs to another user
   */
  upsertChat(chat: NewChat): Promise<ChatData>;
  /** A chat; undefined when there is none (or it is another user's). */
  getChat(chatId: string, options?: OwnedBy): Promise<ChatData | undefined>;
  /**
   * Changes title and metadata; metadata is merged with the existing metadata. A function is given the current chat,
   * and no other change happens between its call and the update. It must have no side effects, because it may be
   * called more than once; an error it throws is rethrown, and nothing is changed.
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
  /** Adds each number to the one of the same name under `usage` in the metadata, group by group. */
  addUsage(chatId: string, usage: UsageNumbers): Promise<ChatData>;
  /**
   * The chats, most recently used first, each with its counts and last message. For a very large number of chats,
   * `details: false` reads only the chats themselves.
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
  /** The chats, most recently used first, each with its counts and last message. */
  listChats(options?: ListChats): Promise<ChatSummary[]>;
  /** Puts the chat and its content into the trash; false when there was none (or it is another user's). */
  deleteChat(chatId: string, options?: OwnedBy): Promise<boolean>;

  /** A message of a chat; undefined when there is none. */
  getMessage(chatId: string, messageId: string): Promise<MessageData | undefined>;
  /** The parents of those messages that exist; null for a root. */
  getParentIds(chatId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** True when another chat has a message of this id: distinguishes "not found" from "not yours". */
  isMessageElsewhere(chatId: string, messageId: string): Promise<boolean>;
  /** The path from the root to a message, root first; with `limit`, only the end of it. */
  getPath(chatId: string, messageId: string, options?: { limit?: number }): Promise<MessageData[]>;
  /** The messages after `ancestorId` on the path to `messageId`; reads only these. Undefined: it is no ancestor. */
  getPathAfter(chatId: string, ancestorId: string, messageId: string): Promise<MessageData[] | undefined>;
  /** The direct children of a message, oldest first. @throws MessageNotFoundError */
  getChildren(chatId: string, messageId: string): Promise<MessageData[]>;
  /**
   * The forks of a conversation: for each message that has siblings in the same role, all of them including itself,
   * oldest first. Nodes the model never sees, and messages only on archived branches, are left out.
   */
  getSiblings(chatId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The first message of a turn: on a path if the turn is there, otherwise its first occurrence. */
  findInvocation(
    chatId: string,
    invocationId: string,
    options?: { readonly preferPathTo?: string | null },
  ): Promise<MessageData | undefined>;
  /**
   * Appends messages to a branch, or to a new one; without messages, only shared changes are stored. Artifact
   * versions are numbered here, in the order of the path the messages are appended to.
   * @throws HeadConflictError
   */
  saveMessages(request: SaveMessages): Promise<SavedMessages>;

  /** The branches of a chat, in the order they were made in; archived ones only on request. */
  listBranches(chatId: string, options?: ListBranches): Promise<BranchData[]>;
  /** The branch of this name, archived ones included. */
  getBranch(chatId: string, name: string, options?: ViewedBy): Promise<BranchData | undefined>;
  /** The branch that the user is on; a user new to the chat begins on the oldest branch that is not archived. */
  getActiveBranch(chatId: string, options?: ViewedBy): Promise<BranchData | undefined>;
  /** Makes a branch with the given name. @throws BranchExistsError */
  createBranch(request: CreateBranch): Promise<BranchData>;
  /** Makes a branch named after `from`. */
  addBranch(request: AddBranch): Promise<BranchData>;
  /** Makes a branch the user's active one; other users are not affected. @throws BranchNotFoundError */
  activateBranch(chatId: string, name: string, options?: ViewedBy): Promise<BranchData>;
  /** Gives a branch another name. @throws BranchNotFoundError, BranchExistsError, InvalidNameError */
  renameBranch(chatId: string, name: string, newName: string, options?: ViewedBy): Promise<BranchData>;
  /**
   * Hides a branch from lists; nothing of it is lost. Other users on it move to the branch it was made from, or, if
   * that is archived or gone, to the oldest that is not archived.
   * @throws ActiveBranchError when the user is on it
   */
  archiveBranch(chatId: string, name: string, options?: ViewedBy): Promise<BranchData>;
  /** Shows an archived branch in lists again. */
  unarchiveBranch(chatId: string, name: string, options?: ViewedBy): Promise<BranchData>;
  /**
   * Puts a branch into the trash, with the messages that no other branch and no checkpoint reaches. Other users on it
   * move to another branch, as when it is archived.
   * @throws ActiveBranchError when the user is on it; LastBranchError
   */
  deleteBranch(chatId: string, name: string, options?: ViewedBy): Promise<TrashEntry>;

  /** Sets a checkpoint, or moves the one that has this name. */
  setCheckpoint(chatId: string, name: string, messageId: string, options?: ViewedBy): Promise<CheckpointData>;
  /** The checkpoint of this name. */
  getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined>;
  /** The checkpoints of a chat, in the order they were last set in. */
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
  /** The storage used by everything, and how much could be freed. */
  storageReport(options?: OwnedBy): Promise<StorageReport>;
  /**
   * A whole chat, for writing to a file; the bytes its artifacts name are in {@link blobs}. It names no users, and
   * holds only one active branch: that of the exporting user.
   */
  exportChat(chatId: string, options?: ViewedBy): Promise<PortableChat>;
  /**
   * Imports whole chats, all of them or none; a chat whose id is taken gets a new one. The content is validated.
   * @returns their new ids
   * @throws ImportError
   */
  importChats(userId: string, chats: readonly PortableChat[]): Promise<string[]>;
  /**
   * Adds the messages of a later copy to a chat, matched by message id. Existing data does not change: a branch that
   * ends where the copy continued it is extended, everything else is added as new branches, and the user's active
   * branch stays. Messages in the trash, and those after them, are not added.
   * @throws ChatNotFoundError, ImportError
   */
  extendChat(chatId: string, copy: PortableChat, options: { readonly userId: string }): Promise<ExtendedChat>;

  /** The whole chat as a graph. */
  getGraph(chatId: string, options?: ViewedBy): Promise<GraphData>;
  /** Every message without its content, in the order they were stored; does not read their texts. */
  getSkeleton(chatId: string): Promise<SkeletonNode[]>;
  /**
   * The last common message of two paths; undefined without a common root. Reads only the messages in between.
   * @throws MessageNotFoundError
   */
  findCommonAncestor(chatId: string, oneId: string, otherId: string): Promise<MessageData | undefined>;
  /** Finds messages by any words of a question, best first; the query may contain any punctuation. */
  searchMessages(chatId: string, query: string, options?: SearchOptions): Promise<SearchResult[]>;
  /** The same in all chats. */
  searchAllMessages(query: string, options?: SearchAllOptions): Promise<SearchResult[]>;
  /** A branch that leads to a message: the active one, or else the newest; undefined when only a checkpoint does. */
  findBranchWith(chatId: string, messageId: string, options?: ViewedBy): Promise<BranchData | undefined>;
  /**
   * The branch through a message that the user used last: the active one, otherwise the one they last switched to or
   * wrote on; archived ones after all others. Undefined when only a checkpoint leads there.
   */
  findBranchUsedWith(chatId: string, messageId: string, options?: ViewedBy): Promise<BranchData | undefined>;
  /** The log, oldest first; with `limit`, only the end of it. */
  listEvents(chatId: string, options?: ListEvents): Promise<LogEvent[]>;
  /**
   * Stores the title a model gave to a chat or branch that begins with a message; the chat does not count as used.
   * @returns false when the chat no longer has the title to be replaced; in that case nothing is changed
   */
  saveTitle(title: NewTitle): Promise<boolean>;
  /** Adds an entry of the caller to the log. */
  logEvent(event: NewLogEvent): Promise<void>;

  /** Stores the received part of a streaming answer; one per branch and user. */
  saveDraft(draft: NewDraft, options?: SaveDraft): Promise<void>;
  /** The user's drafts in one chat, or in all. */
  listDrafts(chatId?: string, options?: ViewedBy): Promise<Draft[]>;
  /** Removes a draft: its answer was saved, or is not wanted. */
  deleteDraft(chatId: string, branch: string, options?: ViewedBy): Promise<void>;

  /**
   * Begins an answer under an id of its own. Such answers are drafts as well, but apart from those above: a branch may
   * have several, and all users of the chat see them. `ContextEngine.answers` writes them.
   * @throws AnswerRunningError when there is one of this id; MessageExistsError; BranchNotFoundError
   */
  claimAnswer(claim: ClaimAnswer): Promise<void>;
  /**
   * Makes another writer that of an answer, which is running again. Whether the writer before is gone, the caller has
   * seen in {@link AnswerData.status}.
   * @throws AnswerRunningError when another one was faster; AnswerNotFoundError; MessageExistsError when it is finished
   */
  reclaimAnswer(claim: ReclaimAnswer): Promise<void>;
  /**
   * Stores the received part, and how it ended if it did.
   * @returns false when it was canceled
   * @throws AnswerTakenError, AnswerNotFoundError
   */
  saveAnswer(answer: SaveAnswer): Promise<boolean>;
  /**
   * Stores the answer as a message, after the one that it follows, and removes the draft. If its branch has gone on, that
   * is on a new branch, which is not made active.
   * @returns the branch it is on
   * @throws AnswerCancelledError, AnswerTakenError, AnswerNotFoundError, MessageExistsError
   */
  finishAnswer(answer: FinishAnswer): Promise<BranchData>;
  /** Cancels an answer, whatever its writer stores in the same moment; false when it has ended or there is none. */
  cancelAnswer(chatId: string, answerId: string, options?: ViewedBy): Promise<boolean>;
  /** Removes an answer if its last writer is still the one of this claim. */
  discardAnswer(chatId: string, answerId: string, claim: string, options?: ViewedBy): Promise<boolean>;
  /** An answer that is not finished. @throws ChatNotFoundError */
  getAnswer(chatId: string, answerId: string, options?: ReadAnswer): Promise<AnswerData | undefined>;
  /** The answers of a chat that are not finished, of all users, in the order they were begun in. */
  listAnswers(chatId: string): Promise<AnswerData[]>;

  /** State across all chats: a user's, or everybody's. */
  getSharedState(owner: SharedOwner): Promise<ReadonlyMap<string, JsonValue>>;
  /** A user's artifacts across all chats, by name, oldest version first. */
  getSharedArtifacts(userId: string): Promise<ReadonlyMap<string, readonly ArtifactVersion[]>>;
  /** The files tools changed in this chat, on all its branches, in the order of the messages. */
  listFileChanges(chatId: string): Promise<MessageFiles[]>;
  /** The bytes of artifacts and recorded files. */
  readonly blobs: BlobStore;

  /**
   * Makes an empty store in memory, with the settings of this one that concern it, such as where SQLite is. It is the
   * caller's to close.
   * @throws InvalidArgumentError where this one knows none
   */
  createInMemory(): Promise<ContextStore>;
  /**
   * Waits for pending calls, each of which has its result or an error then, and frees all resources; a second call does
   * nothing.
   */
  close(): Promise<void>;
}

/** Bytes, each stored once under their SHA-256 in hex. */
export interface BlobStore {
  /** Stores bytes; returns their SHA-256 in hex. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes of a hash; undefined when they are not stored. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Whether the bytes of a hash are stored. */
  has(hash: string): Promise<boolean>;
  /** The total size of all bytes. */
  usedBytes(): Promise<number>;
}
