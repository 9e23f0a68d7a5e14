import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { activeCheckpoints } from '../../../src/agent/cycle/agentCheckpoint.ts';
import { cycleTools } from '../../../src/agent/cycle/cycleTools.ts';
import { answerMetadataOf } from '../../../src/agent/answerMetadata.ts';
import { pathSummaryOf } from '../../../src/engine/pathSummary.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import {
  callTool,
  finish,
  pause,
  raw,
  refuse,
  say,
  usage,
  type RecordedRequest,
} from '../../fixtures/openaiServer.ts';
import { CHAT, USER } from './agentWorld.ts';
import { callsEcho, CompactionWorld, isSummaryRequest, said, words } from './compactionWorld.ts';
import { echoTool, receivedMessages } from './toolWorld.ts';

const TOO_LONG = 'This model’s maximum context length is 4000 tokens.';
const tooLong = () => refuse(400, { message: TOO_LONG, code: 'context_length_exceeded' });

/** What each request held, shortened; what was sent before is only counted. */
function transcript(requests: readonly RecordedRequest[]): string {
  let before: string[] = [];
  return requests
    .map((request, index) => {
      const messages = receivedMessages(request).map((text) =>
        text.length > 400 && !text.startsWith('user') ? `${text.slice(0, 40)}… (${text.length})` : text,
      );
      let same = 0;
      while (same < before.length && messages[same] === before[same]) same += 1;
      if (!isSummaryRequest(request)) before = messages;
      const shown = isSummaryRequest(request)
        ? messages.map((text) => shortened(text))
        : messages.slice(same);
      return [
        `=== Request ${index + 1}${isSummaryRequest(request) ? ', for a summary' : ''}`,
        ...(same > 0 && !isSummaryRequest(request) ? [`(${same} messages as before)`] : []),
        ...shown,
        '',
      ].join('\n');
    })
    .join('\n');
}

const shortened = (text: string): string => text.replaceAll(/(?:word ){20,}word/gu, 'word … word');

