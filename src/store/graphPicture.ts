import type { GraphData } from '../engine/graph.ts';
import { selectBranches } from './branches.ts';
import type { StoredChat } from './chats.ts';
import { selectCheckpoints } from './checkpoints.ts';
import type { Reader } from './database.ts';
import { asStoredMessage, messageColumns } from './messages.ts';
import { visibleText } from './messageText.ts';

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
