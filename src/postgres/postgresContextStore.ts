import type { ArtifactVersion } from '../engine/effects.ts';
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
} from '../engine/graph.ts';
import type { JsonValue } from '../engine/json.ts';
import type { OwnedBy, ViewedBy } from '../engine/users.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { checkedId, storable } from '../engine/storable.ts';
import type {
  AddBranch,
  ChatUpdate,
  ContextStore,
  CreateBranch,
  ExtendedChat,
  ListBranches,
  ListChats,
  ListEvents,
  MessageFiles,
  NewChat,
  NewLogEvent,
  NewTitle,
  SavedMessages,
  SaveMessages,
  SearchAllOptions,
  SearchOptions,
  SearchResult,
  SharedOwner,
} from '../engine/store.ts';
import type { StorageReport, TrashEntry } from '../engine/trash.ts';
import type { UsageNumbers } from '../engine/usage.ts';
import type { Event } from '../kit/disposable.ts';
import * as checks from '../storing/checks.ts';
import { PostgresBlobs, MAX_BLOB_BYTES } from './postgresBlobs.ts';
import { BranchReads } from './branchReads.ts';
import { ChatUpdates } from './chatUpdates.ts';
import { readStorageReport, PostgresTrash, trashEntryOf } from './postgresTrash.ts';
import { MessageReads, search } from './messageReads.ts';
import { exportChat, portableRow } from './portableRows.ts';
import { FilePlaces } from './filePlaces.ts';
import { SharedStore, viewer, type PostgresStoreOptions } from './sharedStore.ts';
import { saveMessages } from './saveMessages.ts';
import { branchOf, type BranchRow } from './wire.ts';

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

  constructor(options: PostgresStoreOptions) {
    super(options);
    this.trash = new PostgresTrash(this.access);
    this.blobs = new PostgresBlobs(this.access, options.maxBlobBytes ?? MAX_BLOB_BYTES);
    this.places = new FilePlaces(options.machine);
    this.messages = new MessageReads(this.access, this.places);
    this.branches = new BranchReads(this.access, this.places);
    this.chats = new ChatUpdates(this.access);
  }

  get onDidChange(): Event<StoreChange> {
    return this.onDidChangeAnything;
  }

  createChat(chat: NewChat): Promise<ChatData> {
    return tried(() => this.chats.create(checks.checkedChat(chat)));
  }

  upsertChat(chat: NewChat): Promise<ChatData> {
    return tried(() => this.chats.upsert(checks.checkedChat(chat)));
  }

  getChat(chatId: string, options: OwnedBy = {}): Promise<ChatData | undefined> {
    return this.chats.get(chatId, options);
  }

  updateChat(chatId: string, changes: ChatUpdate): Promise<ChatData> {
    return tried(() =>
      this.chats.update(chatId, typeof changes === 'function' ? changes : checks.checkedChanges(changes)),
    );
  }

  addUsage(chatId: string, usage: UsageNumbers): Promise<ChatData> {
    return this.chats.addUsage(chatId, usage);
  }

  listChats(options: ListChats & { readonly details: false }): Promise<ChatData[]>;
  listChats(options?: ListChats): Promise<ChatSummary[]>;
  listChats(options: ListChats = {}): Promise<ChatData[]> {
    return this.chats.list(options);
  }

  deleteChat(chatId: string, options: OwnedBy = {}): Promise<boolean> {
    return this.access.write('deleteChat', { ...options, chatId });
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
    return saveMessages(this.access, this.messages, this.places, request);
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

  createBranch(request: CreateBranch): Promise<BranchData> {
    const { isProvisional = false, ...rest } = request;
    return this.changeBranch('createBranch', () => ({
      ...rest,
      name: checks.branchName(request.name),
      details: JSON.stringify({
        from: request.from ?? null,
        why: 'asked-for',
        ...provisional(isProvisional),
      }),
    }));
  }

  addBranch({ isProvisional = false, details, ...rest }: AddBranch): Promise<BranchData> {
    return this.changeBranch('addBranch', () => ({
      ...rest,
      details: JSON.stringify({ from: rest.from, ...details, ...provisional(isProvisional) }),
    }));
  }

  activateBranch(chatId: string, name: string, by: ViewedBy = {}): Promise<BranchData> {
    return this.changeBranch('activateBranch', () => ({ ...by, chatId, name }));
  }

  renameBranch(chatId: string, name: string, newName: string, by: ViewedBy = {}): Promise<BranchData> {
    return this.changeBranch('renameBranch', () => ({
      ...by,
      chatId,
      name,
      newName: checks.branchName(newName),
    }));
  }

  archiveBranch(chatId: string, name: string, by: ViewedBy = {}): Promise<BranchData> {
    return this.changeBranch('archiveBranch', () => ({ ...by, chatId, name }));
  }

  unarchiveBranch(chatId: string, name: string, by: ViewedBy = {}): Promise<BranchData> {
    return this.changeBranch('unarchiveBranch', () => ({ ...by, chatId, name }));
  }

  async deleteBranch(chatId: string, name: string, by: ViewedBy = {}): Promise<TrashEntry> {
    return trashEntryOf(await this.access.write('deleteBranch', { ...viewer(by), chatId, name }));
  }

  async setCheckpoint(
    chatId: string,
    name: string,
    messageId: string,
    by: ViewedBy = {},
  ): Promise<CheckpointData> {
    return this.access.write('setCheckpoint', {
      ...viewer(by),
      chatId,
      name: checks.checkpointName(name),
      messageId,
    });
  }

  async getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined> {
    return (await this.branches.checkpoints(chatId, name))[0];
  }

  listCheckpoints(chatId: string): Promise<CheckpointData[]> {
    return this.branches.checkpoints(chatId, null);
  }

  async renameCheckpoint(
    chatId: string,
    name: string,
    newName: string,
    by: ViewedBy = {},
  ): Promise<CheckpointData> {
    return this.access.write('renameCheckpoint', {
      ...viewer(by),
      chatId,
      name,
      newName: checks.checkpointName(newName),
    });
  }

  async deleteCheckpoint(chatId: string, name: string, by: ViewedBy = {}): Promise<boolean> {
    return this.access.write('deleteCheckpoint', { ...viewer(by), chatId, name });
  }

  storageReport(options: OwnedBy = {}): Promise<StorageReport> {
    return readStorageReport(this.access, options);
  }

  exportChat(chatId: string, by: ViewedBy = {}): Promise<PortableChat> {
    return exportChat(this, this.messages, chatId, by);
  }

  async importChats(userId: string, given: readonly PortableChat[]): Promise<string[]> {
    const chats = checks.checkedChats(given).map(portableRow);
    return this.access.write('importChats', { userId: checkedId(userId, 'user id'), chats });
  }

  async extendChat(chatId: string, copy: PortableChat, by: Required<OwnedBy>): Promise<ExtendedChat> {
    const checked = checks.checkedExtension(chatId, copy, by.userId);
    return this.access.write('extendChat', { ...checked, chat: portableRow(checked.chat) });
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

  async saveTitle({ details, ...title }: NewTitle): Promise<boolean> {
    storable(title.title, 'title');
    const text = JSON.stringify({ ...details, title: title.title });
    return this.access.write('saveTitle', { ...title, ...viewer(title), details: text });
  }

  async logEvent({ details, ...event }: NewLogEvent): Promise<void> {
    await this.access.write('logEvent', {
      ...event,
      ...viewer(event),
      details: JSON.stringify(this.places.keptDetails(details ?? {})),
    });
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

  private async changeBranch(name: string, args: () => ViewedBy & object): Promise<BranchData> {
    const given = args();
    return branchOf(await this.access.write<BranchRow>(name, { ...given, ...viewer(given) }));
  }
}

function provisional(isProvisional: boolean): object {
  return isProvisional ? { provisional: true } : {};
}

/** Argument errors reject, as all other errors do. */
async function tried<T>(call: () => Promise<T>): Promise<T> {
  return call();
}
