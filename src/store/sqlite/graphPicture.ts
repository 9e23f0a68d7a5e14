import { DamagedDataError } from '../../engine/errors.ts';
import type { GraphData, SkeletonNode } from '../../engine/graph.ts';
import { selectBranchHeads } from './branches.ts';
import type { ChatRef } from './chats.ts';
import { selectCheckpoints } from './checkpoints.ts';
import type { Reader, SqlRow } from './database.ts';
import { selectExtent } from './messages.ts';
import { beginningOf, visibleText } from '../common/messageContent.ts';
import { integer, json, optionalInteger, text } from './rows.ts';

/** The columns of a message in the graph. The program's own messages have no text. */
const pictured = `m.key, m.parentKey, m.id, m.name, m.createdAt,
  CASE m.type WHEN 'message' THEN m.data WHEN 'fragment' THEN m.data WHEN 'internal' THEN '""' END AS data`;
/** All messages in that key range, in storage order. The plus keeps SQLite from using the chat's index. */
const inStretch = `SELECT ${pictured} FROM messages m
  WHERE m.key BETWEEN ?2 AND ?3 AND +m.chatKey = ?1 ORDER BY m.key`;
/** Sorting only the keys keeps the content out of the sorter. */
const scattered = `WITH keys AS MATERIALIZED (SELECT key FROM messages WHERE chatKey = ? ORDER BY key)
  SELECT ${pictured} FROM keys k CROSS JOIN messages m ON m.key = k.key`;
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
    nodes: mapMessages(reader, chat, (row) => {
      const parentKey = optionalInteger(row, 'parentKey');
      const id = text(row, 'id');
      ids.set(integer(row, 'key'), id);
      return {
        id,
        parentId: idOf(parentKey),
        role: text(row, 'name'),
        content: beginningOf(visibleText({ type: 'message', data: json(row, 'data') })),
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

function mapMessages<T>(reader: Reader, chat: ChatRef, read: (row: SqlRow) => T): T[] {
  const extent = selectExtent(reader, chat);
  if (!extent) return [];
  const { count, least, most } = extent;
  return most - least < count * SPARSE
    ? reader.map(inStretch, [chat.key, least, most], read)
    : reader.map(scattered, [chat.key], read);
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
