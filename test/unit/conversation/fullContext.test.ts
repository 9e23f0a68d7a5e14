import assert from 'node:assert/strict';
import { NOT_COMPACTED } from '../../../src/agent/compaction/compactionErrors.ts';
import type { Run } from '../../../src/agent/run/runs.ts';
import { MessageNotFoundError } from '../../../src/engine/errors.ts';
import { pathSummaryOf } from '../../../src/engine/pathSummary.ts';
import { readUIMessage, textOf } from '../../../src/engine/uiMessage.ts';
import {
  answer,
  lastQuestion,
  pause,
  raw,
  refuse,
  say,
  type RecordedRequest,
  type Reply,
} from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';
import { noFiles } from '../../fixtures/noFiles.ts';

const TOO_LONG = 'This model’s maximum context length is 8192 tokens.';

/** An answer that has begun when the server finds the context full. */
const broken = [say('Half of a rather long answer'), raw(JSON.stringify({ error: { message: TOO_LONG } }))];

/** A server that reads so many messages at most, and summarizes in two words. */
const reads =
  (most: number) =>
  (request: RecordedRequest): Reply => {
    const asked = lastQuestion(request);
    if (asked.startsWith('Summarize this part')) return answer('the gist');
    const { length } = request.body.messages.filter(({ role }) => role !== 'system');
    if (length > most) return refuse(400, { message: TOO_LONG, code: 'context_length_exceeded' });
    return answer(`You said ${asked}`);
  };

