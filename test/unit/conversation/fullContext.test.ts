import assert from 'node:assert/strict';
import { NothingToSummarizeError } from '../../../src/conversation/earlierPart.ts';
import { pathSummaryOf } from '../../../src/engine/pathSummary.ts';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import {
  answer,
  lastQuestion,
  raw,
  refuse,
  say,
  type RecordedRequest,
  type Reply,
} from '../../fixtures/openaiServer.ts';
import { CHAT } from '../agent/agentWorld.ts';
import { ConversationWorld } from './conversationWorld.ts';

const TOO_LONG = 'This model’s maximum context length is 8192 tokens.';
const writing = (signal = new AbortController().signal) => ({ signal });

/** An answer that has begun when the server finds the context full. */
const broken = [say('Half'), raw(JSON.stringify({ error: { message: TOO_LONG } }))];

/** A server that reads so many messages at most, and summarizes in two words. */
const reads =
  (most: number) =>
  (request: RecordedRequest): Reply => {
    const asked = lastQuestion(request);
    if (asked.startsWith('Summarise this part')) return answer('the gist');
    const { length } = request.body.messages.filter(({ role }) => role !== 'system');
    if (length > most) return refuse(400, { message: TOO_LONG, code: 'context_length_exceeded' });
    return answer(`You said ${asked}`);
  };

describe('a context that is full', () => {
  const said = async (world: ConversationWorld, branch: string): Promise<string[]> => {
    const { headMessageId } = await world.branch(branch);
    const path = headMessageId === null ? [] : await world.store.getPath(CHAT, headMessageId);
    const texts = await world.world.texts(branch);
    return path.map(({ data }, index) => {
      const read = readUIMessage(data);
      const summary = read && pathSummaryOf(read);
      return summary ? `(${summary.text}: ${summary.source.count})` : (texts[index] ?? '');
    });
  };
  const goOn = async (world: ConversationWorld): Promise<string> => {
    const moved = await (await world.conversations.summaries()).summarizeAndContinue(writing());
    assert.ok(moved);
    await world.world.runs.get(CHAT, moved.to.name)?.done;
    return moved.to.name;
  };

  it('is summarized up to the question, which is then answered, and what was there stays', async () => {
    await using world = await ConversationWorld.make(reads(3));
    await world.answered('one');
    await world.answered('two');
    const refused = await world.conversations.ask('three');
    await refused.done;
    assert.equal(refused.error?.code, 'context-too-long');
    const branch = await goOn(world);
    assert.deepEqual(await said(world, branch), ['(the gist: 4)', 'three', 'You said three']);
    assert.deepEqual(await said(world, 'main'), ['one', 'You said one', 'two', 'You said two', 'three']);
    assert.deepEqual(await world.branches(), ['main', `${branch}*`]);
  });

  it('is summarized with what was done for the only question, which is asked once more', async () => {
    await using world = await ConversationWorld.make((request, index) =>
      index === 0 ? broken : reads(2)(request),
    );
    const run = await world.conversations.ask('one');
    await run.done;
    assert.equal(run.error?.code, 'context-too-long');
    assert.deepEqual(await said(world, await goOn(world)), ['(the gist: 2)', 'one', 'You said one']);
    assert.deepEqual(await said(world, 'main'), ['one', 'Half']);
  });

  it('continues an answer that broke off on the way', async () => {
    await using world = await ConversationWorld.make((request, index) =>
      index === 1 ? broken : reads(9)(request),
    );
    await world.answered('one');
    await world.answered('two');
    const texts = await said(world, await goOn(world));
    assert.deepEqual(texts.slice(0, 3), ['(the gist: 2)', 'two', 'Half']);
    assert.equal(texts.length, 4);
  });

  it('with nothing to answer is summarized, and waits for the user', async () => {
    await using world = await ConversationWorld.make(reads(9));
    await world.answered('one');
    await world.answered('two');
    assert.deepEqual(await said(world, await goOn(world)), ['(the gist: 2)', 'two', 'You said two']);
  });

  it('says so where the question alone is too long, and changes nothing', async () => {
    await using world = await ConversationWorld.make(reads(0));
    const run = await world.conversations.ask('one');
    await run.done;
    assert.equal(run.error?.code, 'context-too-long');
    const summaries = await world.conversations.summaries();
    await assert.rejects(summaries.summarizeAndContinue(writing()), NothingToSummarizeError);
    assert.deepEqual(await world.branches(), ['main*']);
  });

  it('is as before when the summary is stopped', async () => {
    await using world = await ConversationWorld.make(reads(3));
    for (const question of ['one', 'two', 'three']) await world.answered(question);
    const stopped = new AbortController();
    stopped.abort();
    const summaries = await world.conversations.summaries();
    assert.equal(await summaries.summarizeAndContinue(writing(stopped.signal)), undefined);
    assert.deepEqual(await world.branches(), ['main*']);
  });
});
