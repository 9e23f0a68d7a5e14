import { DamagedDataError } from '../../engine/errors.ts';
import { logEventKinds, type LogEvent, type LogEventKind } from '../../engine/graph.ts';
import type { JsonObject } from '../../engine/json.ts';
import type { ListEvents } from '../../engine/store.ts';
import { keepNextKey, nextKey, requireChatRef, type ChatRef } from './chats.ts';
import { bodies, quiet, type Reader, type SqlRow, type Transaction } from './database.ts';
import { integer, jsonObject, optionalText, text } from './rows.ts';

const insert = `INSERT INTO events (sequence, chatKey, userId, kind, branch, messageId, details, createdAt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export interface EventToLog {
  readonly kind: LogEventKind;
  readonly branch?: string | undefined;
  readonly messageId?: string | null | undefined;
  readonly details?: JsonObject | undefined;
}

/** In the transaction of the change it records; the viewer of the chat is recorded as the author. */
export function insertEvent(
  transaction: Transaction,
  chat: ChatRef,
  event: EventToLog,
  now: number,
  sequence = nextKey(transaction, 'events'),
): void {
  transaction.run(insert, [
    sequence,
    chat.key,
    chat.viewer,
    event.kind,
    event.branch ?? null,
    event.messageId ?? null,
    JSON.stringify(event.details ?? {}),
    now,
  ]);
  keepNextKey(transaction, 'events', sequence + 1);
}

/** The last `limit` (negative: all), oldest first. Kinds that only a later version knows are left out. */
export function selectEvents(
  reader: Reader,
  chat: ChatRef,
  { limit = -1, kind, kinds = kind === undefined ? logEventKinds : [kind], userId, before }: ListEvents,
): LogEvent[] {
  const conditions = [
    'chatKey = ?',
    `kind IN (${kinds.map(() => '?').join(', ')})`,
    ...(userId === undefined ? [] : ['userId = ?']),
    ...(before === undefined ? [] : ['sequence < ?']),
  ];
  const last = `SELECT * FROM events WHERE ${conditions.join(' AND ')} ORDER BY sequence DESC LIMIT ?`;
  const narrowing = [userId, before].filter((each) => each !== undefined);
  const parameters = [chat.key, ...kinds, ...narrowing, limit];
  return reader
    .all(`SELECT * FROM (${last}) ORDER BY sequence`, parameters)
    .map((row) => asEvent(row, chat.id));
}

function asEvent(row: SqlRow, chatId: string): LogEvent {
  return {
    sequence: integer(row, 'sequence'),
    chatId,
    kind: eventKind(text(row, 'kind')),
    userId: text(row, 'userId'),
    branch: optionalText(row, 'branch'),
    messageId: optionalText(row, 'messageId'),
    details: jsonObject(row, 'details'),
    createdAt: integer(row, 'createdAt'),
  };
}

function eventKind(kind: string): LogEventKind {
  const known = logEventKinds.find((each) => each === kind);
  if (!known) throw new DamagedDataError(`"${kind}" is no kind of event`);
  return known;
}

export function listEvents(reader: Reader, chatId: string, options: ListEvents): LogEvent[] {
  return selectEvents(reader, requireChatRef(reader, chatId), options);
}

export const logWrites = bodies({
  logEvent(transaction, now, event) {
    insertEvent(transaction, requireChatRef(transaction, event.chatId, event), event, now);
    return quiet(undefined);
  },
});
