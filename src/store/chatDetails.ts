import type { ChatSummary, MessageExcerpt } from '../engine/graph.ts';
import type { JsonValue } from '../engine/json.ts';
import type { StoredChat } from './chats.ts';
import type { Reader, SqlRow } from './database.ts';
import { excerptOf } from '../storing/excerpt.ts';
import { visibleText } from '../storing/messageText.ts';
import { integer, json, optionalInteger, text } from './rows.ts';

// What lists show in addition to the chats themselves, from one query for all listed chats.

export type ChatDetails = Pick<ChatSummary, 'messageCount' | 'branchCount' | 'lastMessage'>;

export const emptyChat: ChatDetails = { messageCount: 0, branchCount: 0, lastMessage: undefined };

/** The last visible message, from the head of the owner's active branch up; depth falls with each step. */
const last = `(WITH RECURSIVE up(key, parentKey, depth, type) AS (
      SELECT h.key, h.parentKey, h.depth, h.type FROM branches b JOIN messages h ON h.key = b.headKey
        WHERE b.chatKey = wanted.value AND b.isActive = 1
      UNION ALL
      SELECT m.key, m.parentKey, m.depth, m.type FROM up u JOIN messages m ON m.key = u.parentKey
        WHERE u.type <> 'message' AND m.depth = u.depth - 1
    )
    SELECT key FROM up WHERE type = 'message')`;
const details = `SELECT wanted.value AS chatKey, ${last} AS lastKey,
    (SELECT count(*) FROM messages m WHERE m.chatKey = wanted.value AND m.type = 'message') AS messages,
    (SELECT count(*) FROM branches b WHERE b.chatKey = wanted.value AND b.archivedAt IS NULL) AS branches
  FROM json_each(?) wanted`;
const endings = `SELECT m.key, m.name, m.type, m.data, m.createdAt FROM json_each(?) wanted
  CROSS JOIN messages m ON m.key = wanted.value`;

/** By the key of each chat. */
export function selectChatDetails(
  reader: Reader,
  chats: readonly StoredChat[],
): ReadonlyMap<number, ChatDetails> {
  const rows = reader.all(details, [JSON.stringify(chats.map(({ key }) => key))]);
  const lastKeys = rows.flatMap((row) => optionalInteger(row, 'lastKey') ?? []);
  const excerpts = new Map(
    reader.map(endings, [JSON.stringify(lastKeys)], (row) => [integer(row, 'key'), excerpt(row)] as const),
  );
  return new Map(
    rows.map((row) => {
      const lastKey = optionalInteger(row, 'lastKey');
      return [
        integer(row, 'chatKey'),
        {
          messageCount: integer(row, 'messages'),
          branchCount: integer(row, 'branches'),
          lastMessage: lastKey === undefined ? undefined : excerpts.get(lastKey),
        },
      ];
    }),
  );
}

function excerpt(row: SqlRow): MessageExcerpt {
  return {
    role: text(row, 'name'),
    text: excerptOf(visibleText({ type: 'message', data: json(row, 'data') satisfies JsonValue })),
    createdAt: integer(row, 'createdAt'),
  };
}
