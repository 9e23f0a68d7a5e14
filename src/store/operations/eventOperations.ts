import type { LogEvent } from '../../engine/graph.ts';
import type { ListEvents, NewLogEvent } from '../../engine/store.ts';
import { requireChatRef } from '../chats.ts';
import type { Reader, Transaction } from '../database.ts';
import { insertEvent, selectEvents } from '../events.ts';
import { quiet, type Outcome } from './outcome.ts';

export function listEvents(reader: Reader, chatId: string, options: ListEvents): LogEvent[] {
  return selectEvents(reader, requireChatRef(reader, chatId), options);
}

export function logEvent(transaction: Transaction, now: number, event: NewLogEvent): Outcome<undefined> {
  insertEvent(transaction, requireChatRef(transaction, event.chatId, event), event, now);
  return quiet(undefined);
}
