import type { PortableChat } from '../engine/portableChat.ts';
import { nextKey } from './chats.ts';
import type { Transaction } from './database.ts';
import { messageJson } from '../storing/messageJson.ts';
import { withId } from '../storing/portableChats.ts';
import { indexMessages } from './messages.ts';

const insert = `INSERT INTO messages
  (key, chatKey, id, parentKey, depth, name, type, data, effects, invocationId, replaces, createdAt, messageCount)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The position of a message, as needed for the messages below it. */
export interface MessagePlace {
  readonly key: number;
  readonly depth: number;
  readonly messageCount: number;
}

/**
 * Inserts imported messages, each after its parent, with their original times.
 * @param known the positions of parents that are already stored
 * @returns the positions of all of them
 */
export function insertPortableMessages(
  transaction: Transaction,
  chatKey: number,
  messages: PortableChat['messages'],
  known: ReadonlyMap<string, MessagePlace> = new Map(),
): Map<string, MessagePlace> {
  const places = new Map(known);
  const first = nextKey(transaction, 'messages', 'key');
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
