import { ChatExistsError, ChatNotFoundError } from '../../engine/errors.ts';
import type { ChatData, ChatSummary } from '../../engine/graph.ts';
import type { ChatChanges, ListChats, NewChat, NewTitle } from '../../engine/store.ts';
import type { OwnedBy } from '../../engine/ownedBy.ts';
import type { UsageNumbers } from '../../engine/usage.ts';
import { missingOf, sumUsage } from '../../storing/chatChanges.ts';
import * as branches from '../branches.ts';
import { emptyChat, selectChatDetails } from '../chatDetails.ts';
import * as chats from '../chats.ts';
import type { Reader, Transaction } from '../database.ts';
import { insertEvent } from '../events.ts';
import type { SeenChat } from '../writeTypes.ts';
import { changed, quiet, type Outcome } from './outcome.ts';

export function createChat(transaction: Transaction, now: number, chat: NewChat): Outcome<ChatData> {
  if (chats.findChat(transaction, chat.id)) throw new ChatExistsError(chat.id);
  const stored = startChat(transaction, now, chat);
  return changed(plainChat(stored), { kind: 'chat', chatId: chat.id, change: 'created' });
}

/**
 * The chat, if opening it changes nothing in it.
 * @throws ChatNotFoundError when it belongs to another user
 */
export function openUnchanged(reader: Reader, chat: NewChat): ChatData | undefined {
  const found = chats.findChat(reader, chat.id);
  if (found && found.userId !== chat.userId) throw new ChatNotFoundError(chat.id);
  return found && !missingOf(found, chat) ? plainChat(found) : undefined;
}

export function upsertChat(transaction: Transaction, now: number, chat: NewChat): Outcome<ChatData> {
  const found = chats.findChat(transaction, chat.id);
  if (found && found.userId !== chat.userId) throw new ChatNotFoundError(chat.id);
  // Opening a chat does not count as use.
  const stored = found
    ? chats.changeChat(transaction, found, missingOf(found, chat) ?? {}, found.updatedAt)
    : startChat(transaction, now, chat);
  return changed(plainChat(stored), {
    kind: 'chat',
    chatId: chat.id,
    change: found ? 'updated' : 'created',
  });
}

/** @throws ChatNotFoundError */
export function requireChat(reader: Reader, chatId: string): ChatData {
  return plainChat(chats.requireChat(reader, chatId));
}

export function getChat(reader: Reader, chatId: string, options: OwnedBy): ChatData | undefined {
  const chat = chats.findChat(reader, chatId);
  return chat && isOwned(chat, options) ? plainChat(chat) : undefined;
}

export function updateChat(
  transaction: Transaction,
  now: number,
  chatId: string,
  changes: ChatChanges,
): Outcome<ChatData> {
  const chat = chats.requireChat(transaction, chatId);
  const result = chats.changeChat(transaction, chat, changes, now);
  return changed(plainChat(result), { kind: 'chat', chatId, change: 'updated' });
}

/** @returns undefined when the chat has changed since: nothing is changed in that case */
export function updateSeenChat(
  transaction: Transaction,
  now: number,
  chatId: string,
  seen: SeenChat,
  changes: ChatChanges,
): Outcome<ChatData | undefined> {
  const { title, metadata, updatedAt } = chats.requireChat(transaction, chatId);
  const isAsSeen =
    title === seen.title &&
    updatedAt === seen.updatedAt &&
    JSON.stringify(metadata) === JSON.stringify(seen.metadata);
  return isAsSeen ? updateChat(transaction, now, chatId, changes) : quiet(undefined);
}

export function saveTitle(
  transaction: Transaction,
  now: number,
  { chatId, messageId, title, replaces, details, userId }: NewTitle,
): Outcome<boolean> {
  const chat = chats.requireChat(transaction, chatId, { userId });
  if (replaces !== undefined) {
    if (chat.title !== replaces) return quiet(false);
    chats.retitleChat(transaction, chat.key, title);
  }
  insertEvent(transaction, chat, { kind: 'titled', messageId, details: { ...details, title } }, now);
  return changed(true, { kind: 'chat', chatId, change: 'updated' });
}

export function addUsage(
  transaction: Transaction,
  now: number,
  chatId: string,
  usage: UsageNumbers,
): Outcome<ChatData> {
  const chat = chats.requireChat(transaction, chatId);
  return updateChat(transaction, now, chatId, {
    metadata: { usage: sumUsage(chat.metadata['usage'], usage) },
  });
}

export function listChats(reader: Reader, options: ListChats): (ChatData | ChatSummary)[] {
  const listed = chats.selectChats(reader, options);
  return options.details === false ? listed.map(plainChat) : summaries(reader, listed);
}

function startChat(transaction: Transaction, now: number, chat: NewChat): chats.StoredChat {
  const stored = chats.insertChat(transaction, chat, now);
  const first = branches.insertBranch(transaction, stored, { parent: undefined, headKey: undefined }, now);
  branches.activate(transaction, stored, first);
  insertEvent(transaction, stored, { kind: 'chat-created', branch: first.branch.name }, now);
  return stored;
}

function summaries(reader: Reader, listed: readonly chats.StoredChat[]): ChatSummary[] {
  const details = selectChatDetails(reader, listed);
  return listed.map((chat) => ({ ...plainChat(chat), ...(details.get(chat.key) ?? emptyChat) }));
}

function plainChat({ key: _key, owner: _owner, viewer: _viewer, ...chat }: chats.StoredChat): ChatData {
  return chat;
}

function isOwned(chat: ChatData, { userId }: OwnedBy): boolean {
  return userId === undefined || chat.userId === userId;
}
