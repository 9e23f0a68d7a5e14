import type { ArtifactVersion } from '../../engine/effects.ts';
import { InvalidArgumentError } from '../../engine/errors.ts';
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
} from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { OwnedBy, ViewedBy } from '../../engine/users.ts';
import { verbatim } from '../../engine/messageDescriptor.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import type {
  AnswerData,
  ChatUpdate,
  ClaimAnswer,
  ContextStore,
  FinishAnswer,
  ListBranches,
  ListChats,
  ListEvents,
  MessageFiles,
  NewChat,
  ReadAnswer,
  ReclaimAnswer,
  SaveAnswer,
  SavedMessages,
  SaveMessages,
  SearchAllOptions,
  SearchOptions,
  SearchResult,
  SharedOwner,
} from '../../engine/store.ts';
import type { StorageReport } from '../../engine/trash.ts';
import type { UsageNumbers } from '../../engine/usage.ts';
import type { Event } from '../../base/disposable.ts';
import { checkedChanges, checkedChat, checkedMessages, checkedUsage } from '../common/chatChanges.ts';
import { writes, type MethodName, type WriteArguments, type WriteResults } from '../common/storeWrites.ts';
import type { Results } from '../common/writeResults.ts';
import { PostgresBlobs, MAX_BLOB_BYTES } from './postgresBlobs.ts';
import { BranchReads } from './branchReads.ts';
import { ChatUpdates } from './chatUpdates.ts';
import { ServerAnswers } from './serverAnswers.ts';
import { readStorageReport, PostgresTrash, trashEntryOf } from './postgresTrash.ts';
import { MessageReads } from './messageReads.ts';
import { search } from './searchMessages.ts';
import { exportChat, portableRow } from './portableRows.ts';
import { FilePlaces } from './filePlaces.ts';
import { SharedStore, viewer, type PostgresStoreOptions } from './sharedStore.ts';
import { saveMessages } from './saveMessages.ts';
import { branchOf } from './wire.ts';

/**
 * Conversations in a PostgreSQL database, for several users, programs and machines. Each user is a role of the
 * database; a role that owns the tables acts for the users it names.
 * @example
 * const store = new PostgresContextStore({ connectionString: 'postgres://ana@db.example.com/offshoot' });
 */
export class PostgresContextStore extends SharedStore implements ContextStore {
  readonly trash: PostgresTrash;
  readonly blobs: PostgresBlobs;
  private readonly places: FilePlaces;
  private readonly messages: MessageReads;
  private readonly branches: BranchReads;
  private readonly chats: ChatUpdates;
  private readonly answers: ServerAnswers;
  private readonly rows: Rows;
  private readonly inMemory: PostgresStoreOptions['inMemory'];

  constructor(options: PostgresStoreOptions) {
    super(options);
    this.inMemory = options.inMemory;
    this.trash = new PostgresTrash(this.access);
    this.blobs = new PostgresBlobs(this.access, options.maxBlobBytes ?? MAX_BLOB_BYTES);
    this.places = new FilePlaces(options.machine);
    this.messages = new MessageReads(this.access, this.places);
    this.branches = new BranchReads(this.access, this.places);
    this.chats = new ChatUpdates(this.access);
    this.answers = new ServerAnswers(this.access, this.clientId);
    this.rows = rowsOf(this.places);
  }

  get onDidChange(): Event<StoreChange> {
    return this.onDidChangeAnything;
  }

  createChat(chat: NewChat): Promise<ChatData> {
    return tried(() => this.chats.create(checkedChat(chat)));
  }

  upsertChat(chat: NewChat): Promise<ChatData> {
    return tried(() => this.chats.upsert(checkedChat(chat)));
  }

  getChat(chatId: string, options: OwnedBy = {}): Promise<ChatData | undefined> {
    return this.chats.get(chatId, options);
  }

  updateChat(chatId: string, changes: ChatUpdate): Promise<ChatData> {
    return tried(() =>
      this.chats.update(chatId, typeof changes === 'function' ? changes : checkedChanges(changes)),
    );
  }

