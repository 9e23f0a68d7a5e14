import { CheckpointNotFoundError, EmptyConversationError } from '../engine/errors.ts';
import type { CheckpointData } from '../engine/graph.ts';
import { byClick, move, type Move, type MoveParts } from './move.ts';
import { withEngine } from './withEngine.ts';

/** Sets a checkpoint at a message of the open chat, by default the last one. @throws EmptyConversationError */
export async function createCheckpoint(
  parts: MoveParts,
  name: string,
  messageId: string | undefined,
): Promise<CheckpointData> {
  const chatId = await parts.current.chatId();
  // The engine would otherwise make the chat.
  if (!(await parts.store.getChat(chatId))) throw new EmptyConversationError('checkpoint');
  return withEngine(parts, chatId, (engine) =>
    engine.checkpoint(name, messageId === undefined ? {} : { messageId }),
  );
}

/** Goes to a checkpoint, in the open chat or in another one, which is then opened. @throws CheckpointNotFoundError */
export async function restoreCheckpoint(parts: MoveParts, name: string, chatId?: string): Promise<Move> {
  const checkpoint = await parts.store.getCheckpoint(chatId ?? (await parts.current.chatId()), name);
  if (!checkpoint) throw new CheckpointNotFoundError(name);
  return move(parts, (engine) => engine.restore(name, byClick), chatId);
}
