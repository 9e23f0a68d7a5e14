import { asMessage } from '../agent/run/question.ts';
import { BranchBusyError } from '../agent/run/run.ts';
import { activeBranch, withEngine } from './activeBranch.ts';
import { beginChat } from './ask.ts';
import type { ConversationParts } from './conversationParts.ts';

/**
 * Adds a question to the active branch that other branches are to answer; the first one makes the chat.
 * @returns the id of its message
 * @throws BranchBusyError while an answer is written there
 */
export async function addQuestion(
  parts: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'current' | 'titleFrom' | 'folderInUse'>,
  text: string,
): Promise<string> {
  const { store, userId, runs, current } = parts;
  const chatId = await beginChat(parts, text, []);
  const { name } = await activeBranch(store, chatId, { userId });
  if (runs.get(chatId, name)) throw new BranchBusyError(name);
  const id = crypto.randomUUID();
  await withEngine(parts, chatId, (engine) => engine.set(asMessage({ id, text, attached: [] })).save());
  await current.open(chatId);
  return id;
}
