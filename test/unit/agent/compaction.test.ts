import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { activeCheckpoints } from '../../../src/agent/checkpoints/agentCheckpoint.ts';
import { cycleTools } from '../../../src/agent/checkpoints/cycleTools.ts';
import { answerMetadataOf } from '../../../src/agent/run/answerMetadata.ts';
import { pathSummaryOf } from '../../../src/engine/pathSummary.ts';
import { callTool, finish, pause, say, usage, type RecordedRequest } from '../../fixtures/openaiServer.ts';
import { CHAT, USER } from '../../worlds/agentWorld.ts';
import { callsEcho, CompactionWorld, isSummaryRequest, saying, words } from '../../worlds/compactionWorld.ts';
import { echoTool, receivedMessages } from '../../worlds/toolCalls.ts';

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
      window: 4_000,
      steps: 15,
      resultTokens: 220,
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
      assert.equal(world.summarized.length, 0);
      assert.equal((await world.outline()).length, 2);
    }
  });

  it('tells what it does, and takes in what the user says, while it does it', async () => {
    await using world = await CompactionWorld.make({
      window: 4_000,
      steps: 14,
      resultTokens: 220,
      reply: (request) => (isSummaryRequest(request) ? [pause(), ...saying('Gist.')] : undefined),
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
      window: 4_000,
      steps: 30,
      resultTokens: 220,
      reply: (request) => (isSummaryRequest(request) ? [pause(), ...saying('Gist.')] : undefined),
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
    while (world.summarized.length === 0) await world.answered(`${++number} ${words(340)}`);
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
        return results < 8 ? callsEcho(index + 1) : saying('Done.');
      },
      resultTokens: 400,
    });
    await world.world.startChat();
    const engine = world.world.engine();
    await engine.save();
    await engine.close();
    await world.answered('first');
    await world.world.store.addBranch({
      chatId: CHAT,
      userId: USER,
      from: 'main',
      activate: false,
      event: 'branch-created',
      details: {},
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
        return step === 16 ? back : saying('Port 8080.');
      },
    });
    const run = await world.answered('Which port?');
    assert.equal(run.status, 'complete');
    const reminded = world.asked.find((request) => receivedMessages(request).join().includes('still active'));
    assert.match(receivedMessages(reminded ?? assert.fail()).join('\n'), /Its goal: Find the port/);
    const names = (await world.world.store.listBranches(CHAT)).map(({ name }) => name);
    const outline = await world.outline(names.find((name) => name !== 'main'));
    assert.ok(!outline.some((line) => line.startsWith('summary of')), 'what was explored has it alone');
    assert.ok((await world.outline('main')).some((line) => line.startsWith('summary of')));
    assert.deepEqual(activeCheckpoints(await world.path(run.branch)), []);
    assert.match(receivedMessages(world.asked.at(-1) ?? assert.fail()).join('\n'), /It is 8080\./);
  });
});
