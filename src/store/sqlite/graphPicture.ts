import { DamagedDataError } from '../../engine/errors.ts';
import type { GraphData, SkeletonNode } from '../../engine/graph.ts';
import { selectBranchHeads } from './branches.ts';
import type { ChatRef } from './chats.ts';
import { selectCheckpoints } from './checkpoints.ts';
import type { Reader } from './database.ts';
import { selectExtent } from './messages.ts';
import { mapMessages, messageQuery } from './packedMessages.ts';
import { beginningOf, visibleText } from '../common/messageContent.ts';
import { integer, optionalInteger, text } from './rows.ts';
import type { KeyRange } from './unindexedTexts.ts';

/** The program's own messages have no text. The plus keeps SQLite from using the chat's index. */
const pictured = messageQuery(
  { key: 'm.key', parentKey: 'm.parentKey', id: 'm.id', name: 'm.name', createdAt: 'm.createdAt' },
  `CASE m.type WHEN 'message' THEN m.data WHEN 'fragment' THEN m.data WHEN 'internal' THEN '""' END`,
  'AND +m.chatKey = ?',
);
const keysOf = 'SELECT key FROM messages WHERE chatKey = ? ORDER BY key';
/** From this ratio of other chats' messages to this chat's on, the others are skipped by key. */
const SPARSE = 3;
const idByKey = 'SELECT id FROM messages WHERE key = ?';

export function readGraph(reader: Reader, chat: ChatRef): GraphData {
  const ids = new Map<number, string>();
  // A message in the trash may be the parent of one that is not.
  const idOf = (key: number | undefined): string | null =>
    key === undefined ? null : (ids.get(key) ?? storedId(reader, key));
  return {
    chatId: chat.id,
    nodes: mapMessages(reader, pictured, selectRanges(reader, chat), [chat.key], (row, data) => {
      const parentKey = optionalInteger(row, 'parentKey');
      const id = text(row, 'id');
      ids.set(integer(row, 'key'), id);
      return {
        id,
        parentId: idOf(parentKey),
        role: text(row, 'name'),
        content: beginningOf(visibleText({ type: 'message', data })),
        createdAt: integer(row, 'createdAt'),
      };
    }),
    branches: selectBranchHeads(reader, chat).map(({ name, headKey, isActive }) => ({
      name,
      headMessageId: idOf(headKey),
      isActive,
    })),
    checkpoints: selectCheckpoints(reader, chat).map(({ name, messageId }) => ({ name, messageId })),
  };
}

/** Of the keys of all its messages, in storage order. */
function selectRanges(reader: Reader, chat: ChatRef): KeyRange[] {
  const extent = selectExtent(reader, chat);
  if (!extent) return [];
  const { count, least, most } = extent;
  if (most - least < count * SPARSE) return [{ first: least, last: most }];
  const ranges: { first: number; last: number }[] = [];
  for (const key of reader.map(keysOf, [chat.key], (row) => integer(row, 'key'))) {
    const range = ranges.at(-1);
    if (range?.last === key - 1) range.last = key;
    else ranges.push({ first: key, last: key });
  }
  return ranges;
}

function storedId(reader: Reader, key: number): string | null {
  const row = reader.get(idByKey, [key]);
  return row ? text(row, 'id') : null;
}

/** Every message without its content, in storage order: a parent comes before its children. */
export function readSkeleton(reader: Reader, chat: ChatRef): SkeletonNode[] {
  const ids = new Map<number, string>();
  const sql = 'SELECT key, parentKey, id, name FROM messages WHERE chatKey = ? ORDER BY key';
  return reader.map(sql, [chat.key], (row) => {
    const parentKey = optionalInteger(row, 'parentKey');
    const parentId = parentKey === undefined ? null : ids.get(parentKey);
    const id = text(row, 'id');
    if (parentId === undefined) throw new DamagedDataError(`the parent of message "${id}" is missing`);
    ids.set(integer(row, 'key'), id);
    return { id, parentId, name: text(row, 'name') };
  });
}
