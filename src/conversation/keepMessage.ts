import { MessageNotFoundError } from '../engine/errors.ts';
import type { GraphStep } from '../engine/graphSteps.ts';
import { keptMarks, withKeptMark } from '../engine/keptMessages.ts';
import type { ContextStore } from '../engine/store.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';

/**
 * Marks a message of the open chat as always sent to models, or no longer, on every branch it is on. Logged for undo.
 * @throws MessageNotFoundError
 */
export async function keepMessage(
  { store, userId, current }: Pick<ConversationParts, 'store' | 'userId' | 'current'>,
  messageId: string,
  isKept: boolean,
): Promise<void> {
  const chatId = await current.chatId();
  if (!(await store.getMessage(chatId, messageId))) throw new MessageNotFoundError(messageId);
  const { name: branch } = await activeBranch(store, chatId, { userId });
  // Logged first: an entry without an actual change cannot be undone, and does no harm.
  await store.logEvent({ chatId, userId, kind: 'message-kept', branch, messageId, details: { isKept } });
  await mark(store, chatId, messageId, isKept);
}

/** The steps that are in force, or for redo, that are not; by their sequence numbers. */
export async function fittingMarks(
  store: Pick<ContextStore, 'getChat'>,
  chatId: string,
  steps: readonly GraphStep[],
  direction: 'undo' | 'redo',
): Promise<ReadonlySet<number>> {
  const marks = keptMarks(await store.getChat(chatId));
  const fits = ({ kept }: GraphStep): boolean =>
    kept !== undefined && ((marks.get(kept.messageId) ?? false) === kept.isKept) === (direction === 'undo');
  return new Set(steps.filter(fits).map(({ sequence }) => sequence));
}

export async function takeMarkStep(
  store: Pick<ContextStore, 'updateChat'>,
  chatId: string,
  { kept }: GraphStep,
  direction: 'undo' | 'redo',
): Promise<void> {
  if (kept) await mark(store, chatId, kept.messageId, kept.isKept === (direction === 'redo'));
}

async function mark(
  store: Pick<ContextStore, 'updateChat'>,
  chatId: string,
  messageId: string,
  isKept: boolean,
): Promise<void> {
  await store.updateChat(chatId, (chat) => ({ metadata: withKeptMark(keptMarks(chat), messageId, isKept) }));
}