  addUsage(chatId: string, usage: UsageNumbers): Promise<ChatData> {
    return tried(() => this.chats.addUsage(chatId, checkedUsage(usage)));
  }

  listChats(options: ListChats & { readonly details: false }): Promise<ChatData[]>;
  listChats(options?: ListChats): Promise<ChatSummary[]>;
  listChats(options: ListChats = {}): Promise<ChatData[]> {
    return this.chats.list(options);
  }

  getMessage(chatId: string, messageId: string): Promise<MessageData | undefined> {
    return this.messages.get(chatId, messageId);
  }

  getParentIds(chatId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    return this.messages.parentIds(chatId, messageIds);
  }

  async isMessageElsewhere(chatId: string, messageId: string): Promise<boolean> {
    return (await this.access.value<boolean>('is_message_elsewhere($1, $2)', [chatId, messageId])) ?? false;
  }

  getPath(chatId: string, messageId: string, options: { limit?: number } = {}): Promise<MessageData[]> {
    return this.messages.path(chatId, messageId, options);
  }

  getPathAfter(chatId: string, ancestorId: string, messageId: string): Promise<MessageData[] | undefined> {
    return this.messages.pathAfter(chatId, ancestorId, messageId);
  }

  getChildren(chatId: string, messageId: string): Promise<MessageData[]> {
    return this.messages.children(chatId, messageId);
  }

  getSiblings(
    chatId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.messages.siblings(chatId, messageIds);
  }

  findInvocation(
    chatId: string,
    invocationId: string,
    options: { readonly preferPathTo?: string | null } = {},
  ): Promise<MessageData | undefined> {
    return this.messages.invocation(chatId, invocationId, options.preferPathTo ?? null);
  }

  saveMessages(request: SaveMessages): Promise<SavedMessages> {
    return tried(() => saveMessages(this.access, this.messages, this.places, checkedMessages(request)));
  }

  listBranches(chatId: string, options: ListBranches = {}): Promise<BranchData[]> {
    return tried(() => this.branches.list(chatId, options));
  }

  getBranch(chatId: string, name: string, by: ViewedBy = {}): Promise<BranchData | undefined> {
    return tried(() => this.branches.get(chatId, name, by));
  }

  getActiveBranch(chatId: string, by: ViewedBy = {}): Promise<BranchData | undefined> {
    return tried(() => this.branches.get(chatId, null, by));
  }

  async getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined> {
    return (await this.branches.checkpoints(chatId, name))[0];
  }

  listCheckpoints(chatId: string): Promise<CheckpointData[]> {
    return this.branches.checkpoints(chatId, null);
  }

  storageReport(options: OwnedBy = {}): Promise<StorageReport> {
    return readStorageReport(this.access, options);
  }

  exportChat(chatId: string, by: ViewedBy = {}): Promise<PortableChat> {
    return exportChat(this, this.messages, chatId, by);
  }

  getGraph(chatId: string, by: ViewedBy = {}): Promise<GraphData> {
    return tried(() => this.branches.graph(chatId, by));
  }

  getSkeleton(chatId: string): Promise<SkeletonNode[]> {
    return this.messages.skeleton(chatId);
  }

  findCommonAncestor(chatId: string, oneId: string, otherId: string): Promise<MessageData | undefined> {
    return this.messages.commonAncestor(chatId, oneId, otherId);
  }

  searchMessages(chatId: string, query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    return search(this.access, { chatId }, query, options);
  }

  searchAllMessages(query: string, options: SearchAllOptions = {}): Promise<SearchResult[]> {
    return search(this.access, { userId: options.userId }, query, options);
  }

  findBranchWith(chatId: string, messageId: string, by: ViewedBy = {}): Promise<BranchData | undefined> {
    return tried(() => this.branches.leadingTo(chatId, messageId, by));
  }