describe('a long run in a small window', () => {
  it('goes through two compactions, and each request holds what the file says', async () => {
    await using world = await CompactionWorld.make({ window: 4_000, steps: 30, resultTokens: 220 });
    const run = await world.answered('Look through all of it.');
    assert.equal(run.status, 'complete');
    assert.equal(run.notice, undefined);
    assert.deepEqual(await world.outline(), [
      'user: Look through all of it.',
      'assistant: 9 calls',
      'assistant: 4 calls',
      'summary of 1',
      'assistant: 5 calls',
      'assistant: 4 calls',
      'summary of 3',
      'assistant: 8 calls, Done.',
    ]);
    const file = path.join(process.cwd(), 'test', 'fixtures', 'transcripts', 'compaction.txt');
    const text = transcript(world.world.server.requests);
    if (process.env['UPDATE_TRANSCRIPTS'] === '1') await writeFile(file, text);
    assert.equal(text, await readFile(file, 'utf8'), 'what the model sees is not what compaction.txt says');
  });

  it('counts what the summary took, once, and what the steps took, once', async () => {
    await using world = await CompactionWorld.make({
      ...{ window: 4_000, steps: 15, resultTokens: 220 },
      reply: (request) => (isSummaryRequest(request) ? [say('Gist.'), usage(3_000, 7), finish()] : undefined),
    });
    await world.answered('go');
    const kept = (await world.path()).map((message) => answerMetadataOf(message)?.usage);
    assert.deepEqual(
      kept.map((each) => each?.inputTokens),
      [undefined, undefined, undefined, 3_000, undefined],
    );
  });

  it('sends what it sent before again byte for byte between two compactions', async () => {
    await using world = await CompactionWorld.make({ window: 4_000, steps: 30, resultTokens: 220 });
    await world.answered('go');
    const sent = world.asked.map((request) => JSON.stringify(request.body.messages).slice(0, -1));
    const breaks = sent.filter((text, index) => index > 0 && !text.startsWith(sent[index - 1] ?? ''));
    assert.equal(breaks.length, 2);
  });

  it('is sent whole where that is turned off, or nothing is known of the window', async () => {
    for (const options of [{ window: 4_000, settings: { enabled: false } }, {}]) {
      await using world = await CompactionWorld.make({ steps: 20, resultTokens: 220, ...options });
      await world.answered('go');
      assert.equal(world.summarised.length, 0);
      assert.equal((await world.outline()).length, 2);
    }
  });

  it('tells what it does while it does it, and takes in what the user says meanwhile', async () => {
    await using world = await CompactionWorld.make({
      ...{ window: 4_000, steps: 14, resultTokens: 220 },
      reply: (request) => (isSummaryRequest(request) ? [pause(), ...said('Gist.')] : undefined),
    });
    const run = await world.start({ question: 'go' });
    await world.world.until(() => run.compacting !== undefined);
    assert.deepEqual(run.compacting, { portion: 1, portions: 1 });
    const { id: branchId } = (await world.world.store.getBranch(CHAT, 'main')) ?? assert.fail();
    const queue = [{ id: 'q-2', text: 'And be quick.', attached: [], isSteering: true }];
    await world.world.store.updateChat(CHAT, { metadata: { queues: { [branchId]: queue } } });
    world.world.server.release('pause');
    await run.done;
    assert.equal(run.compacting, undefined);
    const outline = await world.outline();
    assert.deepEqual(outline.slice(3, 5), ['summary of 1', 'user: And be quick.']);
    const afterwards = world.asked.findIndex((request) =>
      receivedMessages(request).join().includes('be quick'),
    );
    assert.match(receivedMessages(world.asked[afterwards] ?? assert.fail()).join('\n'), /Gist\./);
  });

  it('is stopped by Stop, with nothing of a summary left', async () => {
    await using world = await CompactionWorld.make({
      ...{ window: 4_000, steps: 30, resultTokens: 220 },
      reply: (request) => (isSummaryRequest(request) ? [pause(), ...said('Gist.')] : undefined),
    });
    const run = await world.start({ question: 'go' });
    await world.world.until(() => run.compacting !== undefined);
    await world.world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
    assert.deepEqual(await world.outline(), ['user: go', 'assistant: 13 calls']);
  });

  it('compacts before a question is sent, and leaves the last turns as they are', async () => {
    await using world = await CompactionWorld.make({ window: 4_000, reply: () => undefined });
    let number = 0;
    while (world.summarised.length === 0) await world.answered(`${++number} ${words(420)}`);
    assert.deepEqual(
      (await world.outline()).slice(-3).map((line) => line.slice(0, 15)),
      [`user: ${number} word wo`, `summary of ${2 * (number - 2)}`, 'assistant: Done'],
    );
    const sent = receivedMessages(world.asked.at(-1) ?? assert.fail());
    assert.equal(sent.length, 4);
    assert.match(sent[1] ?? '', new RegExp(`The gist\\.[^]*${number - 1} word`, 'u'));
    assert.match(sent[2] ?? '', /Done/u);
    assert.match(sent[3] ?? '', new RegExp(`${number} word`, 'u'));
  });

  it('belongs to its branch: before it everything is sent, after it what it leaves', async () => {
    await using world = await CompactionWorld.make({ window: 4_000, steps: 14, resultTokens: 220 });
    await world.answered('go');
    const [, covered, left, summary] = await world.path();
    const sentAt = async (id: string | undefined): Promise<string[]> => {
      const engine = new ContextEngine({ store: world.world.store, chatId: CHAT, userId: USER });
      await engine.rewind(id ?? assert.fail());
      const { messages } = await engine.resolve();
      await engine.close();
      return messages.map((message) => (pathSummaryOf(message) ? 'summary' : message.role));
    };
    assert.deepEqual(await sentAt(covered?.id), ['user', 'assistant']);
    assert.deepEqual(await sentAt(left?.id), ['user', 'assistant', 'assistant']);
    assert.deepEqual(await sentAt(summary?.id), ['summary', 'user', 'assistant']);
  });

  it('happens on two branches at once without one hearing of the other', async () => {
    await using world = await CompactionWorld.make({
      window: 4_000,
      reply: (request, index) => {
        if (isSummaryRequest(request)) return undefined;
        const results =
          receivedMessages(request)
            .join()
            .match(/step \d+/gu)?.length ?? 0;
        return results < 8 ? callsEcho(index + 1) : said('Done.');
      },
      resultTokens: 400,
    });
    await world.world.startChat();
    const engine = world.world.engine();
    await engine.save();
    await engine.close();
    await world.answered('first');
    await world.world.store.addBranch({
      ...{ chatId: CHAT, userId: USER, from: 'main', activate: false, event: 'branch-created', details: {} },
      messageId: (await world.path())[0]?.id ?? null,
    });
    const side = (await world.world.store.listBranches(CHAT)).find(({ name }) => name !== 'main')?.name ?? '';
    const runs = await Promise.all([
      world.start({ question: 'on main' }),
      world.start({ question: 'on the other', branch: side }),
    ]);
    await Promise.all(runs.map(({ done }) => done));
    for (const branch of ['main', side]) {
      assert.ok(
        (await world.outline(branch)).some((line) => line.startsWith('summary of')),
        branch,
      );
    }
  });

  it('keeps the agent’s own checkpoint, and goes back to it with a report', async () => {
    const open = [
      callTool('c-1', 'checkpoint', JSON.stringify({ goal: 'Find the port' })),
      finish('tool_calls'),
    ];
    const back = [callTool('c-2', 'rewind', JSON.stringify({ report: 'It is 8080.' })), finish('tool_calls')];
    let step = 0;
    await using world = await CompactionWorld.make({
      window: 5_000,
      tools: () => [...cycleTools, { ...echoTool, call: () => Promise.resolve({ text: words(320) }) }],
      reply: (request) => {
        if (isSummaryRequest(request)) return undefined;
        step += 1;
        if (step === 1) return open;
        if (step < 16) return callsEcho(step);
        return step === 16 ? back : said('Port 8080.');
      },
    });
    const run = await world.answered('Which port?');
    assert.equal(run.status, 'complete');
    const told = world.asked.find((request) => receivedMessages(request).join().includes('still active'));
    assert.match(receivedMessages(told ?? assert.fail()).join('\n'), /Its goal: Find the port/);
    const names = (await world.world.store.listBranches(CHAT)).map(({ name }) => name);
    const outline = await world.outline(names.find((name) => name !== 'main'));
    assert.ok(!outline.some((line) => line.startsWith('summary of')), 'what was explored has it alone');
    assert.ok((await world.outline('main')).some((line) => line.startsWith('summary of')));
    assert.deepEqual(activeCheckpoints(await world.path(run.branch)), []);
    assert.match(receivedMessages(world.asked.at(-1) ?? assert.fail()).join('\n'), /It is 8080\./);
  });
});

