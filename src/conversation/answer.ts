import type { ChatModel } from '../agent/chatModel.ts';
import type { Run, StartOptions } from '../agent/runs.ts';
import { MessageNotFoundError } from '../engine/errors.ts';
import { isUserTurn } from '../engine/userTurn.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import { byClick, move, type Move, type MoveParts } from './move.ts';
import { switchBranch } from './switchBranch.ts';
import { withEngine } from './withEngine.ts';

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

type ContinueParts = Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'models' | 'current'>;

/** Goes on where an answer failed, was stopped, or reached its limit of steps; what it has done stays done. */
export async function continueAnswer(parts: ContinueParts, branch: string): Promise<Run> {
  return parts.runs.start({ ...(await startingOn(parts, branch)), continues: true });
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

/** Answers the question that a branch of the open chat ends with: its answer failed, or never came. */
export async function retryAnswer(parts: ContinueParts, branch: string): Promise<Run> {
  return parts.runs.start(await startingOn(parts, branch));
}

/** Saves an answer on a branch of the open chat that ended and could not be saved. @throws why it still can't be */
export async function saveAnswer(
  { runs, current }: Pick<ConversationParts, 'runs' | 'current'>,
  branch: string,
): Promise<void> {
  await runs.saveAgain(await current.chatId(), branch);
}

/** How an answer goes on on a branch of the open chat; on another than the active one it belongs to a side question. */
async function startingOn(
  { store, userId, models, current }: ContinueParts,
  branch: string,
): Promise<StartOptions> {
  const chatId = await current.chatId();
  const isSideQuestion = (await activeBranch(store, chatId, { userId })).name !== branch;
  return { chatId, branch, model: await models.current(), ...(isSideQuestion ? { isSideQuestion } : {}) };
}

/**
 * Answers a question again; an answer stands for the question before it. Where the active branch ends with the question
 * it is answered there, else on a new branch. The model is the one in use unless one is given.
 */
export async function regenerate(
  parts: MoveParts & Pick<ConversationParts, 'models'>,
  messageId: string,
  asked: Partial<Answering>,
): Promise<Move> {
  const { store, userId, runs, models, current } = parts;
  const chatId = await current.chatId();
  // An answer that used tools is several messages, one after the other.
  const path = await store.getPath(chatId, messageId);
  const questionId = path.findLast(isUserTurn)?.id;
  if (questionId === undefined) throw new MessageNotFoundError(messageId);
  const { model = await models.current(), temperature } = asked;
  const active = await activeBranch(store, chatId, { userId });
  const isWaiting = active.headMessageId === questionId && runs.get(chatId, active.name) === undefined;
  const moved = isWaiting
    ? { chatId, from: active.name, to: active }
    : await move(parts, (engine) => engine.rewind(questionId, byClick));
  try {
    await runs.start({ chatId, branch: moved.to.name, model, ...given(temperature) });
  } catch (error) {
    // Nothing begins, so that nothing stays behind either.
    if (!isWaiting) await switchBranch(parts, moved.from);
    throw error;
  }
  return moved;
}

/**
 * Has a question answered several times at once, each on a branch of its own; the active branch stays. What they do must
 * not get into each other's way, so their tools only read.
 * @returns why some could not begin; the others go on
 */
export async function generateAlternatives(
  parts: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'current'>,
  questionId: string,
  answerings: readonly Answering[],
): Promise<Alternatives> {
  const { runs } = parts;
  const chatId = await parts.current.chatId();
  // One engine makes the branches in the order of what is asked.
  const begun = await withEngine(parts, chatId, (engine) =>
    Promise.allSettled(
      answerings.map(async ({ model, temperature }) => {
        const { name: branch } = await engine.btw({ messageId: questionId, why: 'try' });
        return runs.start({ chatId, branch, model, onlyReads: true, ...given(temperature) });
      }),
    ),
  );
  return {
    runs: begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    failures: begun.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : [])),
  };
}

function given(temperature: number | undefined): { readonly temperature?: number } {
  return temperature === undefined ? {} : { temperature };
}
