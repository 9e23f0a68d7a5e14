import assert from 'node:assert/strict';
import { z } from 'zod';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import type { Run } from '../../../src/agent/run/runs.ts';
import { defineTool, type AgentTool } from '../../../src/agent/tools/tool.ts';
import {
  answer,
  callTool,
  cut,
  finish,
  refuse,
  say,
  toolResultsOf,
  useTools,
} from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld, type World } from '../../worlds/agentWorld.ts';
import { callsIn, request, receivedMessages } from '../../worlds/toolCalls.ts';

/** A tool that changes something of the conversation, so that each step is a message of its own, as with edits. */
function counting(): { readonly tool: AgentTool; readonly counted: string[] } {
  const counted: string[] = [];
  const tool = defineTool({
    name: 'count',
    description: 'Counts.',
    input: z.object({ what: z.string() }),
    run: ({ what }, { state }) => {
      counted.push(what);
      state.set('last', what);
      return { text: `counted ${what}` };
    },
  });
  return { tool, counted };
}

async function goOn(world: World, model?: ChatModel): Promise<Run> {
  const run = await world.runs.start({
    chatId: CHAT,
    branch: 'main',
    model: model ?? (await world.model()),
    continues: true,
  });
  await run.done;
  return run;
}

const three = [
  useTools(['count', { what: 'one' }]),
  useTools(['count', { what: 'two' }]),
  useTools(['count', { what: 'three' }]),
];

describe('going on after a failure', () => {
  for (const [how, broken] of [
    ['the server refuses', refuse(500)],
    ['the connection is cut in the middle of a word', [say('Now I w'), cut()]],
    ['the answer is empty', [finish('error')]],
  ] as const) {
    it(`repeats nothing of three steps when ${how}`, async () => {
      const { tool, counted } = counting();
      const script = [...three, broken, answer('All done.')];
      await using world = await newWorld({ tools: () => [tool], maxRetries: 0, script });
      const run = await world.answered('count to three');
      assert.equal(run.status, 'failed');
      const before = (await world.path()).map(({ id }) => id);
      const on = await goOn(world);
      assert.equal(on.status, 'complete');
      assert.equal(on.questionId, run.questionId);
      assert.deepEqual(counted, ['one', 'two', 'three']);
      assert.deepEqual(
        toolResultsOf(request(world.server, 5)).map(({ result }) => result),
        ['counted one', 'counted two', 'counted three'],
      );
      const path = await world.path();
      assert.deepEqual(
        path.slice(0, before.length).map(({ id }) => id),
        before,
      );
      assert.equal(callsIn(path).length, 3);
      assert.deepEqual((await world.texts()).at(-1), 'All done.');
    });
  }

  it('works after Stop, with what was under way told and not run again', async () => {
    const { tool, counted } = counting();
    const waits = Promise.withResolvers<undefined>();
    const waiting = defineTool({
      name: 'wait',
      description: 'Waits.',
      input: z.object({}),
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          counted.push('wait');
          waits.resolve(undefined);
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
    await using world = await newWorld({
      tools: () => [tool, waiting],
      script: [useTools(['count', { what: 'one' }], ['wait']), answer('On I go.')],
    });
    const run = await world.ask('?');
    await waits.promise;
    await world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
    const on = await goOn(world);
    assert.equal(on.status, 'complete');
    assert.deepEqual(counted, ['one', 'wait']);
    const [first, second] = toolResultsOf(request(world.server, 2));
    assert.equal(first?.result, 'counted one');
    assert.match(second?.result ?? '', /stopped/);
  });

  it('is not for an answer that came to its end', async () => {
    await using world = await newWorld({ script: [answer('Done')] });
    await world.answered('?');
    await assert.rejects(goOn(world), { code: 'nothing-to-answer' });
  });
});

describe('a step the model can do better', () => {
  it('that reached the output limit in a call is told so, and nothing of it is carried out', async () => {
    const { tool, counted } = counting();
    await using world = await newWorld({
      tools: () => [tool],
      script: [
        [callTool('c1', 'count', '{"what":"a very lo'), finish('length')],
        useTools(['count', { what: 'short' }]),
        answer('ok'),
      ],
    });
    const run = await world.answered('?');
    assert.equal(run.status, 'complete');
    assert.deepEqual(counted, ['short']);
    const [result] = toolResultsOf(request(world.server, 2));
    assert.match(result?.result ?? '', /output limit, and was not carried out/);
  });

  it('is not tried for ever', async () => {
    const cutOff = [callTool('c1', 'count', '{"what":"a very lo'), finish('length')];
    const { tool } = counting();
    await using world = await newWorld({
      tools: () => [tool],
      script: [cutOff, cutOff, cutOff, answer('no')],
    });
    const run = await world.answered('?');
    assert.deepEqual([run.status, run.error?.code], ['interrupted', 'output-limit']);
    assert.equal(world.server.requests.length, 3);
  });

  it('that held a call nobody can read is told so', async () => {
    const { tool } = counting();
    await using world = await newWorld({
      tools: () => [tool],
      script: [[finish('MALFORMED_FUNCTION_CALL')], answer('ok')],
    });
    const run = await world.answered('?');
    assert.equal(run.status, 'complete');
    assert.match(receivedMessages(request(world.server, 2)).at(-1) ?? '', /could not be read/);
  });

  it('may end without a word once the tools have done their work', async () => {
    const { tool } = counting();
    await using world = await newWorld({ tools: () => [tool], script: [...three, [finish()]] });
    const run = await world.answered('?');
    assert.deepEqual([run.status, run.notice?.code, run.error], ['complete', 'no-answer', undefined]);
  });
});
