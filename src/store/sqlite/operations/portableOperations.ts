import type { StoreChange } from '../../../engine/graph.ts';
import type { PortableChat } from '../../../engine/portableChat.ts';
import type { ViewedBy } from '../../../engine/users.ts';
import { withoutUndefined, withId } from '../../common/chatChanges.ts';
import { activate, selectBranches } from '../branches.ts';
import * as chats from '../chats.ts';
import { nextKey } from '../chats.ts';
import { selectCheckpoints } from '../checkpoints.ts';
import { bodies, type Reader, type Transaction } from '../database.ts';
import { selectEvents } from '../events.ts';
import { asStoredMessage, messageColumns, indexMessages } from '../messages.ts';
import { messageJson } from '../../common/messageContent.ts';

const allMessages = `SELECT ${messageColumns} FROM messages m
  WHERE m.chatKey = ? ORDER BY m.key`;
const insertBranch = `INSERT INTO branches (key, id, chatKey, name, headKey, forkKey, isActive, createdAt, archivedAt)
  VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)`;
const nameParent = `UPDATE branches SET parentKey = (SELECT key FROM branches WHERE chatKey = ?1 AND name = ?3)
  WHERE chatKey = ?1 AND name = ?2`;
const insertCheckpoint =
  'INSERT INTO checkpoints (key, id, chatKey, name, messageKey, createdAt) VALUES (?, ?, ?, ?, ?, ?)';
const insertEvent = `INSERT INTO events (sequence, chatKey, userId, kind, branch, messageId, details, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export function exportChat(reader: Reader, chatId: string, by: ViewedBy): PortableChat {
  const stored = chats.requireChat(reader, chatId, by);
  const { key, id, title, metadata, createdAt, updatedAt } = stored;
  return {
    id,
    ...(title === undefined ? {} : { title }),
    metadata,
    createdAt,
    updatedAt,
    messages: reader.map(allMessages, [key], (row) => {
      const { chatId: _, depth: __, replaces, effects, ...message } = asStoredMessage(row, id).message;
      return withoutUndefined({ ...message, replaces, effects }) as PortableChat['messages'][number];
    }),
    branches: selectBranches(reader, stored, true).map(({ branch }) => {
      const { id: _, chatId: __, messageCount: ___, ...rest } = branch;
      return withoutUndefined(rest) as PortableChat['branches'][number];
    }),
    checkpoints: selectCheckpoints(reader, stored).map(({ name, messageId, createdAt: at }) => ({
      name,
      messageId,
      createdAt: at,
    })),
    events: selectEvents(reader, stored, {}).map(
      // Users of one store do not exist in another.
      ({ chatId: _, sequence: __, userId: ___, ...event }) =>
        withoutUndefined(event) as PortableChat['events'][number],
    ),
  };
}

export const portableWrites = bodies({
  /** Imports whole chats: all of them or, if one cannot be imported, none. A chat whose id is taken gets a new one. */
  importChats(transaction, _now, { userId, chats: given }) {
    const ids = given.map((chat) => importChat(transaction, userId, chat));
    const changes = ids.map((chatId): StoreChange => ({ kind: 'chat', chatId, change: 'created' }));
    return { result: ids, changes };
  },
});

function importChat(transaction: Transaction, userId: string, chat: PortableChat): string {
  const id = chats.findChat(transaction, chat.id) ? crypto.randomUUID() : chat.id;
  const chatKey = chats.nextKey(transaction, 'chats');
  transaction.run(
    'INSERT INTO chats (key, id, userId, title, metadata, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [chatKey, id, userId, chat.title ?? null, JSON.stringify(chat.metadata), chat.createdAt, chat.updatedAt],
  );
  const places = insertPortableMessages(transaction, chatKey, chat.messages);
  const keyOf = (messageId: string | null): number | null =>
    messageId === null ? null : (places.get(messageId)?.key ?? null);
  let branchKey = chats.nextKey(transaction, 'branches');
  for (const branch of chat.branches) {
    transaction.run(insertBranch, [
      branchKey,
      crypto.randomUUID(),
      chatKey,
      branch.name,
      keyOf(branch.headMessageId),
      keyOf(branch.forkMessageId),
      branch.createdAt,
      branch.archivedAt ?? null,
    ]);
    if (branch.isActive)
      activate(transaction, { key: chatKey, id, owner: userId, viewer: userId }, { key: branchKey });
    branchKey += 1;
  }
  for (const { name, parentBranch } of chat.branches) {
    if (parentBranch !== undefined) transaction.run(nameParent, [chatKey, name, parentBranch]);
  }
  let checkpointKey = chats.nextKey(transaction, 'checkpoints');
  for (const { name, messageId, createdAt } of chat.checkpoints) {
    const row = [checkpointKey++, crypto.randomUUID(), chatKey, name, keyOf(messageId), createdAt];
    transaction.run(insertCheckpoint, row);
  }
  let sequence = chats.nextKey(transaction, 'events');
  for (const { kind, branch, messageId, details, createdAt } of chat.events) {
    // They refer to other entries by sequence numbers of the original log; here they are only history.
    if (kind === 'undone' || kind === 'redone') continue;
    const row = [
      sequence++,
      chatKey,
      userId,
      kind,
      branch ?? null,
      messageId ?? null,
      JSON.stringify(details),
      createdAt,
    ];
    transaction.run(insertEvent, row);
  }
  return id;
}

const insert = `INSERT INTO messages
  (key, chatKey, id, parentKey, depth, name, type, data, effects, invocationId, replaces, createdAt, messageCount)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The position of a message, as needed for the messages below it. */
export interface MessagePlace {
  readonly key: number;
  readonly depth: number;
  readonly messageCount: number;
}

/** Each after its parent, with the original times. @param known places of stored messages, returned as well */
export function insertPortableMessages(
  transaction: Transaction,
  chatKey: number,
  messages: PortableChat['messages'],
  known: ReadonlyMap<string, MessagePlace> = new Map(),
): Map<string, MessagePlace> {
  const places = new Map(known);
  const first = nextKey(transaction, 'messages');
  let key = first;
  for (const message of messages) {
    const { id, parentId, effects } = message;
    const parent = parentId === null ? undefined : places.get(parentId);
    const place = {
      key: key++,
      depth: (parent?.depth ?? 0) + 1,
      messageCount: (parent?.messageCount ?? 0) + (message.type === 'message' ? 1 : 0),
    };
    places.set(id, place);
    // File changes belong to another workspace, or are forged: an import must never make us write files.
    const { files: _, ...kept } = effects ?? {};
    transaction.run(insert, [
      place.key,
      chatKey,
      id,
      parent?.key ?? null,
      place.depth,
      message.name,
      message.type,
      ...messageJson({
        id,
        data: withId(message.data, id),
        effects: Object.keys(kept).length > 0 ? kept : undefined,
      }),
      message.invocationId,
      message.replaces ?? null,
      message.createdAt,
      place.messageCount,
    ]);
  }
  if (key > first) indexMessages(transaction, first, key - 1);
  return places;
}
