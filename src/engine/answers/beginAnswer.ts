import { MessageExistsError } from '../errors.ts';
import { checkedId } from '../storable.ts';
import type { AnswerEngine } from './answerEngine.ts';
import { AnswerNotFoundError, AnswerRunningError, AnswerUnfinishedError } from './answerErrors.ts';
import type { OpenAnswer } from './answerTypes.ts';
import type { ClaimedAnswer } from './engineAnswerWriter.ts';

export { EngineAnswerWriter } from './engineAnswerWriter.ts';

// Claiming compares and swaps: whether the writer before is gone is told by what was read, and a claim that names another
// writer than the one that is stored is refused. So of several claims in the same moment one succeeds, in whatever
// processes they are.

/** @throws AnswerRunningError, AnswerUnfinishedError, MessageExistsError */
export async function claimAnswer(engine: AnswerEngine, options: OpenAnswer): Promise<ClaimedAnswer> {
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
  return { claim, branch, message, afterId };
}

/** @throws AnswerRunningError, AnswerNotFoundError, MessageExistsError */
export async function reclaimAnswer(engine: AnswerEngine, id: string): Promise<ClaimedAnswer> {
  const { store, chatId, userId } = engine.options;
  await engine.working.open();
  const known = await store.getAnswer(chatId, id, { content: false });
  if (!known) {
    throw (await store.getMessage(chatId, id)) ? new MessageExistsError(id) : new AnswerNotFoundError(id);
  }
  if (known.status === 'running') throw new AnswerRunningError(id);
  const claim = crypto.randomUUID();
  await store.reclaimAnswer({ chatId, userId, answerId: id, claim, replaces: known.claim });
  // The writer before may have stored more until then.
  const answer = await store.getAnswer(chatId, id);
  if (!answer?.message || answer.claim !== claim) throw new AnswerRunningError(id);
  return { claim, branch: answer.branch, message: answer.message, afterId: undefined };
}