describe('a run that finds no room', () => {
  it('makes it once where a server says so, without knowing the window, and goes on', async () => {
    let refused = 0;
    await using world = await CompactionWorld.make({
      ...{ steps: 12, resultTokens: 220 },
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
    const { user, assistant } = await import('../../../src/engine/fragments/index.ts');
    await engine.set(user(words(500)), assistant(words(500))).save();
    await engine.close();
    const run = await world.answered('go');
    assert.equal(run.status, 'failed');
    assert.equal(run.error?.code, 'context-too-long');
    assert.equal(world.summarised.length, 1);
    assert.equal(world.asked.length, 2);
  });

  it('says that nothing is left to compact where the question alone is too long', async () => {
    await using world = await CompactionWorld.make({ reply: () => tooLong() });
    const run = await world.answered('go');
    assert.match(run.error?.message ?? '', /nothing is left to compact/);
    assert.equal(world.summarised.length, 0);
  });

  for (const [what, reply] of [
    ['fails', () => refuse(401, { message: 'no key' })],
    ['is empty', () => said(' ')],
    ['is longer than what it stands for', () => said(words(5_000))],
  ] as const) {
    it(`goes on whole where the summary ${what}, says so, and does not try at each step`, async () => {
      await using world = await CompactionWorld.make({
        ...{ window: 4_000, steps: 16, resultTokens: 220, maxRetries: 0 },
        reply: (request) => (isSummaryRequest(request) ? reply() : undefined),
      });
      const run = await world.answered('go');
      assert.equal(run.status, 'complete');
      assert.equal(run.notice?.code, 'not-compacted');
      assert.match(run.notice.message, /couldn’t be compacted, and was sent whole/);
      assert.ok(world.summarised.length <= 3, `${world.summarised.length} summaries`);
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
    const { user, assistant } = await import('../../../src/engine/fragments/index.ts');
    await engine.set(user('one'), assistant(words(500))).save();
    await engine.close();
    const run = await world.answered('go');
    assert.match(
      run.error?.message ?? '',
      /exceeded, and the conversation couldn’t be compacted\..*needs a key/,
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
    assert.ok(world.summarised.length > 2);
  });

  it('makes room for a model with a smaller window than the one before', async () => {
    await using world = await CompactionWorld.make({ window: 100_000 });
    for (const number of [1, 2, 3]) await world.answered(`${number} ${words(1_000)}`);
    assert.equal(world.summarised.length, 0);
    await world.answered('go on', { model: await world.model(3_000) });
    assert.ok(world.summarised.length > 0);
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
          : said('Done.');
      },
      resultTokens: 220,
    });
    await world.answered('go');
    assert.ok(world.summarised.length > 0);
  });

  it('leaves nothing of a crash but the answer so far', async () => {
    await using world = await CompactionWorld.make({
      ...{ window: 4_000, steps: 30, resultTokens: 220 },
      reply: (request) => (isSummaryRequest(request) ? [pause()] : undefined),
    });
    const run = await world.start({ question: 'go' });
    await world.world.until(() => run.compacting !== undefined);
    assert.equal((await world.path()).length, 1, 'nothing is saved before there is a summary');
    assert.equal(textOf(run.message()), '');
    assert.equal(run.message().parts.filter(({ type }) => type === 'tool-echo').length, 13);
  });
});
