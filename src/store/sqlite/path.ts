import { DamagedDataError } from '../../engine/errors.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { ChatRef } from './chats.ts';
import type { Reader, SqlRow } from './database.ts';
import { messageType, readEffects, type StoredMessage } from './messages.ts';
import { mapMessages, messageQuery } from './packedMessages.ts';
import { integer, json, optionalInteger, optionalText, text } from './rows.ts';
import type { KeyRange } from './unindexedTexts.ts';

// A chat is saved message by message, so the keys along a path rarely jump: it consists of a few runs of consecutive
// keys. Finding those and reading each in order is far cheaper than looking up each message by its parent.

/** Of the run that ends at `end`: where the previous key is not the parent, or where the path should end. */
const lowestKey = (end: string): string => `(SELECT n.key FROM messages n
  WHERE n.key <= ${end}.key AND (n.parentKey IS NOT n.key - 1 OR n.depth <= ?2 + 1
    OR n.depth - n.key <> ${end}.depth - ${end}.key)
  ORDER BY n.key DESC LIMIT 1)`;

/** From the head up. Depth and key decrease with each run, so that the query ends even if damage made a cycle. */
const runs = `WITH RECURSIVE runs(last, first) AS (
    SELECT h.key, ${lowestKey('h')} FROM messages h WHERE h.key = ?1
    UNION ALL
    SELECT p.key, ${lowestKey('p')}
      FROM runs r JOIN messages f ON f.key = r.first JOIN messages p ON p.key = f.parentKey
      WHERE p.depth = f.depth - 1 AND p.depth > ?2 AND p.key < f.key
  )
  SELECT r.first, r.last, f.depth, f.parentKey, p.id AS parentId
    FROM runs r CROSS JOIN messages f ON f.key = r.first LEFT JOIN messages p ON p.key = f.parentKey`;

/** Columns that few messages use are one, null for the others. A turn's first message has its own id as the turn's. */
const inRuns = messageQuery(
  {
    id: 'm.id',
    name: 'm.name',
    invocationId: 'nullif(m.invocationId, m.id)',
    createdAt: 'm.createdAt',
    rest: `iif(m.type = 'message' AND m.effects IS NULL AND m.replaces IS NULL, NULL,
      json_array(CAST(m.type AS TEXT), CAST(m.effects AS TEXT), CAST(m.replaces AS TEXT)) || '')`,
  },
  'm.data',
);

export interface StoredPath {
  /** The message above the first one; undefined above the root. */
  readonly aboveKey: number | undefined;
  /** Root first. */
  readonly messages: MessageData[];
}

/** From just below `aboveDepth` (0: from the root). @throws DamagedDataError when it is broken */
export function selectPath(reader: Reader, chat: ChatRef, head: StoredMessage, aboveDepth = 0): StoredPath {
  const above = Math.max(0, aboveDepth);
  const rows = reader.all(runs, [head.key, above]).toReversed();
  const found = rows.map((row): KeyRange => ({ first: integer(row, 'first'), last: integer(row, 'last') }));
  const length = found.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const [top] = rows;
  if (!top || length !== head.message.depth - above || integer(top, 'depth') !== above + 1)
    throw broken(head);

  let parentId = optionalText(top, 'parentId') ?? null;
  let depth = above;
  const messages = mapMessages(reader, inRuns, found, [], (row, data) => {
    depth += 1;
    const message = messageOf(row, data, chat.id, parentId, depth);
    parentId = message.id;
    return message;
  });
  if (messages.length !== length) throw broken(head);
  return { aboveKey: optionalInteger(top, 'parentKey'), messages };
}

function messageOf(
  row: SqlRow,
  data: JsonValue,
  chatId: string,
  parentId: string | null,
  depth: number,
): MessageData {
  const id = text(row, 'id');
  const rest = optionalText(row, 'rest') === undefined ? plain : restOf(row);
  return {
    id,
    chatId,
    parentId,
    depth,
    name: text(row, 'name'),
    type: rest.type,
    data,
    effects: rest.effects,
    invocationId: optionalText(row, 'invocationId') ?? id,
    replaces: rest.replaces,
    createdAt: integer(row, 'createdAt'),
  };
}

const plain: Pick<MessageData, 'type' | 'effects' | 'replaces'> = {
  type: 'message',
  effects: undefined,
  replaces: undefined,
};

function restOf(row: SqlRow): typeof plain {
  const rest = json(row, 'rest');
  const [type, effects, replaces] = (Array.isArray(rest) ? rest : []).map((value) =>
    typeof value === 'string' ? value : null,
  );
  const columns = { type: type ?? null, effects: effects ?? null, replaces: replaces ?? null };
  return {
    type: messageType(columns),
    effects: readEffects(columns),
    replaces: optionalText(columns, 'replaces'),
  };
}

function broken({ message }: StoredMessage): DamagedDataError {
  return new DamagedDataError(`the path to message "${message.id}" is broken`);
}
