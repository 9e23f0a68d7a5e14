import { answeringModel } from '../agent/run/questionSettings.ts';
import { namesOfAttached } from '../agent/context/plainText.ts';
import type { Run, StartOptions } from '../agent/run/runs.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import type { BranchData, BranchInfo, MessageData } from '../engine/graph.ts';
import { isUserTurn } from '../engine/pathSummary.ts';
import { activeBranch, withEngine } from './activeBranch.ts';
import { answeredElsewhere } from './answeredElsewhere.ts';
import type { ConversationParts } from './conversationParts.ts';
import { releaseDraft } from '../engine/provisionalBranch.ts';
import { isOvertaken } from './messageQueue.ts';
import { byClick } from './move.ts';
import { askedWith, questionBefore, storedQuestion } from './rewind.ts';

type AskParts = Pick<
  ConversationParts,
  'store' | 'userId' | 'runs' | 'models' | 'current' | 'titleFrom' | 'folderInUse'
>;

/**
 * Asks on the active branch; the first question makes the chat. If the branch ends with the same question, or was made
 * before it by a rewind, it is answered without being asked again; a different one is another version of it.
 * @param seen the active branch, as it was read; left out: as it is
 * @throws HeadConflictError, BranchBusyError where something else was said there since then
 */
export async function ask(
  parts: AskParts,
  question: string,
  attached: readonly UIMessagePart[],
  seen?: BranchData,
): Promise<Run> {
  const { store, userId, runs, models, current } = parts;
  const model = await answeringModel(models, attached);
  const chatId = await beginChat(parts, question, attached);
  const active = seen ?? (await activeBranch(store, chatId, { userId }));
  const again = await toAnswerAgain(parts, active, question, attached);
  const branch = again?.name ?? active.name;
  const asked = again ? {} : await relationToHead({ store, userId }, active, question, attached);
  const run = await runs.start({
    chatId,
    branch,
    model,
    ...asked,
    after: again ? undefined : seen?.headMessageId,
  });
  await current.open(chatId);
  return run;
}

/** The first question makes the chat. @returns its id */
export async function beginChat(
  {
    store,
    userId,
    current,
    titleFrom,
    folderInUse,
  }: Pick<AskParts, 'store' | 'userId' | 'current' | 'titleFrom' | 'folderInUse'>,
  question: string,
  attached: readonly UIMessagePart[],
): Promise<string> {
  const chatId = await current.chatId();
  const chat = await store.upsertChat({ id: chatId, userId });
  if (chat.title === undefined) {
    const folder = folderInUse?.();
    await store.updateChat(chatId, {
      title: titleFrom(question === '' ? namesOfAttached(attached) : question),
      ...(folder === undefined ? {} : { metadata: { folder } }),
    });
  }
  return chatId;
}

/** After a rewind to before a question: a branch that ends with it, if it is asked unchanged. */
async function toAnswerAgain(
  { store, userId }: Pick<AskParts, 'store' | 'userId'>,
  branch: BranchData,
  question: string,
  attached: readonly UIMessagePart[],
): Promise<BranchInfo | undefined> {
  if (branch.headMessageId !== branch.forkMessageId) return undefined;
  const before = await questionBefore(store, branch);
  if (!before || !isAsked(before, question, attached)) return undefined;
  // The empty branch is dropped with its unchanged draft.
  await releaseDraft(store, branch, userId);
  return withEngine({ store, userId }, branch.chatId, (engine) => engine.rewind(before.id, byClick));
}

function isAsked(message: MessageData, question: string, attached: readonly UIMessagePart[]): boolean {
  const { text, parts } = storedQuestion(message);
  return text === question && JSON.stringify(askedWith(parts)) === JSON.stringify(attached);
}

async function relationToHead(
  { store, userId }: Pick<AskParts, 'store' | 'userId'>,
  branch: BranchData,
  question: string,
  attached: readonly UIMessagePart[],
): Promise<Pick<StartOptions, 'question' | 'attached' | 'replaces'>> {
  const { chatId, headMessageId } = branch;
  const head = headMessageId === null ? undefined : await store.getMessage(chatId, headMessageId);
  if (!head || !isUserTurn(head)) return { question, attached };
  if (isAsked(head, question, attached)) return {};
  return {
    question,
    attached,
    ...((await releaseDraft(store, branch, userId)) ? { replaces: head.id } : {}),
  };
}

/**
 * Asks on the active branch, or, while any window writes an answer there, queues the question until it ends. So does one
 * that another question was faster than.
 * @param isSteering send it to the model before the next step of that answer
 */
export async function askOrQueue(
  parts: AskParts & Pick<ConversationParts, 'queue'>,
  question: string,
  attached: readonly UIMessagePart[],
  isSteering: boolean,
): Promise<void> {
  const { store, userId, runs, current, queue } = parts;
  const chatId = await current.chatId();
  const seen = (await store.getChat(chatId)) && (await activeBranch(store, chatId, { userId }));
  const isAnswered =
    seen !== undefined &&
    (runs.get(chatId, seen.name) !== undefined ||
      (await answeredElsewhere(store, chatId, seen.name)) !== undefined);
  try {
    if (!isAnswered) {
      await ask(parts, question, attached, seen);
      return;
    }
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
  const { name: branch } = seen ?? (await activeBranch(store, chatId, { userId }));
  await queue.add({ chatId, branch }, { text: question, attached }, isSteering);
}

/** Makes a branch for a side question at the end of the active one. @returns its name */
export async function beginSideQuestion(
  parts: Pick<AskParts, 'store' | 'userId'>,
  chatId: string,
): Promise<string> {
  return (await withEngine(parts, chatId, (engine) => engine.btw())).name;
}

/**
 * Asks a side question, independent of the active branch's answer. In an empty chat it is an ordinary question.
 * @param on the branch of an earlier side question to follow up; absent: a new branch
 */
export async function askSideQuestion(
  parts: AskParts,
  question: string,
  attached: readonly UIMessagePart[],
  on?: string,
): Promise<Run> {
  const { store, userId, runs, models, current } = parts;
  const chatId = await current.chatId();
  const branch = (await store.getChat(chatId)) && (await activeBranch(store, chatId, { userId }));
  if (typeof branch?.headMessageId !== 'string') return ask(parts, question, attached);
  const model = await answeringModel(models, attached);
  const side = on ?? (await beginSideQuestion(parts, chatId));
  return runs.start({ chatId, branch: side, question, attached, model, isSideQuestion: true });
}
