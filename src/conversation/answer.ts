import type { ChatModel } from '../models/chatModel.ts';
import type { GoingOn, Run, StartOptions } from '../agent/run/runs.ts';
import { BranchExistsError, MessageNotFoundError } from '../engine/errors.ts';
import { answerMetadataOf } from '../agent/run/answerMetadata.ts';
import { readUIMessage } from '../engine/uiMessage.ts';
import { isUserTurn } from '../engine/pathSummary.ts';
import { activeBranch, withEngine } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import type { LoadLater } from './loadLater.ts';
import { byClick, move, switchBranch, type Move, type MoveParts } from './move.ts';

export interface Answering {
  readonly model: ChatModel;
  /** Undefined: the model's default. */
  readonly temperature: number | undefined;
  /** The id of the files that its branch works with, which it may change; left out: those of the workspace. */
  readonly files?: string | undefined;
  /** The name of its branch; left out, or taken: a generated one. */
  readonly name?: string | undefined;
}

export interface UnstartedAnswer {
  readonly files: string;
  /** Undefined: it was not made. */
  readonly branch: string | undefined;
}

export interface Alternatives {
  readonly runs: readonly Run[];
  readonly failures: readonly unknown[];
  /** Of these, those that were to have files of their own, which nobody needs now. */
  readonly unstarted: readonly UnstartedAnswer[];
}

type ContinueParts = Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'models' | 'current'>;

/** Continues an answer that failed, was stopped, or reached its step limit; completed steps are kept. */
export async function continueAnswer(parts: ContinueParts, branch: string, how: GoingOn = {}): Promise<Run> {
  return parts.runs.start({ ...(await startingOn(parts, branch)), ...how, continues: true });
}

/** @param branch undefined: the active one */
export async function stopAnswer(
  { store, userId, runs, current }: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'current'>,
  branch: string | undefined,
): Promise<void> {
  const chatId = await current.chatId();
  await runs.stop(chatId, branch ?? (await activeBranch(store, chatId, { userId })).name);
}

/** Resolves when the received parts are saved. */
export async function stopAnswers({ runs }: Pick<ConversationParts, 'runs'>, chatId: string): Promise<void> {
  await Promise.all(runs.list(chatId).map((run) => runs.stop(chatId, run.branch)));
}

/** Answers the question that a branch of the open chat ends with: its answer failed, or never came. */
export async function retryAnswer(parts: ContinueParts, branch: string, how: GoingOn = {}): Promise<Run> {
  return parts.runs.start({ ...(await startingOn(parts, branch)), ...how });
}

export interface StoppedAlternative {
  readonly chatId: string;
  readonly branch: string;
  /** False: it stopped before its first word. */
  readonly continues: boolean;
}

/** Has one of several answers go on as it began: with its own model, wherever the chat is by now. */
export async function resumeAlternative(
  parts: Omit<ContinueParts, 'current'>,
  { chatId, branch, continues }: StoppedAlternative,
  how: GoingOn = {},
): Promise<Run> {
  const { store, userId, runs } = parts;
  const { model, temperature } = runs.failed(chatId, branch) ?? (await lastAnswering(parts, chatId, branch));
  const onlyReads = (await activeBranch(store, chatId, { userId })).name !== branch;
  return runs.start({ chatId, branch, model, continues, onlyReads, ...given(temperature), ...how });
}

/** As the last answer on a branch, by the model in use if that one is not there any more. */
async function lastAnswering(
  { store, models }: Pick<ContinueParts, 'store' | 'models'>,
  chatId: string,
  branch: string,
): Promise<Pick<Answering, 'model' | 'temperature'>> {
  const headId = (await store.getBranch(chatId, branch))?.headMessageId;
  const path = typeof headId === 'string' ? await store.getPath(chatId, headId) : [];
  const answer = path.findLast(({ name }) => name === 'assistant');
  const read = answer && readUIMessage(answer.data);
  const metadata = read && answerMetadataOf(read);
  const model = metadata && (await models.find(metadata.modelId));
  return { model: model ?? (await models.current()), temperature: model && metadata.temperature };
}

/** @throws if saving fails again */
export async function saveAnswer(
  { runs, current }: Pick<ConversationParts, 'runs' | 'current'>,
  branch: string,
): Promise<void> {
  await runs.saveAgain(await current.chatId(), branch);
}

/** An answer on a branch other than the active one belongs to a side question. */
async function startingOn(
  { store, userId, models, current }: ContinueParts,
  branch: string,
): Promise<StartOptions> {
  const chatId = await current.chatId();
  const isSideQuestion = (await activeBranch(store, chatId, { userId })).name !== branch;
  return { chatId, branch, model: await models.current(), ...(isSideQuestion ? { isSideQuestion } : {}) };
}

/**
 * Answers a question again; an answer stands for the question before it. If the active branch ends with the question
 * it is answered there, otherwise on a new branch. The default is the model in use.
 */
export async function regenerate(
  parts: MoveParts & Pick<ConversationParts, 'models'>,
  messageId: string,
  asked: Partial<Answering>,
): Promise<Move> {
  const { store, userId, runs, models, current } = parts;
  const chatId = await current.chatId();
  // An answer that used tools consists of several consecutive messages.
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
    // If nothing starts, the new branch should not stay either.
    if (!isWaiting) await switchBranch(parts, moved.from);
    throw error;
  }
  return moved;
}

/**
 * Starts several answers to one question, each on a separate branch; the active branch stays. They must not interfere
 * with each other, so the tools of those that have no files of their own are read-only.
 * @returns the errors of those that could not start; the others run
 */
export async function generateAlternatives(
  parts: Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'current'> & { readonly loadLater: LoadLater },
  questionId: string,
  answerings: readonly Answering[],
): Promise<Alternatives> {
  const { runs } = parts;
  const chatId = await parts.current.chatId();
  const failures: unknown[] = [];
  const unstarted: UnstartedAnswer[] = [];
  // One engine makes the branches in the order of what is asked.
  const begun = await withEngine(parts, chatId, (engine) =>
    Promise.all(
      answerings.map(async ({ model, temperature, files, name }) => {
        let branch: string | undefined;
        try {
          branch = (await engine.btw({ messageId: questionId, why: 'try' })).name;
          if (name !== undefined) branch = await renamed(parts, chatId, branch, name);
          if (files !== undefined)
            await (await parts.loadLater()).setBranchFiles(parts, chatId, branch, files);
          return await runs.start({ chatId, branch, model, onlyReads: true, ...given(temperature) });
        } catch (error) {
          failures.push(error);
          if (files !== undefined) unstarted.push({ files, branch });
          return undefined;
        }
      }),
    ),
  );
  return { runs: begun.flatMap((run) => run ?? []), failures, unstarted };
}

/** @returns the name that it has then */
async function renamed(
  { store, userId }: Pick<ConversationParts, 'store' | 'userId'>,
  chatId: string,
  branch: string,
  name: string,
): Promise<string> {
  try {
    return (await store.renameBranch(chatId, branch, name, { userId })).name;
  } catch (error) {
    if (error instanceof BranchExistsError) return branch;
    throw error;
  }
}

function given(temperature: number | undefined): { readonly temperature?: number } {
  return temperature === undefined ? {} : { temperature };
}

/**
 * Asks on a branch while the chat may be at another.
 * @throws BranchBusyError while an answer is written there
 */
export function askOnBranch(
  { runs }: Pick<ConversationParts, 'runs'>,
  question: Pick<StartOptions, 'chatId' | 'branch' | 'model'> & { readonly question: string },
): Promise<Run> {
  return runs.start(question);
}
