import assert from 'node:assert/strict';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { pathSummaryOf } from '../../../src/engine/pathSummary.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { finish, pause, raw, refuse, say, usage } from '../../fixtures/openaiServer.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { callsEcho, CompactionWorld, isSummaryRequest, saying, words } from '../../worlds/compactionWorld.ts';
import { receivedMessages } from '../../worlds/toolCalls.ts';

const TOO_LONG = 'This model’s maximum context length is 4000 tokens.';
const tooLong = () => refuse(400, { message: TOO_LONG, code: 'context_length_exceeded' });

describe('a run that finds no room', () => {
  it('makes it once where a server says so, without knowing the window, and goes on', async () => {
    let refused = 0;
    await using world = await CompactionWorld.make({
      steps: 12,
      resultTokens: 220,
      reply: (request) => {
        if (JSON.stringify(request.body.messages).length < 12_000) return undefined;
        refused += 1;
        return tooLong();
      },
    });
    const run = await world.answered('go');
    assert.equal(run.status, 'complete');
    assert.ok(refused >= 1);
    assert.ok((await world.outline()).some((line) => line.startsWith('summary of')));
  });

  it('goes on with half an answer that the window ended', async () => {
    let isFirst = true;
    await using world = await CompactionWorld.make({
      reply: (request) => {
        if (isSummaryRequest(request) || receivedMessages(request).length < 4 || !isFirst) return undefined;
        isFirst = false;
        return [say('Half of it'), raw(JSON.stringify({ error: { message: TOO_LONG } }))];
      },
    });
    await world.answered(words(300));
    const run = await world.answered('two');
    assert.equal(run.status, 'complete');
    assert.deepEqual((await world.outline()).slice(2), [
      'user: two',
      'assistant: Half of it',
      'summary of 2',
      'assistant: Done.',
    ]);
  });

  it('ends with what is wrong where every request is too long, after one summary', async () => {
    await using world = await CompactionWorld.make({
      reply: (request) => (isSummaryRequest(request) ? undefined : tooLong()),
    });
    await world.world.startChat();
    const engine = world.world.engine();
    await engine.set(user(words(500)), assistant(words(500))).save();
    await engine.close();
    const run = await world.answered('go');
    assert.equal(run.status, 'failed');
    assert.equal(run.error?.code, 'context-too-long');
    assert.equal(world.summarized.length, 1);
    assert.equal(world.asked.length, 2);
  });

  it('says that nothing is left to compact where the question alone is too long', async () => {
    await using world = await CompactionWorld.make({ reply: () => tooLong() });
    const run = await world.answered('go');
    assert.match(run.error?.message ?? '', /exceeded: This model’s maximum.* Nothing is left to compact/);
    assert.equal(world.summarized.length, 0);
  });

  for (const [what, reply] of [
    ['fails', () => refuse(401, { message: 'no key' })],
    ['is empty', () => saying(' ')],
    ['is longer than what it stands for', () => saying(words(5_000))],
  ] as const) {
    it(`goes on whole where the summary ${what}, says so, and does not try at each step`, async () => {
      await using world = await CompactionWorld.make({
        window: 4_000,
        steps: 16,
        resultTokens: 220,
        maxRetries: 0,
        reply: (request) => (isSummaryRequest(request) ? reply() : undefined),
      });
      const run = await world.answered('go');
      assert.equal(run.status, 'complete');
      assert.equal(run.notice?.code, 'not-compacted');
      assert.match(run.notice.message, /couldn’t be compacted, and was sent whole/);
      assert.ok(world.summarized.length <= 3, `${world.summarized.length} summaries`);
      assert.deepEqual(await world.outline(), ['user: go', 'assistant: 16 calls, Done.']);
    });
  }

  it('says why where the window is full and the summary fails', async () => {
    await using world = await CompactionWorld.make({
      maxRetries: 0,
      reply: (request) => (isSummaryRequest(request) ? refuse(401, { message: 'no key' }) : tooLong()),
    });
    await world.world.startChat();
    const engine = world.world.engine();
    await engine.set(user('one'), assistant(words(500))).save();
    await engine.close();
    const run = await world.answered('go');
    assert.match(
      run.error?.message ?? '',
      /exceeded: This model’s maximum.* couldn’t be compacted\..*needs a key/,
    );
  });

  it('reads what is too long for the summary as well in shorter portions', async () => {
    await using world = await CompactionWorld.make({
      reply: (request) => {
        const { length } = JSON.stringify(request.body.messages);
        return length > (isSummaryRequest(request) ? 9_000 : 14_000) ? tooLong() : undefined;
      },
    });
    for (const number of [1, 2, 3]) {
      const run = await world.answered(`${number} ${words(1_000)}`);
      assert.equal(run.status, 'complete', run.error?.message);
    }
    assert.ok(world.summarized.length > 2);
  });

  it('makes room for a model with a smaller window than the one before', async () => {
    await using world = await CompactionWorld.make({ window: 100_000 });
    for (const number of [1, 2, 3]) await world.answered(`${number} ${words(1_000)}`);
    assert.deepEqual(world.summarized, []);
    await world.answered('go on', { model: await world.model(3_000) });
    assert.notDeepEqual(world.summarized, []);
    assert.ok(
      (await world.outline()).includes('summary of 4') || (await world.outline()).includes('summary of 6'),
    );
    const sent = receivedMessages(world.asked.at(-1) ?? assert.fail()).join('\n');
    assert.match(sent, /go on/);
  });

  it('believes the server where it counts more than is counted here', async () => {
    await using world = await CompactionWorld.make({
      window: 8_000,
      reply: (request, index) => {
        if (isSummaryRequest(request)) return undefined;
        const { length } = JSON.stringify(request.body.messages);
        return index < 12
          ? [...callsEcho(index + 1).slice(0, 1), usage(Math.round(length / 2.2), 10), finish('tool_calls')]
          : saying('Done.');
      },
      resultTokens: 220,
    });
    await world.answered('go');
    assert.ok(world.summarized.length > 0);
  });

  it('leaves nothing of a crash but the answer so far', async () => {
    await using world = await CompactionWorld.make({
      window: 4_000,
      steps: 30,
      resultTokens: 220,
      reply: (request) => (isSummaryRequest(request) ? [pause()] : undefined),
    });
    const run = await world.start({ question: 'go' });
    await world.world.until(() => run.compacting !== undefined);
    assert.equal((await world.path()).length, 1, 'nothing is saved before there is a summary');
    assert.equal(textOf(run.message()), '');
    assert.equal(run.message().parts.filter(({ type }) => type === 'tool-echo').length, 13);
  });

  it('is continued from the summary that a conversation cut off ends with', async () => {
    let isCut = true;
    await using world = await CompactionWorld.make({
      steps: 8,
      resultTokens: 220,
      reply: (request) => {
        if (isSummaryRequest(request) || !isCut || receivedMessages(request).length < 10) return undefined;
        isCut = false;
        return [say('Half'), pause()];
      },
    });
    const run = await world.start({ question: 'go' });
    await world.world.arrived(run, 'Half');
    await world.world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
    await (
      await world.start({ compacts: { thenAnswers: true }, continues: true })
    ).done;
    const outline = await world.outline();
    assert.match(outline.findLast((line) => line.startsWith('summary')) ?? '', /summary of 1/);
    // As after a crash: nothing follows the summary.
    const at = (await world.path()).find((message) => pathSummaryOf(message))?.id ?? assert.fail();
    const engine = world.world.engine();
    const { name } = await engine.rewind(at);
    await engine.close();
    const again = await world.start({ branch: name, continues: true });
    await again.done;
    assert.equal(again.status, 'complete');
    assert.match((await world.outline(name)).at(-1) ?? '', /Done\.$/);
  });
});
