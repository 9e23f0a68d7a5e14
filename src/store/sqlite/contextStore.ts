import type { Event } from '../../base/disposable.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
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
import type { PortableChat } from '../../engine/portableChat.ts';
import { storable } from '../../engine/storable.ts';
import type {
  AnswerData,
  BlobStore,
  ChatUpdate,
  ClaimAnswer,
  ContextStore,
  Draft,
  FinishAnswer,
  ListBranches,
  ListChats,
  ListEvents,
  MessageFiles,
  NewChat,
  NewDraft,
  ReadAnswer,
  ReclaimAnswer,
  SaveAnswer,
  SaveDraft,
  SavedMessages,
  SaveMessages,
  SearchAllOptions,
  SearchOptions,
  SearchResult,
  SharedOwner,
} from '../../engine/store.ts';
import type { OwnedBy, ViewedBy } from '../../engine/users.ts';
import type { StorageReport, Trash } from '../../engine/trash.ts';
import type { UsageNumbers } from '../../engine/usage.ts';
import { answerJson, checkedWrite, saveInput } from '../common/answerInputs.ts';
import { checkedChanges, checkedChat, checkedMessages, checkedUsage } from '../common/chatChanges.ts';
import type { MethodName, WriteArguments, WriteResults } from '../common/storeWrites.ts';
import { WritingStore } from '../common/writingStore.ts';
import { requireChatRef } from './chats.ts';
import * as answers from './operations/answerOperations.ts';
import { selectDrafts } from './operations/draftOperations.ts';
import { readGraph, readSkeleton } from './graphPicture.ts';
import { messageJson } from '../common/messageContent.ts';
import * as branches from './operations/branchOperations.ts';
import * as chats from './operations/chatOperations.ts';
import * as checkpoints from './operations/checkpointOperations.ts';
import { listEvents } from './events.ts';
import * as files from './operations/messageOperations.ts';
import * as messages from './operations/messageOperations.ts';
import * as forks from './operations/forkOperations.ts';
import * as portable from './operations/portableOperations.ts';
import { selectSharedArtifacts, selectSharedState } from './shared.ts';
import { readStorageReport, StoreTrash } from './storeTrash.ts';
import type { StoreBacking } from './storeBacking.ts';
import { StoreSession, updateByFunction } from './storeSession.ts';

/** The SQLite store: validates its arguments, then reads, or runs a write of `operations/` in a transaction. */
export class SqlContextStore extends WritingStore implements ContextStore {
  readonly trash: Trash;
  private readonly session: StoreSession;

  constructor(backing: StoreBacking) {
    super();
    this.session = new StoreSession(backing);
    this.trash = new StoreTrash(this.session);
  }

  get onDidChange(): Event<StoreChange> {
    return this.session.onDidChange;
  }

  get onWillClose(): Event<undefined> {
    return this.session.onWillClose;
  }

  get blobs(): BlobStore {
    return this.session.blobs;
  }

  get isReadOnly(): boolean {
    return this.session.isReadOnly;
  }

  get isWriter(): boolean {
    return this.session.isWriter;
  }

  async createChat(chat: NewChat): Promise<ChatData> {
    return this.session.write('createChat', checkedChat(chat));
  }

  async upsertChat(chat: NewChat): Promise<ChatData> {
    const checked = checkedChat(chat);
    const unchanged = chats.openUnchanged(await this.session.read(), checked);
    return unchanged ?? this.session.write('upsertChat', checked);
  }

  async getChat(chatId: string, options: OwnedBy = {}): Promise<ChatData | undefined> {
    return chats.getChat(await this.session.read(), chatId, options);
  }

  async updateChat(chatId: string, changes: ChatUpdate): Promise<ChatData> {
    if (typeof changes === 'function') return updateByFunction(this.session, chatId, changes);
    return this.session.write('updateChat', { chatId, changes: checkedChanges(changes) });
  }

  async addUsage(chatId: string, usage: UsageNumbers): Promise<ChatData> {
    return this.session.write('addUsage', { chatId, usage: checkedUsage(usage) });
  }

  async listChats(options: ListChats & { readonly details: false }): Promise<ChatData[]>;
  async listChats(options?: ListChats): Promise<ChatSummary[]>;
  async listChats(options: ListChats = {}): Promise<ChatData[]> {
    return chats.listChats(await this.session.read(), options);
  }

  async getMessage(chatId: string, messageId: string): Promise<MessageData | undefined> {
    return messages.getMessage(await this.session.read(), chatId, messageId);
  }