describe('a context that is full', () => {
  const texts = async (world: ConversationWorld, branch = 'main'): Promise<string[]> => {
    const { headMessageId } = await world.branch(branch);
    const path = headMessageId === null ? [] : await world.store.getPath(CHAT, headMessageId);
    const texts = await world.world.texts(branch);
    return path.map(({ data }, index) => {
      const read = readUIMessage(data);
      const summary = read && pathSummaryOf(read);
      return summary ? `(${summary.text}: ${summary.source.count})` : (texts[index] ?? '');
    });
  };
  const compacted = async (world: ConversationWorld): Promise<Run> => {
    const run = await world.conversations.compact({ thenAnswers: true });
    await run.done;
    return run;
  };

  it('is compacted up to the question, which is then answered on the same branch', async () => {
    await using world = await ConversationWorld.make(reads(3));
    await world.answered('one');
    await world.answered('two');
    const refused = await world.conversations.ask('three');
    await refused.done;
    assert.equal(refused.error?.code, 'context-too-long');
    await compacted(world);
    assert.deepEqual(await texts(world), [
      ...['one', 'You said one', 'two', 'You said two', 'three'],
      ...['(the gist: 4)', 'You said three'],
    ]);
    assert.deepEqual(await world.branches(), ['main*']);
  });

  it('is compacted with what was done for the only question, which is still sent', async () => {
    await using world = await ConversationWorld.make((request, index) =>
      index === 0 ? broken : reads(1)(request),
    );
    const run = await world.conversations.ask('one');
    await run.done;
    assert.equal(run.error?.code, 'context-too-long');
    await compacted(world);
    assert.deepEqual(await texts(world), [
      'one',
      'Half of a rather long answer',
      '(the gist: 1)',
      'You said one',
    ]);
    const sent = world.world.server.requests.at(-1)?.body.messages ?? [];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['system', 'user'],
    );
  });

  it('with nothing to answer is compacted, and waits for the user', async () => {
    await using world = await ConversationWorld.make(reads(9));
    await world.answered('one');
    await world.answered('two');
    await compacted(world);
    assert.deepEqual(await texts(world), ['one', 'You said one', 'two', 'You said two', '(the gist: 2)']);
    await world.answered('three');
    const sent = world.world.server.requests.at(-1)?.body.messages ?? [];
    assert.equal(sent.length, 4, 'instructions, summary with question, answer, question');
  });

  it('says so where the question alone is too long, and changes nothing', async () => {
    await using world = await ConversationWorld.make(reads(0));
    const run = await world.conversations.ask('one');
    await run.done;
    assert.equal(run.error?.code, 'context-too-long');
    const vain = await compacted(world);
    assert.equal(vain.error?.code, NOT_COMPACTED);
    assert.match(vain.error.message, /Nothing to compact yet/);
    assert.deepEqual(await texts(world), ['one']);
  });

  it('is as before when it is stopped', async () => {
    await using world = await ConversationWorld.make((request) =>
      lastQuestion(request).startsWith('Summarize this part') ? [pause()] : reads(9)(request),
    );
    for (const question of ['one', 'two', 'three']) await world.answered(question);
    const run = await world.conversations.compact({ thenAnswers: false });
    await world.world.until(() => run.compacting !== undefined);
    assert.equal(world.world.runs.get(CHAT, 'main'), run, 'no other answer can begin until then');
    await world.conversations.stop();
    assert.equal(run.status, 'interrupted');
    assert.equal((await texts(world)).length, 6);
    assert.deepEqual(await world.branches(), ['main*']);
  });

  it('keeps what the user wants kept, by their own words', async () => {
    await using world = await ConversationWorld.make(reads(9));
    for (const question of ['one', 'two']) await world.answered(question);
    await (
      await world.conversations.compact({ wanted: 'the port number', thenAnswers: false })
    ).done;
    const [instructions] = world.world.server.requests.at(-1)?.body.messages ?? [];
    assert.match(JSON.stringify(instructions?.content), /kept above all: the port number/);
  });

  describe('when that is undone', () => {
    it('is whole again on a new branch, with what was said since, and can be redone', async () => {
      await using world = await ConversationWorld.make(reads(9));
      for (const question of ['one', 'two']) await world.answered(question);
      await compacted(world);
      await world.answered('three');
      const summaries = await world.conversations.summaries();
      const move = await summaries.undoCompaction(await world.idAt(4));
      assert.deepEqual(await texts(world, move.to.name), [
        ...['one', 'You said one', 'two', 'You said two', 'three', 'You said three'],
      ]);
      assert.equal((await texts(world)).length, 7, 'the branch that was left is as it was');
      const { messages } = await world.world.engine(move.to.name).resolve();
      assert.equal(messages.length, 6);
      const history = world.conversations.history(noFiles);
      assert.equal((await history.take('undo'))?.kind, 'summarised');
      assert.ok((await world.branches()).includes('main*'));
    });

    it('goes back to before it where nothing was said since', async () => {
      await using world = await ConversationWorld.make(reads(9));
      for (const question of ['one', 'two']) await world.answered(question);
      await compacted(world);
      const summaries = await world.conversations.summaries();
      const move = await summaries.undoCompaction(await world.idAt(4));
      assert.equal((await texts(world, move.to.name)).length, 4);
      await assert.rejects(summaries.undoCompaction(await world.idAt(0)), MessageNotFoundError);
    });
  });

  it('is known to what takes parts of branches elsewhere', async () => {
    await using world = await ConversationWorld.make(reads(20));
    for (const question of ['one', 'two']) await world.answered(question);
    await compacted(world);
    await world.answered('three');
    const summaries = await world.conversations.summaries();
    const main = await world.branch('main');
    // Beginning with the root, it is read as it is sent; from elsewhere on, as it was said.
    const gist = async (messageId: string, extent: 'up-to-here' | 'from-here'): Promise<string> => {
      await world.conversations.switchBranch('main');
      await summaries.replace(messageId, extent, { signal: new AbortController().signal });
      return lastQuestion(world.world.server.requests.at(-1) ?? assert.fail());
    };
    const upTo = await gist(await world.idAt(6), 'up-to-here');
    assert.ok(upTo.includes('the gist') && !upTo.includes('You said one'));
    await world.conversations.switchBranch('main');
    const from = await gist(await world.idAt(1), 'from-here');
    assert.ok(!from.includes('the gist') && from.includes('You said one'));
    // A summary of less than is summarized now is part of that.
    await world.conversations.switchBranch('main');
    const shortened = await summaries.replace(await world.idAt(3), 'up-to-here', {
      signal: new AbortController().signal,
    });
    assert.deepEqual(await texts(world, shortened?.to.name), ['(the gist: 4)', 'three', 'You said three']);
    // One that reaches further is copied with what it covers.
    await world.conversations.switchBranch('main');
    const short = await summaries.replace(await world.idAt(0), 'up-to-here', {
      signal: new AbortController().signal,
    });
    const sent = (await world.world.engine(short?.to.name).resolve()).messages.map(textOf);
    assert.equal(sent.length, 5);
    assert.match(sent[0] ?? '', /become too long/);
    // Of a question and its answer only those are taken.
    await world.conversations.switchBranch('main');
    const question = await world.idAt(2);
    const { to } = await world.conversations.rewind(await world.idAt(1));
    const picked = await summaries.cherryPick(main, question, await world.branch(to.name));
    assert.deepEqual(await texts(world, picked.to.name), ['one', 'You said one', 'two', 'You said two']);
  });
});
