import { ClosedError, MessageExistsError } from '../errors.ts';
import { checkedId } from '../storable.ts';
import type { AnswerEngine } from './answerEngine.ts';
import { AnswerNotFoundError, AnswerRunningError, AnswerUnfinishedError } from './answerErrors.ts';
import type { AnswerWriter, ListAnswers, OpenAnswer, UnfinishedAnswer } from './answerTypes.ts';
import { EngineAnswerWriter, type ClaimedAnswer } from './engineAnswerWriter.ts';
import { unfinishedAnswer } from './unfinishedAnswer.ts';

export { AnswerWatch } from './answerWatch.ts';

// Claiming compares and swaps: whether the writer before is gone is told by what was read, and a claim that names another
// writer than the one that is stored is refused. So of several claims in the same moment one succeeds, in whatever
// processes they are.

export async function openAnswer(engine: AnswerEngine, options: OpenAnswer): Promise<AnswerWriter> {
  const { store, chatId, userId } = engine.options;
  const id = checkedId(options.id ?? crypto.randomUUID(), 'message id');
  const { name: branch } = await engine.working.now();
  const known = await store.getAnswer(chatId, id, { content: false });
  if (known) throw known.status === 'running' ? new AnswerRunningError(id) : new AnswerUnfinishedError(id);
  // What the caller has seen is what it answers.
  const afterId = engine.working.headMessageId ?? null;
  const claim = crypto.randomUUID();
  const message = { id, role: 'assistant' as const, parts: [] };
  await store.claimAnswer({ chatId, userId, branch, answerId: id, afterId, message, claim });
  return begin(engine, { claim, branch, message, afterId });
}

export async function reopenAnswer(engine: AnswerEngine, id: string): Promise<AnswerWriter> {
  const { store, chatId, userId } = engine.options;
  const known = await store.getAnswer(chatId, checkedId(id, 'message id'), { content: false });
  if (!known) {
    throw (await store.getMessage(chatId, id)) ? new MessageExistsError(id) : new AnswerNotFoundError(id);
  }
  if (known.status === 'running') throw new AnswerRunningError(id);
  const claim = crypto.randomUUID();
  await store.reclaimAnswer({ chatId, userId, answerId: id, claim, replaces: known.claim });
  // The writer before may have stored more until then.
  const answer = await store.getAnswer(chatId, id);
  if (!answer?.message || answer.claim !== claim) throw new AnswerRunningError(id);
  return begin(engine, { claim, branch: answer.branch, message: answer.message, afterId: undefined });
}

async function begin(engine: AnswerEngine, claimed: ClaimedAnswer): Promise<AnswerWriter> {
  const { running } = engine;
  const writer = new EngineAnswerWriter(engine, claimed);
  if (!running.isClosed) return writer;
  // The engine was closed while it was claimed.
  await writer.end();
  throw new ClosedError('engine');
}

export function cancelAnswer(engine: AnswerEngine, id: string): Promise<boolean> {
  const { store, chatId, userId } = engine.options;
  return store.cancelAnswer(chatId, checkedId(id, 'message id'), { userId });
}

export async function listAnswers(engine: AnswerEngine, options: ListAnswers): Promise<UnfinishedAnswer[]> {
  const { store, chatId } = engine.options;
  const { status } = options;
  const all = (await store.listAnswers(chatId)).map(unfinishedAnswer);
  return status === undefined ? all : all.filter((each) => each.status === status);
}

export async function discardAnswer(engine: AnswerEngine, id: string): Promise<boolean> {
  const { store, chatId, userId } = engine.options;
  const known = await store.getAnswer(chatId, checkedId(id, 'message id'), { content: false });
  if (known?.status === 'running') throw new AnswerRunningError(id);
  return known !== undefined && store.discardAnswer(chatId, id, known.claim, { userId });
}
