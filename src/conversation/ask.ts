import { namesOfAttached } from '../agent/attachments/questionText.ts';
import type { Run } from '../agent/runs.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import { withEngine } from './withEngine.ts';

type AskParts = Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'models' | 'current' | 'titleFrom'>;

/** Asks on the active branch; the first question makes the chat. */
export async function ask(
  { store, userId, runs, models, current, titleFrom }: AskParts,
  question: string,
  attached: readonly UIMessagePart[],
): Promise<Run> {
  const chatId = await current.chatId();
  const model = await models.current();
  const chat = await store.upsertChat({ id: chatId, userId });
  if (chat.title === undefined)
    await store.updateChat(chatId, {
      title: titleFrom(question === '' ? namesOfAttached(attached) : question),
    });
  const branch = await activeBranch(store, chatId, { userId });
  const run = await runs.start({ chatId, branch: branch.name, question, attached, model });
  await current.open(chatId);
  return run;
}

/**
 * Asks on the active branch, or, while an answer is written there, has the question wait for its end.
 * @param isSteering it goes to the model before the next step of that answer
 */
export async function askOrQueue(
  parts: AskParts & Pick<ConversationParts, 'queue'>,
  question: string,
  attached: readonly UIMessagePart[],
  isSteering: boolean,
): Promise<void> {
  const { store, userId, runs, current, queue } = parts;
  const chatId = await current.chatId();
  const branch = (await store.getChat(chatId)) && (await activeBranch(store, chatId, { userId })).name;
  if (branch === undefined || !runs.get(chatId, branch)) await ask(parts, question, attached);
  else await queue.add({ chatId, branch }, { text: question, attached }, isSteering);
}

/** Asks on a branch of its own, beside whatever goes on on the active one. An empty chat has no beside. */
export async function askSideQuestion(
  parts: AskParts,
  question: string,
  attached: readonly UIMessagePart[],
): Promise<Run> {
  const { store, userId, runs, models, current } = parts;
  const chatId = await current.chatId();
  const branch = (await store.getChat(chatId)) && (await activeBranch(store, chatId, { userId }));
  if (typeof branch?.headMessageId !== 'string') return ask(parts, question, attached);
  const model = await models.current();
  const side = await withEngine(parts, chatId, (engine) => engine.btw());
  // Its card shows one branch: it has no checkpoints of its own to go back to.
  return runs.start({ chatId, branch: side.name, question, attached, model, isSubagent: true });
}
