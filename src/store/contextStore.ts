import { Emitter } from '../engine/emitter.ts';
import {
  ActiveBranchError,
  BranchExistsError,
  ChatExistsError,
  ChatNotFoundError,
  CheckpointExistsError,
  ClosedError,
  NotStorableError,
  HeadConflictError,
} from '../engine/errors.ts';
import type { ArtifactVersion } from '../engine/effects.ts';
import type {
  BranchData,
  ChatData,
  CheckpointData,
  GraphData,
  LogEvent,
  MessageData,
  StoreChange,
} from '../engine/graph.ts';
import type { JsonObject, JsonValue } from '../engine/json.ts';
import { checkedId, checkedName, storable } from '../engine/storable.ts';
import type {
  AddBranch,
  BlobStore,
  ChatChanges,
  ContextStore,
  Draft,
  ListChats,
  NewChat,
  NewDraft,
  NewLogEvent,
  OwnedBy,
  SavedMessages,
  SaveMessages,
  SearchOptions,
  SearchResult,
  SharedOwner,
} from '../engine/store.ts';
import * as branches from './branches.ts';
import * as chats from './chats.ts';
import * as checkpoints from './checkpoints.ts';
import type { Database, Transaction } from './database.ts';
import * as drafts from './drafts.ts';
import * as events from './events.ts';
import { readGraph } from './graphPicture.ts';
import * as messages from './messages.ts';
import { isJsonObject } from './rows.ts';
import * as search from './search.ts';
import * as shared from './shared.ts';

/** How a store gets its database: when the first call needs it, and once. */
export interface StoreBacking {
  readonly open: () => Promise<Database>;
  readonly blobs: BlobStore;
  readonly now?: () => number;
}

/** What a transaction gives back: its result, and what to tell once it is durable. */
interface Outcome<T> {
  readonly result: T;
  readonly changes: readonly StoreChange[];
}

/** The store over SQLite, whatever makes the database durable. */
export class SqlContextStore implements ContextStore {
  private readonly changed = new Emitter<StoreChange>();
  private database: Promise<Database> | undefined;
  private opened: Database | undefined;
  private closed = false;

  constructor(private readonly backing: StoreBacking) {}

  readonly onDidChange = this.changed.event;

  get blobs(): BlobStore {
    return this.backing.blobs;
  }

  get isReadOnly(): boolean {
    return this.opened?.isReadOnly ?? false;
  }

  async createChat(chat: NewChat): Promise<ChatData> {
    const checked = checkedChat(chat);
    return this.write((transaction, now) => {
      if (chats.findChat(transaction, checked.id)) throw new ChatExistsError(checked.id);
      const stored = startChat(transaction, checked, now);
      return changed(plainChat(stored), { kind: 'chat', chatId: chat.id, change: 'created' });
    });
  }

  async upsertChat(chat: NewChat): Promise<ChatData> {
    const checked = checkedChat(chat);
    const existing = chats.findChat(await this.read(), checked.id);
    if (existing && existing.userId !== checked.userId) throw new ChatNotFoundError(checked.id);
    if (existing && checked.title === undefined && checked.metadata === undefined) return plainChat(existing);
    return this.write((transaction, now) => {
      const found = chats.findChat(transaction, checked.id);
      if (found && found.userId !== checked.userId) throw new ChatNotFoundError(checked.id);
      const stored = found
        ? chats.changeChat(transaction, found, checked, now)
        : startChat(transaction, checked, now);
      return changed(plainChat(stored), {
        kind: 'chat',
        chatId: checked.id,
        change: found ? 'updated' : 'created',
      });
    });
  }

  async getChat(chatId: string, options: OwnedBy = {}): Promise<ChatData | undefined> {
    const chat = chats.findChat(await this.read(), chatId);
    return chat && isOwned(chat, options) ? plainChat(chat) : undefined;
  }

  async updateChat(chatId: string, changes: ChatChanges): Promise<ChatData> {
    const checked = checkedChanges(changes);
    return this.write((transaction, now) => {
      const chat = chats.requireChat(transaction, chatId);
      const result = chats.changeChat(transaction, chat, checked, now);
      return changed(plainChat(result), { kind: 'chat', chatId, change: 'updated' });
    });
  }

  async addUsage(chatId: string, usage: Readonly<Record<string, number>>): Promise<ChatData> {
    return this.write((transaction, now) => {
      const chat = chats.requireChat(transaction, chatId);
      const metadata = { usage: sum(chat.metadata['usage'], usage) };
      const result = chats.changeChat(transaction, chat, { metadata }, now);
      return changed(plainChat(result), { kind: 'chat', chatId, change: 'updated' });
    });
  }

