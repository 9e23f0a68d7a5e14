import { DamagedDataError } from '../engine/errors.ts';
import type { GraphData, SkeletonNode } from '../engine/graph.ts';
import { selectBranches } from './branches.ts';
import type { StoredChat } from './chats.ts';
import { selectCheckpoints } from './checkpoints.ts';
import type { Reader } from './database.ts';
import { asStoredMessage, messageColumns } from './messages.ts';
import { visibleText } from './messageText.ts';
import { integer, optionalInteger, text } from './rows.ts';

/** The whole chat as a picture: every message, branch and checkpoint. */
export function readGraph(reader: Reader, chat: StoredChat): GraphData {
  const rows = reader.all(
    `SELECT ${messageColumns} FROM messages m LEFT JOIN messages p ON p.key = m.parentKey
     WHERE m.chatKey = ? ORDER BY m.key`,
    [chat.key],
  );
  return {
    chatId: chat.id,
    nodes: rows.map((row) => {
      const { message } = asStoredMessage(row, chat.id);
      return {
        id: message.id,
        parentId: message.parentId,
        role: message.name,
        content: visibleText(message),
        createdAt: message.createdAt,
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