  async getParentIds(
    chatId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, string | null>> {
    return messages.getParentIds(await this.session.read(), chatId, messageIds);
  }

  async isMessageElsewhere(chatId: string, messageId: string): Promise<boolean> {
    return messages.isMessageElsewhere(await this.session.read(), chatId, messageId);
  }

  async getPath(chatId: string, messageId: string, options: { limit?: number } = {}): Promise<MessageData[]> {
    return messages.getPath(await this.session.read(), chatId, messageId, options);
  }

  async getPathAfter(
    chatId: string,
    ancestorId: string,
    messageId: string,
  ): Promise<MessageData[] | undefined> {
    return messages.getPathAfter(await this.session.read(), chatId, ancestorId, messageId);
  }

  async getChildren(chatId: string, messageId: string): Promise<MessageData[]> {
    return forks.getChildren(await this.session.read(), chatId, messageId);
  }

  async getSiblings(
    chatId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    return forks.getSiblings(await this.session.read(), chatId, messageIds);
  }

  async findBranchUsedWith(
    chatId: string,
    messageId: string,
    by: ViewedBy = {},
  ): Promise<BranchData | undefined> {
    return forks.findBranchUsedWith(await this.session.read(), chatId, messageId, by);
  }

  async findInvocation(
    chatId: string,
    invocationId: string,
    options: { readonly preferPathTo?: string | null } = {},
  ): Promise<MessageData | undefined> {
    return messages.findInvocation(
      await this.session.read(),
      chatId,
      invocationId,
      options.preferPathTo ?? undefined,
    );
  }

  async saveMessages(request: SaveMessages): Promise<SavedMessages> {
    return this.session.write('saveMessages', checkedMessages(request));
  }

  async listBranches(chatId: string, options: ListBranches = {}): Promise<BranchData[]> {
    return branches.listBranches(await this.session.read(), chatId, options);
  }

  async getBranch(chatId: string, name: string, by: ViewedBy = {}): Promise<BranchData | undefined> {
    return branches.getBranch(await this.session.read(), chatId, name, by);
  }

  async getActiveBranch(chatId: string, by: ViewedBy = {}): Promise<BranchData | undefined> {
    return branches.getActiveBranch(await this.session.read(), chatId, by);
  }

  async exportChat(chatId: string, by: ViewedBy = {}): Promise<PortableChat> {
    return portable.exportChat(await this.session.read(), chatId, by);
  }

  async getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined> {
    return checkpoints.getCheckpoint(await this.session.read(), chatId, name);
  }

  async listCheckpoints(chatId: string): Promise<CheckpointData[]> {
    return checkpoints.listCheckpoints(await this.session.read(), chatId);
  }

  async storageReport(options: OwnedBy = {}): Promise<StorageReport> {
    return readStorageReport(await this.session.read(), this.session.blobs, options);
  }

  async getGraph(chatId: string, by: ViewedBy = {}): Promise<GraphData> {
    const reader = await this.session.read();
    return readGraph(reader, requireChatRef(reader, chatId, by));
  }

  async getSkeleton(chatId: string): Promise<SkeletonNode[]> {
    const reader = await this.session.read();
    return readSkeleton(reader, requireChatRef(reader, chatId));
  }

  async findCommonAncestor(chatId: string, oneId: string, otherId: string): Promise<MessageData | undefined> {
    return messages.findCommonAncestor(await this.session.read(), chatId, oneId, otherId);
  }

  async searchMessages(chatId: string, query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    const { readWanted, searchChat } = await import('./search.ts');
    const wanted = await readWanted(query, options.isTyping);
    const reader = await this.session.read();
    return searchChat(reader, requireChatRef(reader, chatId), wanted, options);
  }

  async searchAllMessages(query: string, options: SearchAllOptions = {}): Promise<SearchResult[]> {
    const { readWanted, searchAll } = await import('./search.ts');
    const wanted = await readWanted(query, options.isTyping);
    return searchAll(await this.session.read(), wanted, options);
  }

  async findBranchWith(
    chatId: string,
    messageId: string,
    by: ViewedBy = {},
  ): Promise<BranchData | undefined> {
    return branches.findBranchWith(await this.session.read(), chatId, messageId, by);
  }

  async listEvents(chatId: string, options: ListEvents = {}): Promise<LogEvent[]> {
    return listEvents(await this.session.read(), chatId, options);
  }

  async listFileChanges(chatId: string): Promise<MessageFiles[]> {
    return files.listFileChanges(await this.session.read(), chatId);
  }

  async saveDraft({ message, ...draft }: NewDraft, { ifShared = false }: SaveDraft = {}): Promise<void> {
    if (ifShared && !(await this.session.isShared())) return;
    const [data] = messageJson({ id: message.id, data: storable(message, 'message'), effects: undefined });
    return this.session.write('saveDraft', { ...draft, data, owner: await this.session.owner() });
  }

  async listDrafts(chatId?: string, by: ViewedBy = {}): Promise<Draft[]> {
    return selectDrafts(await this.session.read(), chatId, by);
  }

  async claimAnswer({ message, ...claim }: ClaimAnswer): Promise<void> {
    const data = answerJson(claim.answerId, message);
    const checked = checkedWrite(claim);
    return this.session.write('claimAnswer', { ...checked, data, owner: await this.session.answerOwner() });
  }

  async reclaimAnswer(claim: ReclaimAnswer): Promise<void> {
    const checked = checkedWrite({ ...claim });
    return this.session.write('reclaimAnswer', { ...checked, owner: await this.session.answerOwner() });
  }

  async saveAnswer(answer: SaveAnswer): Promise<boolean> {
    return this.session.write('saveAnswer', saveInput(answer));
  }

  async finishAnswer({ message, ...answer }: FinishAnswer): Promise<BranchData> {
    const data = storable({ ...message, id: answer.answerId }, 'message');
    return this.session.write('finishAnswer', { ...checkedWrite(answer), data });
  }

  async getAnswer(
    chatId: string,
    answerId: string,
    options: ReadAnswer = {},
  ): Promise<AnswerData | undefined> {
    return answers.getAnswer(await this.session.readAnswers(), chatId, answerId, options);
  }

  async listAnswers(chatId: string): Promise<AnswerData[]> {
    return answers.listAnswers(await this.session.readAnswers(), chatId);
  }

  async getSharedState(owner: SharedOwner): Promise<ReadonlyMap<string, JsonValue>> {
    return selectSharedState(await this.session.read(), owner);
  }

  async getSharedArtifacts(userId: string): Promise<ReadonlyMap<string, readonly ArtifactVersion[]>> {
    return selectSharedArtifacts(await this.session.read(), userId);
  }

  async createInMemory(): Promise<ContextStore> {
    return new SqlContextStore(await this.session.memory());
  }

  close(): Promise<void> {
    return this.session.close();
  }

  protected override perform<N extends MethodName>(
    name: N,
    given: WriteArguments[N],
  ): Promise<WriteResults[N]> {
    return this.session.write(name, given);
  }
}