  async listChats(options: ListChats = {}): Promise<ChatData[]> {
    return chats.selectChats(await this.read(), options).map(plainChat);
  }

  async deleteChat(chatId: string, options: OwnedBy = {}): Promise<boolean> {
    return this.write<boolean>((transaction) => {
      const chat = chats.findChat(transaction, chatId);
      if (!chat || !isOwned(chat, options)) return { result: false, changes: [] };
      chats.removeChat(transaction, chat.key);
      return changed(true, { kind: 'chat', chatId, change: 'deleted' });
    });
  }

  async getMessage(chatId: string, messageId: string): Promise<MessageData | undefined> {
    const reader = await this.read();
    const chat = chats.findChat(reader, chatId);
    if (!chat) return undefined;
    const found = messages.findMessage(reader, chat.key, messageId);
    return found && { ...found.message, chatId };
  }

  async getParentIds(
    chatId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, string | null>> {
    const reader = await this.read();
    const chat = chats.findChat(reader, chatId);
    return chat ? messages.selectParentIds(reader, chat, messageIds) : new Map();
  }

  async isMessageElsewhere(chatId: string, messageId: string): Promise<boolean> {
    const reader = await this.read();
    const sql =
      'SELECT 1 FROM messages m JOIN chats c ON c.key = m.chatKey WHERE m.id = ? AND c.id <> ? LIMIT 1';
    return reader.get(sql, [messageId, chatId]) !== undefined;
  }

  async getPath(chatId: string, messageId: string, options: { limit?: number } = {}): Promise<MessageData[]> {
    const reader = await this.read();
    const chat = chats.requireChat(reader, chatId);
    const head = messages.requireMessage(reader, chat, messageId);
    const above = options.limit === undefined ? 0 : Math.max(0, head.message.depth - options.limit);
    return messages.selectPath(reader, chat, head, above).map(({ message }) => message);
  }

  async getPathAfter(
    chatId: string,
    ancestorId: string,
    messageId: string,
  ): Promise<MessageData[] | undefined> {
    const reader = await this.read();
    const chat = chats.requireChat(reader, chatId);
    const ancestor = messages.requireMessage(reader, chat, ancestorId);
    const head = messages.requireMessage(reader, chat, messageId);
    if (head.key === ancestor.key) return [];
    if (head.message.depth <= ancestor.message.depth) return undefined;
    const path = messages.selectPath(reader, chat, head, ancestor.message.depth);
    return path[0]?.parentKey === ancestor.key ? path.map(({ message }) => message) : undefined;
  }

  async findInvocation(chatId: string, invocationId: string): Promise<MessageData | undefined> {
    const reader = await this.read();
    const chat = chats.requireChat(reader, chatId);
    const found = messages.findInvocationStart(reader, chat, invocationId);
    return found?.message;
  }

  async saveMessages(request: SaveMessages): Promise<SavedMessages> {
    return this.write((transaction, now) => {
      const chat = chats.requireChat(transaction, request.chatId);
      shared.writeShared(transaction, request.shared);
      chats.touchChat(transaction, chat.key, now);
      if (request.messages.length === 0) {
        const { branch } = branches.requireBranch(transaction, chat, request.branch);
        return { result: { branch, messages: [] }, changes: [] };
      }
      const target = branchToSaveOn(transaction, chat, request, now);
      const head = target.branch.branch.headMessageId;
      const parent = head === null ? undefined : messages.requireMessage(transaction, chat, head);
      const saved = messages.insertMessages(transaction, chat, parent, request.messages, now);
      const last = saved.at(-1);
      if (last) branches.moveHead(transaction, target.branch, last.key);
      const { name } = target.branch.branch;
      const messageIds = saved.map(({ message }) => message.id);
      const event = {
        kind: 'messages-saved',
        branch: name,
        messageId: messageIds.at(-1),
        details: { messageIds },
      } as const;
      events.insertEvent(transaction, chat, event, now);
      const { branch } = branches.requireBranch(transaction, chat, name);
      const change: StoreChange = { kind: 'messages', chatId: chat.id, branch: name, messageIds };
      return {
        result: { branch, messages: saved.map(({ message }) => message) },
        changes: [...target.changes, change],
      };
    });
  }

  async listBranches(chatId: string, options: { includeArchived?: boolean } = {}): Promise<BranchData[]> {
    const reader = await this.read();
    const chat = chats.requireChat(reader, chatId);
    return branches
      .selectBranches(reader, chat, options.includeArchived ?? false)
      .map(({ branch }) => branch);
  }

  async getBranch(chatId: string, name: string): Promise<BranchData | undefined> {
    const reader = await this.read();
    return branches.findBranch(reader, chats.requireChat(reader, chatId), name)?.branch;
  }

  async getActiveBranch(chatId: string): Promise<BranchData | undefined> {
    const reader = await this.read();
    return branches.findActiveBranch(reader, chats.requireChat(reader, chatId))?.branch;
  }

  async addBranch(request: AddBranch): Promise<BranchData> {
    return this.write((transaction, now) => {
      const chat = chats.requireChat(transaction, request.chatId);
      const parent = branches.requireBranch(transaction, chat, request.from);
      const head =
        request.messageId === null
          ? undefined
          : messages.requireMessage(transaction, chat, request.messageId);
      const made = branches.insertBranch(transaction, chat, { parent, headKey: head?.key }, now);
      if (request.activate) branches.activate(transaction, chat, made);
      const { name } = made.branch;
      const details = { from: request.from, fromHead: parent.branch.headMessageId, ...request.details };
      events.insertEvent(
        transaction,
        chat,
        { kind: request.event, branch: name, messageId: request.messageId, details },
        now,
      );
      chats.touchChat(transaction, chat.key, now);
      return {
        result: branches.requireBranch(transaction, chat, name).branch,
        changes: branchChanges(chat.id, name, request.activate),
      };
    });
  }

  async activateBranch(chatId: string, name: string): Promise<BranchData> {
    return this.write((transaction, now) => {
      const chat = chats.requireChat(transaction, chatId);
      const branch = branches.requireBranch(transaction, chat, name);
      const before = branches.findActiveBranch(transaction, chat);
      branches.activate(transaction, chat, branch);
      const details = { from: before?.branch.name ?? null };
      events.insertEvent(transaction, chat, { kind: 'switched', branch: name, details }, now);
      return changed(branches.requireBranch(transaction, chat, name).branch, {
        kind: 'branch',
        chatId,
        branch: name,
        change: 'switched',
      });
    });
  }

  async renameBranch(chatId: string, name: string, newName: string): Promise<BranchData> {
    const checked = checkedName(newName, 'branch name');
    return this.changeBranch(chatId, name, 'branch-renamed', (transaction, chat, branch) => {
      if (checked !== name && branches.findBranch(transaction, chat, checked)) {
        throw new BranchExistsError(checked);
      }
      branches.setBranchName(transaction, branch, checked);
      return { name: checked, change: 'renamed', details: { from: name } };
    });
  }

  async archiveBranch(chatId: string, name: string): Promise<BranchData> {
    return this.changeBranch(chatId, name, 'branch-archived', (transaction, _chat, branch, now) => {
      if (branch.branch.isActive) throw new ActiveBranchError(name);
      branches.setArchived(transaction, branch, now);
      return { name, change: 'archived' };
    });
  }

  async unarchiveBranch(chatId: string, name: string): Promise<BranchData> {
    return this.changeBranch(chatId, name, 'branch-unarchived', (transaction, _chat, branch) => {
      branches.setArchived(transaction, branch, null);
      return { name, change: 'unarchived' };
    });
  }

  async setCheckpoint(chatId: string, name: string, messageId: string): Promise<CheckpointData> {
    const checked = checkedName(name, 'checkpoint name');
    return this.write((transaction, now) => {
      const chat = chats.requireChat(transaction, chatId);
      const message = messages.requireMessage(transaction, chat, messageId);
      const before = checkpoints.findCheckpoint(transaction, chat, checked);
      const result = checkpoints.putCheckpoint(transaction, chat, checked, message, now);
      const details = { name: checked, from: before?.checkpoint.messageId ?? null };
      const kind = before ? 'checkpoint-moved' : 'checkpoint-set';
      events.insertEvent(transaction, chat, { kind, messageId, details }, now);
      return changed(result, {
        kind: 'checkpoint',
        chatId,
        checkpoint: checked,
        change: before ? 'moved' : 'set',
      });
    });
  }

  async getCheckpoint(chatId: string, name: string): Promise<CheckpointData | undefined> {
    const reader = await this.read();
    return checkpoints.findCheckpoint(reader, chats.requireChat(reader, chatId), name)?.checkpoint;
  }

  async listCheckpoints(chatId: string): Promise<CheckpointData[]> {
    const reader = await this.read();
    return checkpoints.selectCheckpoints(reader, chats.requireChat(reader, chatId));
  }

  async renameCheckpoint(chatId: string, name: string, newName: string): Promise<CheckpointData> {
    const checked = checkedName(newName, 'checkpoint name');
    return this.write((transaction, now) => {
      const chat = chats.requireChat(transaction, chatId);
      const checkpoint = checkpoints.requireCheckpoint(transaction, chat, name);
      if (checked !== name && checkpoints.findCheckpoint(transaction, chat, checked)) {
        throw new CheckpointExistsError(checked);
      }
      checkpoints.setCheckpointName(transaction, checkpoint, checked);
      const details = { name: checked, from: name };
      events.insertEvent(transaction, chat, { kind: 'checkpoint-renamed', details }, now);
      return changed(checkpoints.requireCheckpoint(transaction, chat, checked).checkpoint, {
        kind: 'checkpoint',
        chatId,
        checkpoint: checked,
        change: 'renamed',
      });
    });
  }

  async deleteCheckpoint(chatId: string, name: string): Promise<boolean> {
    return this.write<boolean>((transaction, now) => {
      const chat = chats.requireChat(transaction, chatId);
      const checkpoint = checkpoints.findCheckpoint(transaction, chat, name);
      if (!checkpoint) return { result: false, changes: [] };
      checkpoints.removeCheckpoint(transaction, checkpoint);
      const { messageId } = checkpoint.checkpoint;
      events.insertEvent(
        transaction,
        chat,
        { kind: 'checkpoint-deleted', messageId, details: { name } },
        now,
      );
      return changed(true, { kind: 'checkpoint', chatId, checkpoint: name, change: 'deleted' });
    });
  }

  async getGraph(chatId: string): Promise<GraphData> {
    const reader = await this.read();
    return readGraph(reader, chats.requireChat(reader, chatId));
  }

  async searchMessages(chatId: string, query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    const reader = await this.read();
    return search.search(reader, chats.requireChat(reader, chatId), query, options);
  }

  async listEvents(chatId: string, options: { limit?: number } = {}): Promise<LogEvent[]> {
    const reader = await this.read();
    return events.selectEvents(reader, chats.requireChat(reader, chatId), options.limit ?? -1);
  }

  async logEvent(event: NewLogEvent): Promise<void> {
    return this.write<undefined>((transaction, now) => {
      const chat = chats.requireChat(transaction, event.chatId);
      events.insertEvent(transaction, chat, event, now);
      return { result: undefined, changes: [] };
    });
  }

  async saveDraft({ chatId, branch, message }: NewDraft): Promise<void> {
    const data = JSON.stringify(storable(message, 'message'));
    return this.write<undefined>((transaction, now) => {
      const stored = branches.requireBranch(transaction, chats.requireChat(transaction, chatId), branch);
      drafts.putDraft(transaction, stored, data, now);
      return { result: undefined, changes: [] };
    });
  }

  async listDrafts(chatId?: string): Promise<Draft[]> {
    return drafts.selectDrafts(await this.read(), chatId);
  }

  async deleteDraft(chatId: string, branch: string): Promise<void> {
    return this.write<undefined>((transaction) => {
      const chat = chats.findChat(transaction, chatId);
      const stored = chat && branches.findBranch(transaction, chat, branch);
      if (stored) drafts.removeDraft(transaction, stored);
      return { result: undefined, changes: [] };
    });
  }

  async getSharedState(owner: SharedOwner): Promise<ReadonlyMap<string, JsonValue>> {
    return shared.selectSharedState(await this.read(), owner);
  }

  async getSharedArtifacts(userId: string): Promise<ReadonlyMap<string, readonly ArtifactVersion[]>> {
    return shared.selectSharedArtifacts(await this.read(), userId);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.changed.dispose();
    const database = await this.database?.catch(() => undefined);
    await database?.close();
  }

  private async changeBranch(
    chatId: string,
    name: string,
    kind: 'branch-renamed' | 'branch-archived' | 'branch-unarchived',
    change: (
      transaction: Transaction,
      chat: chats.StoredChat,
      branch: branches.StoredBranch,
      now: number,
    ) => { name: string; change: 'renamed' | 'archived' | 'unarchived'; details?: { from: string } },
  ): Promise<BranchData> {
    return this.write((transaction, now) => {
      const chat = chats.requireChat(transaction, chatId);
      const branch = branches.requireBranch(transaction, chat, name);
      const done = change(transaction, chat, branch, now);
      events.insertEvent(transaction, chat, { kind, branch: done.name, details: done.details }, now);
      return changed(branches.requireBranch(transaction, chat, done.name).branch, {
        kind: 'branch',
        chatId,
        branch: done.name,
        change: done.change,
      });
    });
  }

  private read(): Promise<Database> {
    if (this.closed) return Promise.reject(new ClosedError('store'));
    this.database ??= this.openDatabase();
    return this.database;
  }

  /** A failed opening is tried again by the next call. */
  private async openDatabase(): Promise<Database> {
    try {
      this.opened = await this.backing.open();
      return this.opened;
    } catch (error) {
      this.database = undefined;
      throw error;
    }
  }

  /** One transaction; its changes are told once it is durable. */
  private async write<T>(work: (transaction: Transaction, now: number) => Outcome<T>): Promise<T> {
    const database = await this.read();
    const now = (this.backing.now ?? Date.now)();
    const { result, changes } = await database.transaction((transaction) => work(transaction, now));
    for (const change of changes) this.changed.fire(change);
    return result;
  }
}

/** The branch that messages go to: the one asked for, or a new one after an edit or when it has moved on. */
function branchToSaveOn(
  transaction: Transaction,
  chat: chats.StoredChat,
  request: SaveMessages,
  now: number,
): { branch: branches.StoredBranch; changes: StoreChange[] } {
  const current = branches.requireBranch(transaction, chat, request.branch);
  const actualHead = current.branch.headMessageId;
  const hasMoved = actualHead !== request.expectedHead;
  const forkAt = request.newBranchAt ?? (hasMoved ? { messageId: request.expectedHead } : undefined);
  if (!forkAt) return { branch: current, changes: [] };
  if (!request.newBranchAt && request.onHeadConflict === 'error') {
    throw new HeadConflictError(request.branch, request.expectedHead, actualHead);
  }
  const start =
    forkAt.messageId === null ? undefined : messages.requireMessage(transaction, chat, forkAt.messageId);
  const made = branches.insertBranch(transaction, chat, { parent: current, headKey: start?.key }, now);
  const { name } = made.branch;
  if (request.activate) branches.activate(transaction, chat, made);
  const why = request.newBranchAt ? 'edit' : 'head-conflict';
  events.insertEvent(
    transaction,
    chat,
    {
      kind: 'branch-created',
      branch: name,
      messageId: forkAt.messageId,
      details: { from: request.branch, why },
    },
    now,
  );
  return { branch: made, changes: branchChanges(chat.id, name, request.activate) };
}

function startChat(transaction: Transaction, chat: NewChat, now: number): chats.StoredChat {
  const stored = chats.insertChat(transaction, chat, now);
  const first = branches.insertBranch(transaction, stored, { parent: undefined, headKey: undefined }, now);
  branches.activate(transaction, stored, first);
  events.insertEvent(transaction, stored, { kind: 'chat-created', branch: first.branch.name }, now);
  return stored;
}

function branchChanges(chatId: string, branch: string, activated: boolean): StoreChange[] {
  const created: StoreChange = { kind: 'branch', chatId, branch, change: 'created' };
  return activated ? [created, { ...created, change: 'switched' }] : [created];
}

function changed<T>(result: T, change: StoreChange): Outcome<T> {
  return { result, changes: [change] };
}

function plainChat({ key: _key, ...chat }: chats.StoredChat): ChatData {
  return chat;
}

function isOwned(chat: ChatData, { userId }: OwnedBy): boolean {
  return userId === undefined || chat.userId === userId;
}

function checkedChat(chat: NewChat): NewChat {
  return {
    id: checkedId(chat.id, 'chat id'),
    userId: checkedId(chat.userId, 'user id'),
    ...checkedChanges(chat),
  };
}

function checkedChanges({ title, metadata }: ChatChanges): ChatChanges {
  if (title !== undefined) storable(title, 'title');
  if (metadata === undefined) return title === undefined ? {} : { title };
  const copy = storable(metadata, 'metadata');
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) {
    throw new NotStorableError('metadata', 'it is not an object');
  }
  // Neither null nor an array: an object.
  return {
    ...(title === undefined ? {} : { title }),
    metadata: copy as NonNullable<ChatChanges['metadata']>,
  };
}

function sum(before: JsonValue | undefined, added: Readonly<Record<string, number>>): JsonObject {
  const known = before !== undefined && isJsonObject(before) ? before : {};
  const total = (name: string, value: number): number => {
    const counted = known[name];
    return (typeof counted === 'number' ? counted : 0) + value;
  };
  return {
    ...known,
    ...Object.fromEntries(Object.entries(added).map(([name, value]) => [name, total(name, value)])),
  };
}
