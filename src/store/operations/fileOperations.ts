import type { MessageFiles } from '../../engine/store.ts';
import * as chats from '../chats.ts';
import type { Reader } from '../database.ts';
import { readEffects } from '../messages.ts';
import { text } from '../rows.ts';

const withFiles = `SELECT id, effects FROM messages WHERE chatKey = ? AND effects LIKE '%"files":%' ORDER BY key`;

export function listFileChanges(reader: Reader, chatId: string): MessageFiles[] {
  const chat = chats.requireChatRef(reader, chatId);
  return reader.all(withFiles, [chat.key]).flatMap((row) => {
    const files = readEffects(row)?.files ?? [];
    return files.length === 0 ? [] : [{ messageId: text(row, 'id'), files }];
  });
}
