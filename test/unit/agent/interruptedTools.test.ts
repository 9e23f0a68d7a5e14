import assert from 'node:assert/strict';
import { z } from 'zod';
import { defineTool, type AgentTool } from '../../../src/agent/tools/tool.ts';
import { isSettled } from '../../../src/models/messages/toolParts.ts';
import {
  answer,
  callTool,
  cut,
  finish,
  hang,
  pause,
  refuse,
  say,
  toolResultsOf,
  useTools,
} from '../../fixtures/openaiServer.ts';
import { CHAT, FragileStore, ManualScheduler, newWorld } from '../../worlds/agentWorld.ts';
import { crash, restarted } from '../../worlds/crash.ts';
import { callsIn, echoTool, request } from '../../worlds/toolCalls.ts';

const tools = (...more: AgentTool[]) => ({ tools: () => [echoTool, ...more] });

describe('an answer that uses tools', () => {
  it('stops in the middle of a tool that takes no notice, and no call is left without a result', async () => {
    const stuck = defineTool({
      name: 'stuck',
      description: 'Never ends.',
      input: z.object({}),
      run: () => new Promise<never>(() => undefined),
    });
    await using world = await newWorld({
      ...tools(stuck),
      script: [useTools(['stuck'], ['echo', { text: 'never' }]), answer('Next.')],
    });
    const run = await world.ask('?');
    await world.until(() => callsIn([run.message()])[0]?.callProviderMetadata !== undefined);
    await world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
    const calls = callsIn(await world.path());
    assert.deepEqual(
      calls.map(({ state }) => state),
      ['output-error', 'output-error'],
    );
    await world.answered('go on');
    assert.match(toolResultsOf(request(world.server, 2))[0]?.result ?? '', /stopped/);
  });

  it('hands the tool the signal of the stop', async () => {
    let reason: unknown;
    const listening = defineTool({
      name: 'listening',
      description: 'Ends when it is stopped.',
      input: z.object({}),
      run: (_input, { signal }) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(new Error('stopped'));
          });
        }),
    });
    await using world = await newWorld({ ...tools(listening), script: [useTools(['listening'])] });
    const run = await world.ask('?');
    await world.until(() => callsIn([run.message()])[0]?.callProviderMetadata !== undefined);
    await world.runs.stop(CHAT, 'main');
    assert.ok(reason instanceof Error);
  });

  it('leaves no call without a result when the connection breaks while it is written, or the model runs out of words', async () => {
    await using world = await newWorld({
      ...tools(),
      maxRetries: 0,
      script: [
        [say('Well.'), callTool('c1', 'echo', '{"te', 'xt"'), pause(), cut()],
        [callTool('c2', 'echo', '{"text":"x"}'), finish('length')],
        answer('ok'),
      ],
    });
    const first = await world.ask('a');
    await world.until(() => callsIn([first.message()]).length > 0);
    world.server.release();
    await first.done;
    const second = await world.answered('b');
    assert.deepEqual([first.status, second.status], ['failed', 'complete']);
    assert.deepEqual(
      callsIn(await world.path()).map(({ state }) => state),
      ['output-error', 'output-error'],
    );
  });

  it('leaves no call without a result after a crash in the middle of a tool', async () => {
    const store = new FragileStore();
    const scheduler = new ManualScheduler();
    const stuck = defineTool({
      name: 'stuck',
      description: 'Never ends.',
      input: z.object({}),
      run: () => new Promise<never>(() => undefined),
    });
    const world = await newWorld({
      store,
      scheduler,
      ...tools(stuck),
      script: [[say('Look:'), ...useTools(['stuck'])]],
    });
    const run = await world.ask('?');
    await world.until(() => callsIn([run.message()])[0]?.callProviderMetadata !== undefined);
    await crash(world, store, scheduler);
    assert.equal(await restarted(store).recover(), 1);
    const calls = callsIn(await world.path());
    assert.ok(calls.length === 1 && calls.every((call) => isSettled(call)));
    assert.equal((await world.lastMetadata()).status, 'interrupted');
    await world[Symbol.asyncDispose]();
  });

  it('is not asked to end when it streams text after its tools and is stopped', async () => {
    await using world = await newWorld({
      ...tools(),
      script: [useTools(['echo', { text: 'a' }]), [say('Half'), pause(), hang()]],
    });
    const run = await world.ask('?');
    await world.arrived(run, 'Half');
    await world.runs.stop(CHAT, 'main');
    assert.deepEqual((await world.texts()).at(-1), 'Half');
    assert.equal((await world.lastMetadata()).status, 'interrupted');
  });

  it('goes on without tools where the template of the model refuses their results, and says so', async () => {
    await using world = await newWorld({
      ...tools(),
      script: ({ body }) => {
        if (body.messages.some(({ role }) => role === 'tool')) {
          return refuse(500, {
            message: 'Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...',
          });
        }
        return body.tools && body.messages.length < 3
          ? useTools(['echo', { text: 'a' }])
          : answer('Without.');
      },
    });
    const run = await world.answered('?');
    assert.deepEqual([run.status, run.notice?.code], ['complete', 'no-tools']);
    const [, , last] = world.server.requests;
    assert.equal(last?.body.tools, undefined);
    assert.match(JSON.stringify(last?.body.messages), /Called the tool echo/);
  });

  it('says that it has no tools where its model is known to take none', async () => {
    await using world = await newWorld({ ...tools(), script: [answer('Without, then.'), answer('Again.')] });
    const model = await world.source.find('openai-compatible:gemma-2-9b-it');
    assert.deepEqual(model?.capabilities, []);
    const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: '?', model });
    await run.done;
    assert.deepEqual([run.status, run.notice?.code], ['complete', 'no-tools']);
    assert.equal(request(world.server, 1).body.tools, undefined);
    const other = await world.answered('And you?');
    assert.equal(other.notice, undefined);
  });

  it('has its parallel calls one by one where the template of the model refuses several, from then on', async () => {
    await using world = await newWorld({
      ...tools(),
      script: ({ body }) => {
        if (body.messages.some(({ tool_calls: calls = [] }) => calls.length > 1)) {
          return refuse(500, {
            message: 'Jinja Exception: This model only supports single tool-calls at once!',
          });
        }
        return body.messages.at(-1)?.role === 'tool'
          ? answer('Done.')
          : [say('Both.'), ...useTools(['echo', { text: 'a' }], ['echo', { text: 'b' }])];
      },
    });
    assert.equal((await world.answered('?')).status, 'complete');
    assert.equal((await world.answered('Again?')).status, 'complete');
    // Only the first of them was refused, once.
    assert.equal(world.server.requests.length, 5);
    const sent = request(world.server, 3).body.messages.map(({ role, content, tool_calls: calls }) => [
      role,
      content,
      calls?.map(({ function: { arguments: input } }) => input),
    ]);
    assert.deepEqual(sent.slice(-4), [
      ['assistant', 'Both.', ['{"text":"a"}']],
      ['tool', 'echo: a', undefined],
      ['assistant', null, ['{"text":"b"}']],
      ['tool', 'echo: b', undefined],
    ]);
  });

  for (const message of [
    'registry.example/tiny:1b does not support tools',
    // vLLM, as it is started without options for tools.
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ]) {
    it(`goes on without tools where the server of the model takes none, and says so: ${message}`, async () => {
      await using world = await newWorld({
        ...tools(),
        script: ({ body }) => (body.tools ? refuse(400, { message }) : answer('Without, then.')),
      });
      const run = await world.answered('?');
      assert.deepEqual([run.status, run.notice?.code], ['complete', 'no-tools']);
      assert.equal(world.server.requests.length, 2);
      assert.deepEqual(await world.texts(), ['?', 'Without, then.']);
    });
  }
});