  findBranchUsedWith(chatId: string, messageId: string, by: ViewedBy = {}): Promise<BranchData | undefined> {
    return tried(() => this.branches.usedWith(chatId, messageId, by));
  }

  listEvents(chatId: string, options: ListEvents = {}): Promise<LogEvent[]> {
    return this.branches.events(chatId, options);
  }

  async claimAnswer(claim: ClaimAnswer): Promise<void> {
    await this.answers.claim(claim);
  }

  async reclaimAnswer(claim: ReclaimAnswer): Promise<void> {
    await this.answers.reclaim(claim);
  }

  saveAnswer(answer: SaveAnswer): Promise<boolean> {
    return this.answers.save(answer);
  }

  finishAnswer(answer: FinishAnswer): Promise<BranchData> {
    return this.answers.finish(answer);
  }

  getAnswer(chatId: string, answerId: string, options: ReadAnswer = {}): Promise<AnswerData | undefined> {
    return this.answers.get(chatId, answerId, options);
  }

  listAnswers(chatId: string): Promise<AnswerData[]> {
    return this.answers.list(chatId);
  }

  getSharedState(owner: SharedOwner): Promise<ReadonlyMap<string, JsonValue>> {
    return this.branches.sharedState(owner);
  }

  getSharedArtifacts(userId: string): Promise<ReadonlyMap<string, readonly ArtifactVersion[]>> {
    return this.branches.sharedArtifacts(userId);
  }

  /** The files tools changed: for chats of another user or machine, only for display. */
  listFileChanges(chatId: string): Promise<MessageFiles[]> {
    return this.messages.fileChanges(chatId);
  }

  async createInMemory(): Promise<ContextStore> {
    if (this.inMemory) return this.inMemory();
    throw new InvalidArgumentError('store', verbatim('it makes none in memory; give another one'));
  }

  protected override async perform<N extends MethodName>(
    name: N,
    given: WriteArguments[N],
  ): Promise<WriteResults[N]> {
    const row = this.rows[name];
    const args = row ? row(given) : { ...given, ...viewer(given) };
    // As the functions of the server return it, and the table has it.
    const result = await this.access.write<never>(name, args);
    const read: ((row: never) => unknown) | undefined = readers[writes[name].result];
    return read ? (read(result) as WriteResults[N]) : result;
  }
}

/** What the server is sent for a write, where it is not the input itself: JSON of users goes as text. */
type Rows = { readonly [N in MethodName]?: (given: WriteArguments[N]) => object };

function rowsOf(places: FilePlaces): Rows {
  return {
    deleteChat: (given) => given,
    createBranch: ({ isProvisional = false, ...rest }) => ({
      ...rest,
      ...viewer(rest),
      details: JSON.stringify({ from: rest.from ?? null, why: 'asked-for', ...provisional(isProvisional) }),
    }),
    addBranch: ({ isProvisional = false, details, ...rest }) => ({
      ...rest,
      ...viewer(rest),
      details: JSON.stringify({ from: rest.from, ...details, ...provisional(isProvisional) }),
    }),
    importChats: ({ userId, chats }) => ({ userId, chats: chats.map(portableRow) }),
    extendChat: ({ chat, ...rest }) => ({ ...rest, chat: portableRow(chat) }),
    saveTitle: ({ details, ...title }) => ({
      ...title,
      ...viewer(title),
      details: JSON.stringify({ ...details, title: title.title }),
    }),
    logEvent: ({ details, ...event }) => ({
      ...event,
      ...viewer(event),
      details: JSON.stringify(places.keptDetails(details ?? {})),
    }),
  };
}

/** How results are read whose JSON has null where the store has undefined. */
const readers: { readonly [K in keyof Results]?: (row: never) => Results[K] } = {
  branch: branchOf,
  trashEntry: trashEntryOf,
  nothing: () => undefined,
};

function provisional(isProvisional: boolean): object {
  return isProvisional ? { provisional: true } : {};
}

/** Argument errors reject, as all other errors do. */
async function tried<T>(call: () => Promise<T>): Promise<T> {
  return call();
}
