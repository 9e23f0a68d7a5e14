import { MessageNotFoundError } from '../engine/errors.ts';
import {
  isReminderPart,
  isTextPart,
  readUIMessage,
  textOf,
  type UIMessagePart,
} from '../engine/uiMessage.ts';
import type { ConversationParts } from './conversationParts.ts';
import { move, type Move, type MoveParts } from './move.ts';

/** A rewind to before a question, with what the question said. */
export interface RewoundQuestion extends Move {
  readonly text: string;
  readonly parts: readonly UIMessagePart[];
}

/** Goes back to a message of the open chat, on a new branch. */
export function rewind(parts: MoveParts, messageId: string): Promise<Move> {
  return move(parts, (engine) => engine.rewind(messageId));
}

/** Goes before a question and gives its text back, to be asked differently. @throws MessageNotFoundError */
export async function rewindToEdit(parts: MoveParts, messageId: string): Promise<RewoundQuestion> {
  const message = await parts.store.getMessage(await parts.current.chatId(), messageId);
  if (!message) throw new MessageNotFoundError(messageId);
  const moved = await move(parts, (engine) => engine.rewindBefore(messageId));
  const read = readUIMessage(message.data);
  return { ...moved, text: read ? textOf(read) : '', parts: read?.parts ?? [] };
}

/** Asks a question differently, on a new branch, with what went with it. */
export async function editQuestion(
  conversation: MoveParts & Pick<ConversationParts, 'runs' | 'models'>,
  messageId: string,
  text: string,
): Promise<Move> {
  const model = await conversation.models.current();
  const { parts, text: _before, ...moved } = await rewindToEdit(conversation, messageId);
  const attached = parts.filter((part) => !isTextPart(part) || isReminderPart(part));
  const { chatId, to } = moved;
  await conversation.runs.start({ chatId, branch: to.name, question: text, attached, model });
  return moved;
}
