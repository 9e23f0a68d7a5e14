import { z } from 'zod';
import type { ChatData, MessageData } from './graph.ts';
import type { JsonObject } from './json.ts';
import type { ContextStore } from './store.ts';

/** Where a chat records which messages are always sent: true or false by the id of the message. */
const KEPT_MESSAGES = 'keptMessages';

const marked = z.looseObject({ [KEPT_MESSAGES]: z.record(z.string(), z.boolean()) });

export type KeptMarks = ReadonlyMap<string, boolean>;

export function keptMarks(chat: Pick<ChatData, 'metadata'> | undefined): KeptMarks {
  const marks = chat && marked.safeParse(chat.metadata).data?.[KEPT_MESSAGES];
  return new Map(Object.entries(marks ?? {}));
}

/** The metadata of a chat with another mark. */
export function withKeptMark(marks: KeptMarks, messageId: string, isKept: boolean): JsonObject {
  return { [KEPT_MESSAGES]: Object.fromEntries(new Map(marks).set(messageId, isKept)) };
}

/** How many originals are followed: each copy of a copy has its own. */
const MOST_COPIES = 50;

/** Whether a message is marked; a copy or an edited version without a mark of its own has that of its original. */
export async function isKeptMessage(
  store: Pick<ContextStore, 'getMessage'>,
  { chatId, id, replaces }: Pick<MessageData, 'chatId' | 'id' | 'replaces'>,
  marks: KeptMarks,
): Promise<boolean> {
  if (marks.size === 0) return false;
  let at: string | undefined = id;
  let next = replaces;
  for (let copies = 0; at !== undefined && copies < MOST_COPIES; copies += 1) {
    const mark = marks.get(at);
    if (mark !== undefined) return mark;
    at = next;
    next = at === undefined ? undefined : (await store.getMessage(chatId, at))?.replaces;
  }
  return false;
}

/** The ids of the marked messages among some of a chat. */
export async function findKept(
  store: Pick<ContextStore, 'getMessage'>,
  chat: Pick<ChatData, 'metadata'>,
  messages: readonly MessageData[],
): Promise<ReadonlySet<string>> {
  const marks = keptMarks(chat);
  const kept = new Set<string>();
  for (const message of messages) if (await isKeptMessage(store, message, marks)) kept.add(message.id);
  return kept;
}
