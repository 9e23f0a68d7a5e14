import { DamagedDataError } from '../engine/errors.ts';
import type { GraphData, SkeletonNode } from '../engine/graph.ts';
import { selectBranches } from './branches.ts';
import type { StoredChat } from './chats.ts';
import { selectCheckpoints } from './checkpoints.ts';
import type { Reader } from './database.ts';
import { visibleText } from './messageText.ts';
import { integer, json, optionalInteger, text } from './rows.ts';

/** Sorting the keys alone keeps what is said out of the sorter. Of a message of the program nothing is said. */
const pictured = `WITH keys AS MATERIALIZED (SELECT key FROM messages WHERE chatKey = ? ORDER BY key)
  SELECT m.key, m.parentKey, m.id, m.name, m.createdAt,
    CASE WHEN m.type = 'internal' THEN '""' WHEN m.type IN ('message', 'fragment') THEN m.data END AS data
  FROM keys k CROSS JOIN messages m ON m.key = k.key`;
const idOf = 'SELECT id FROM messages WHERE key = ?';

/** The whole chat as a picture: every message, branch and checkpoint. */
export function readGraph(reader: Reader, chat: StoredChat): GraphData {
  const ids = new Map<number, string>();
  return {
    chatId: chat.id,
    nodes: reader.map(pictured, [chat.key], (row) => {
      const parentKey = optionalInteger(row, 'parentKey');
      const id = text(row, 'id');
      ids.set(integer(row, 'key'), id);
      return {
        id,
        // What is in the trash may follow what is not.
        parentId: parentKey === undefined ? null : (ids.get(parentKey) ?? storedId(reader, parentKey)),
        role: text(row, 'name'),
        content: visibleText({ type: 'message', data: json(row, 'data') }),
        createdAt: integer(row, 'createdAt'),
      };
    }),
    branches: selectBranches(reader, chat, true).map(({ branch }) => ({
      name: branch.name,
      headMessageId: branch.headMessageId,
      isActive: branch.isActive,
    })),
    checkpoints: selectCheckpoints(reader, chat).map(({ name, messageId }) => ({ name, messageId })),
  };
}

function storedId(reader: Reader, key: number): string | null {
  const row = reader.get(idOf, [key]);
  return row ? text(row, 'id') : null;
}

/** Every message without what it says, in the order they were stored: a parent comes before its children. */
export function readSkeleton(reader: Reader, chat: StoredChat): SkeletonNode[] {
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
