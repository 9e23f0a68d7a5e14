import assert from 'node:assert/strict';
import { z } from 'zod';
import { defineTool, type AgentTool } from '../../../src/agent/tools/tool.ts';
import { ToolError } from '../../../src/agent/tools/toolError.ts';
import { timesOf } from '../../../src/models/messages/toolParts.ts';
import {
  answer,
  callTool,
  finish,
  say,
  think,
  toolResultsOf,
  useTools,
} from '../../fixtures/openaiServer.ts';
import { CHAT, ManualScheduler, newWorld } from '../../worlds/agentWorld.ts';
import { callsIn, echoTool, request, receivedMessages } from '../../worlds/toolCalls.ts';

const tools = (...more: AgentTool[]) => ({ tools: () => [echoTool, ...more] });

describe('an answer that uses tools', () => {
  it('calls them, tells the model their results, and is saved with both', async () => {
    await using world = await newWorld({
      ...tools(),
      script: [
        [say('Let me see.'), ...useTools(['echo', { text: 'a' }], ['echo', { text: 'b' }])],
        answer('Done.'),
      ],
    });
    const run = await world.answered('Say a and b');
    assert.equal(run.status, 'complete');
    assert.deepEqual(receivedMessages(request(world.server, 2)).slice(1), [
      'user: Say a and b',
      'assistant: Let me see. echo({"text":"a"}) echo({"text":"b"})',
      'tool: echo: a',
      'tool: echo: b',
    ]);
    const [, answered] = await world.path();
    assert.deepEqual(
      answered?.parts.map((part) => ('state' in part ? `${part.type} ${part.state}` : part.type)),
      ['text', 'tool-echo output-available', 'tool-echo output-available', 'step-start', 'text'],
    );
    const metadata = await world.lastMetadata();
    assert.deepEqual([metadata.status, metadata.usage], ['complete', { inputTokens: 20, outputTokens: 6 }]);
  });

  it('reads side by side, and whatever may change something in its place', async () => {
    const happened: string[] = [];
    const named = (name: string, readsOnly: boolean): AgentTool =>
      defineTool({
        name,
        description: name,
        input: z.object({ text: z.string() }),
        readsOnly,
        run: async ({ text }) => {
          happened.push(`${text} begins`);
          // The first to begin is the last to end.
          for (let turn = 0; turn < (text === 'a' ? 50 : 5); turn += 1) await Promise.resolve();
          happened.push(`${text} ends`);
          return { text };
        },
      });
    await using world = await newWorld({
      ...tools(named('look', true), named('change', false)),
      script: [
        useTools(
          ...['a', 'b'].map((text): [string, unknown] => ['look', { text }]),
          ...['c', 'd'].map((text): [string, unknown] => ['change', { text }]),
          ...['e', 'f'].map((text): [string, unknown] => ['look', { text }]),
        ),
        answer('Done.'),
      ],
    });
    await world.answered('Do it');
    const changes = ['c begins', 'c ends', 'd begins', 'd ends'];
    assert.deepEqual(happened.slice(0, 8), ['a begins', 'b begins', 'b ends', 'a ends', ...changes]);
    assert.deepEqual(happened.slice(8, 10), ['e begins', 'f begins']);
    const results = toolResultsOf(request(world.server, 2)).map(({ result }) => result);
    assert.deepEqual(results, ['a', 'b', 'c', 'd', 'e', 'f'], 'told in the order of the calls');
  });

  it('tells the model the same when it is loaded again as while it goes on', async () => {
    await using world = await newWorld({
      ...tools(),
      script: [
        [think('hm'), say('One.'), ...useTools(['echo', { text: 'a' }])],
        [say('Two.'), ...useTools(['echo', { text: 'b' }])],
        answer('Three.'),
        answer('Four.'),
      ],
    });
    await world.answered('first');
    await world.answered('second');
    const live = receivedMessages(request(world.server, 3));
    const loaded = receivedMessages(request(world.server, 4));
    assert.deepEqual(loaded.slice(0, live.length), live);
    assert.deepEqual(loaded.slice(live.length), ['assistant: Three.', 'user: second']);
  });

  it('offers the tools with their schemas, and asks for them again at each step', async () => {
    let offered: readonly AgentTool[] = [echoTool];
    await using world = await newWorld({
      tools: () => offered,
      script: (_request, index) => {
        offered = [];
        return index === 0 ? useTools(['echo', { text: 'a' }]) : answer('ok');
      },
    });
    await world.answered('?');
    const [first, second] = world.server.requests;
    assert.deepEqual(
      first?.body.tools?.map((each) => each.function.name),
      ['echo'],
    );
    assert.equal(second?.body.tools, undefined);
    // A model without tools gets what was called before as text.
    assert.match(
      receivedMessages(request(world.server, 2)).at(-2) ?? '',
      /Called the tool echo .* It answered:\necho: a/s,
    );
  });

  it('shows each call while it is written, runs and has ended, with when it began and ended', async () => {
    const scheduler = new ManualScheduler();
    const slow = defineTool({
      name: 'slow',
      description: 'Takes two seconds.',
      input: z.object({}),
      run: () => {
        scheduler.pass(2_000);
        return { text: 'slept' };
      },
    });
    await using world = await newWorld({
      ...tools(slow),
      scheduler,
      script: [[callTool('c1', 'slow', '{', '}'), finish('tool_calls')], answer('ok')],
    });
    await world.answered('?');
    const states = world.events.flatMap((event) =>
      event.kind === 'part' && 'state' in event.part ? [[event.partIndex, event.part.state]] : [],
    );
    assert.deepEqual(states, [
      [0, 'input-streaming'],
      [0, 'input-available'],
      [0, 'input-available'],
      [0, 'output-available'],
    ]);
    const [call] = callsIn(await world.path());
    const { startedAt = 0, finishedAt = 0 } = timesOf(call ?? assert.fail());
    assert.equal(finishedAt - startedAt, 2_000);
  });

  it('goes on when the model calls what does not exist, or with an input that does not fit or is no JSON', async () => {
    await using world = await newWorld({
      ...tools(),
      script: [
        [
          callTool('c1', 'unknown', '{}'),
          callTool('c2', 'echo', '{"text": 7}'),
          callTool('c3', 'echo', '{"text": "x'),
          callTool('c4', 'echo', '{"text":"fine"}'),
          finish('tool_calls'),
        ],
        answer('Sorry.'),
      ],
    });
    const run = await world.answered('?');
    assert.equal(run.status, 'complete');
    const results = toolResultsOf(request(world.server, 2)).map(({ result }) => result);
    assert.match(results[0] ?? '', /no tool “unknown”.*echo/);
    assert.match(results[1] ?? '', /input of “echo” is not valid:\n- text: .*string/);
    assert.match(results[2] ?? '', /is not JSON/);
    assert.equal(results[3], 'echo: fine');
  });

  it('goes on when a tool throws, with the error as its result', async () => {
    const failing = (name: string, error: Error): AgentTool =>
      defineTool({
        name,
        description: name,
        input: z.object({}),
        run: () => {
          throw error;
        },
      });
    await using world = await newWorld({
      ...tools(
        failing('foreseen', new ToolError('Not like that.')),
        failing('broken', new TypeError('secret x')),
      ),
      script: [useTools(['foreseen'], ['broken'], ['echo', { text: 'after' }]), answer('ok')],
    });
    const run = await world.answered('?');
    assert.equal(run.status, 'complete');
    assert.deepEqual(
      toolResultsOf(request(world.server, 2)).map(({ result }) => result),
      ['Not like that.', '“broken” failed: secret x', 'echo: after'],
    );
    assert.ok(world.log.lines.some((line) => line.includes('tool broken failed (TypeError)')));
    assert.ok(!world.log.lines.some((line) => line.includes('secret')));
  });

  it('tells calls apart that a server gave one id', async () => {
    await using world = await newWorld({
      ...tools(),
      script: [
        [
          callTool('same', 'echo', '{"text":"1"}'),
          callTool('same', 'echo', '{"text":"2"}'),
          finish('tool_calls'),
        ],
        answer('ok'),
      ],
    });
    await world.answered('?');
    const sent = request(world.server, 2).body.messages.flatMap((message) => message.tool_calls ?? []);
    assert.equal(new Set(sent.map(({ id }) => id)).size, 2);
    assert.deepEqual(
      toolResultsOf(request(world.server, 2)).map(({ result }) => result),
      ['echo: 1', 'echo: 2'],
    );
  });

  it('waits for the user after three calls of one tool with one input, and goes on when it may', async () => {
    const again = useTools(['echo', { text: 'again' }]);
    await using world = await newWorld({
      ...tools(),
      script: [useTools(['echo', { text: 'first' }]), again, again, again, answer('Something else.')],
    });
    const run = await world.answered('loop');
    assert.deepEqual([run.status, run.notice?.code], ['complete', 'repeated-calls']);
    assert.match(
      run.notice?.message ?? '',
      /^It called echo 3 times with the same input and waits for you\./,
    );
    assert.equal(world.server.requests.length, 4);
    assert.deepEqual(
      callsIn(await world.path()).map(({ toolName }) => toolName),
      ['echo', 'echo', 'echo', 'echo'],
    );
    const on = await world.runs.start({
      chatId: CHAT,
      branch: 'main',
      model: await world.model(),
      continues: true,
    });
    await on.done;
    assert.deepEqual([on.status, on.notice], ['complete', undefined]);
  });

  it('calls one tool as often as the model likes while the inputs differ', async () => {
    const texts = ['a', 'b', 'a', 'b', 'a', 'a', 'b'];
    await using world = await newWorld({
      ...tools(),
      script: [...texts.map((text) => useTools(['echo', { text }])), answer('Done.')],
    });
    const run = await world.answered('vary');
    assert.deepEqual([run.status, run.notice, world.server.requests.length], ['complete', undefined, 8]);
  });

  it('waits for the user at its limit of steps, and goes on from there when it may', async () => {
    await using world = await newWorld({
      ...tools(),
      maxSteps: () => 2,
      script: [
        useTools(['echo', { text: '1' }]),
        useTools(['echo', { text: '2' }]),
        useTools(['echo', { text: '3' }]),
        answer('All three.'),
      ],
    });
    const run = await world.answered('count');
    assert.deepEqual([run.status, run.notice?.code], ['complete', 'step-limit']);
    assert.equal(world.server.requests.length, 2);
    const on = await world.runs.start({
      chatId: CHAT,
      branch: 'main',
      model: await world.model(),
      continues: true,
    });
    await on.done;
    assert.equal(on.questionId, run.questionId);
    assert.deepEqual(
      toolResultsOf(request(world.server, 4)).map(({ result }) => result),
      ['echo: 1', 'echo: 2', 'echo: 3'],
    );
    assert.deepEqual(
      (await world.path()).map(({ role }) => role),
      ['user', 'assistant', 'assistant'],
    );
    // It has ended on its own: there is nothing to continue.
    const more = world.runs.start({
      chatId: CHAT,
      branch: 'main',
      model: await world.model(),
      continues: true,
    });
    await assert.rejects(more, { code: 'nothing-to-answer' });
  });

  it('keeps what a provider wants back with a call, and nothing of its own goes out', async () => {
    await using world = await newWorld({
      ...tools(),
      script: [useTools(['echo', { text: 'a' }]), answer('ok')],
    });
    await world.answered('?');
    assert.doesNotMatch(JSON.stringify(request(world.server, 2).body), /offshoot|startedAt/);
  });

  it('stores a huge result cut, with its length and hash, and never half of a pair', async () => {
    const huge = defineTool({
      name: 'huge',
      description: 'Says much.',
      input: z.object({}),
      run: () => ({ text: '😀'.repeat(300_000) }),
    });
    await using world = await newWorld({ ...tools(huge), script: [useTools(['huge']), answer('ok')] });
    await world.answered('?');
    const [call] = callsIn(await world.path());
    const output = call?.state === 'output-available' ? (call.output as { text: string }) : assert.fail();
    assert.ok(output.text.length <= 500_000 && output.text.length > 499_800);
    assert.match(output.text, /\[cut: 600000 characters in all, SHA-256 [0-9a-f]{64}\]$/);
    assert.ok(output.text.isWellFormed());
  });
});
