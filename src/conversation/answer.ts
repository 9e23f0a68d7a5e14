import type { ChatModel } from '../agent/chatModel.ts';
import type { Run } from '../agent/runs.ts';
import { MessageNotFoundError } from '../engine/errors.ts';
import { isUserTurn } from '../engine/userTurn.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import { move, type Move, type MoveParts } from './move.ts';

/** How an answer is asked for. */
export interface Answering {
  readonly model: ChatModel;
  /** Undefined: the model's own. */
  readonly temperature: number | undefined;
}

/** Several answers to one question that were begun, and why others could not be. */
export interface Alternatives {
  readonly runs: readonly Run[];
  readonly failures: readonly unknown[];
}

/** Goes on where an answer failed, was stopped, or reached its limit of steps; what it has done stays done. */
export async function continueAnswer(
  { runs, models, current }: Pick<ConversationParts, 'runs' | 'models' | 'current'>,
  branch: string,
): Promise<Run> {
  const chatId = await current.chatId();
  return runs.start({ chatId, branch, model: await models.current(), continues: true });
}

/** Stops the answer on a branch of the open chat, the active one unless another is given. */
export async function stopAnswer(
  { store, userId, runs, current }: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'current'>,
  branch: string | undefined,
): Promise<void> {
  const chatId = await current.chatId();
  await runs.stop(chatId, branch ?? (await activeBranch(store, chatId, { userId })).name);
}

/** Stops every answer of a chat; resolves when what has arrived of them is saved. */
export async function stopAnswers({ runs }: Pick<ConversationParts, 'runs'>, chatId: string): Promise<void> {
  await Promise.all(runs.list(chatId).map((run) => runs.stop(chatId, run.branch)));
}

/**
 * Answers a question again, on a new branch; an answer stands for the question before it. The model is the one in use
 * unless one is given.
 */
export async function regenerate(
  parts: MoveParts & Pick<ConversationParts, 'runs' | 'models'>,
  messageId: string,
  asked: Partial<Answering>,
): Promise<Move> {
  const { store, runs, models, current } = parts;
  const chatId = await current.chatId();
  // An answer that used tools is several messages, one after the other.
  const path = await store.getPath(chatId, messageId);
  const questionId = path.findLast(isUserTurn)?.id;
  if (questionId === undefined) throw new MessageNotFoundError(messageId);
  const { model = await models.current(), temperature } = asked;
  const moved = await move(parts, (engine) => engine.rewind(questionId));
  await runs.start({ chatId: moved.chatId, branch: moved.to.name, model, ...given(temperature) });
  return moved;
}

/**
 * Has a question answered several times at once, each on a branch of its own; the active branch stays. What they do must
 * not get into each other's way, so their tools only read.
 * @returns why some could not begin; the others go on
 */
export async function generateAlternatives(
  { store, userId, runs, current }: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'current'>,
  questionId: string,
  answerings: readonly Answering[],
): Promise<Alternatives> {
  const chatId = await current.chatId();
  const from = (await activeBranch(store, chatId, { userId })).name;
  const begun = await Promise.allSettled(
    answerings.map(async ({ model, temperature }) => {
      const branch = await store.addBranch({
        chatId,
        userId,
        from,
        messageId: questionId,
        activate: false,
        event: 'branch-created',
        details: { why: 'try' },
      });
      const on = { chatId, branch: branch.name, model, onlyReads: true };
      return runs.start({ ...on, ...given(temperature) });
    }),
  );
  return {
    runs: begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    failures: begun.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : [])),
  };
}

function given(temperature: number | undefined): { readonly temperature?: number } {
  return temperature === undefined ? {} : { temperature };
}
