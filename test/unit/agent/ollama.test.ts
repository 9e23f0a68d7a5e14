import assert from 'node:assert/strict';
import { ollamaModel } from '../../../src/models/providers/ollama/ollamaModel.ts';
import { OllamaSource } from '../../../src/models/providers/ollama/ollamaSource.ts';
import type { Run } from '../../../src/agent/run/runs.ts';
import { streamTextAnswer } from '../../../src/agent/summaries/textAnswer.ts';
import { beyondIn } from '../../../src/models/requests/boundedCalls.ts';
import { startRawServer } from '../../fixtures/rawServer.ts';
import { OllamaServer } from '../../fixtures/strict/ollama.ts';
import { call, limit, readList, readObject, reasoning, text } from '../../fixtures/strict/strictServer.ts';
import { CHAT, newWorld, type World } from '../../worlds/agentWorld.ts';
import { echoTool } from '../../worlds/toolCalls.ts';

const tools = { tools: () => [echoTool] };

async function ask(world: World, server: OllamaServer, question: string): Promise<Run> {
  const model = await server.model();
  const run = await world.runs.start({ chatId: CHAT, branch: 'main', question, model });
  await run.done;
  return run;
}

function refusals(server: OllamaServer): string[] {
  return server.refused.flatMap(({ faults }) => faults);
}

function sent(server: OllamaServer, number: number): Readonly<Record<string, unknown>> {
  return readObject((server.requests[number - 1] ?? assert.fail()).body);
}

describe('Ollama by its own API', () => {
  it('answers with its thoughts apart, and what it read and wrote', async () => {
    await using server = await new OllamaServer().listen();
    await using world = await newWorld();
    server.replies.push([reasoning('They say hello.'), text('Good day')]);
    const run = await ask(world, server, 'Hello?');
    assert.deepEqual([run.error, refusals(server)], [undefined, []]);
    assert.deepEqual(
      (await world.path()).at(-1)?.parts.map((part) => ('text' in part ? part.text : part.type)),
      ['They say hello.', 'Good day'],
    );
    const { usage, cost } = await world.lastMetadata();
    assert.ok((usage?.inputTokens ?? 0) > 0 && usage?.outputTokens === 4);
    assert.equal(cost, undefined);
  });

  it('takes five steps with tools', async () => {
    await using server = await new OllamaServer().listen();
    await using world = await newWorld(tools);
    for (const step of ['a', 'b', 'c', 'd']) server.replies.push([call('echo', { text: step })]);
    server.replies.push([text('Done.')]);
    const run = await ask(world, server, 'Go');
    assert.deepEqual([run.status, refusals(server)], ['complete', []]);
    assert.deepEqual(
      readList(sent(server, 3)['messages'])
        .slice(2)
        .map(({ role, tool_name: name, content }) => [role, name, content]),
      [
        ['assistant', undefined, ''],
        ['tool', 'echo', 'echo: a'],
        ['assistant', undefined, ''],
        ['tool', 'echo', 'echo: b'],
      ],
    );
  });

  it('reads all of a conversation that is longer than what Ollama reads by default', async () => {
    await using server = await new OllamaServer().listen();
    await using world = await newWorld();
    for (let turn = 0; turn < 6; turn += 1) await ask(world, server, `${turn} `.repeat(2_000));
    assert.deepEqual(refusals(server), []);
    const { usage } = await world.lastMetadata();
    assert.ok((usage?.inputTokens ?? 0) > 4_096, 'The conversation is too short to tell.');
    assert.equal(server.dropped, 0);
  });

  it('says that a conversation is too long, and has it never cut', async () => {
    for (const knowsTruncate of [true, false]) {
      await using server = await new OllamaServer().listen();
      await using world = await newWorld();
      server.knowsTruncate = knowsTruncate;
      server.longest = 2_048;
      await ask(world, server, 'Hello?');
      const run = await ask(world, server, 'word '.repeat(knowsTruncate ? 2_000 : 4_000));
      assert.deepEqual([run.status, run.error?.code], ['failed', 'context-too-long']);
      assert.equal(server.dropped, 0);
    }
  });

  it('has the window that is shown for it, and asks for just that one', async () => {
    const windows: [string, Partial<OllamaServer>, number | undefined, number][] = [
      ['what suits an agent', {}, undefined, 32_768],
      ['the most it can read', { longest: 8_192 }, undefined, 8_192],
      ['what it is loaded with', { loaded: 16_384 }, undefined, 16_384],
      ['more than the default it is loaded with', { loaded: 4_096 }, undefined, 32_768],
      ['what its file says', { parameters: 'num_ctx    12288\ntop_k   20' }, undefined, 12_288],
      ['what the settings say', { loaded: 16_384 }, 20_000, 20_000],
      ['no more than it can read', {}, 1_000_000, 40_960],
    ];
    for (const [name, facts, contextLength, expected] of windows) {
      await using server = await Object.assign(new OllamaServer(), facts).listen();
      await using world = await newWorld();
      const source = new OllamaSource({ address: () => server.origin, contextLength: () => contextLength });
      const [listed] = await source.list();
      const model = (await source.find('ollama:qwen3:8b')) ?? assert.fail();
      assert.deepEqual([listed?.contextWindow, model.contextWindow], [expected, expected], name);
      await (
        await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model })
      ).done;
      assert.equal(readObject(sent(server, 1)['options'])['num_ctx'], expected, name);
    }
  });

  it('knows the window of a model that nobody listed yet', async () => {
    await using server = await new OllamaServer().listen();
    const source = new OllamaSource({ address: () => server.origin });
    const model = (await source.find('ollama:qwen3:8b')) ?? assert.fail();
    assert.deepEqual([model.contextWindow, model.capabilities], [32_768, ['tools', 'reasoning', 'images']]);
  });

  it('knows the window of a model after it was asked about one that is gone', async () => {
    await using server = await new OllamaServer().listen();
    const source = new OllamaSource({ address: () => server.origin });
    assert.equal((await source.find('ollama:gone'))?.capabilities, undefined);
    assert.ok((await source.find('ollama:qwen3:8b'))?.capabilities?.includes('tools'));
  });

  it('is found at an address with or without the path of the other API', async () => {
    await using server = await new OllamaServer().listen();
    for (const path of ['', '/', '/v1', '/v1/']) {
      const models = await new OllamaSource({ address: () => server.origin + path }).list();
      assert.deepEqual(
        models.map(({ id }) => id),
        ['ollama:qwen3:8b'],
      );
    }
  });

  it('tells of what went wrong in its own words', async () => {
    await using server = await new OllamaServer().listen();
    await using world = await newWorld({ maxRetries: 0 });
    const model = await server.model('gone:1b');
    const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
    await run.done;
    assert.equal(run.error?.code, 'model-not-found');
    assert.match(run.error.message, /gone:1b.*not found/u);
    server.replies.push([text('Once'), limit]);
    assert.equal((await ask(world, server, 'Tell me')).error?.code, 'output-limit');
  });

  const faults: Readonly<Record<string, readonly [lines: string, code: string, message: RegExp]>> = {
    'is not of its protocol': [
      '{"message":{"content":5}}',
      'malformed-stream',
      /isn’t part of its protocol/u,
    ],
    'is no object': ['[1]', 'malformed-stream', /isn’t part of its protocol/u],
    'is an error in words': ['{"error":"out of memory"}', 'refused', /with an error: out of memory\./u],
    'is an error of another form': ['{"error":{"message":"out of memory"}}', 'refused', /: out of memory\./u],
    'says that there is too much': [
      '{"error":"prompt is too long"}',
      'context-too-long',
      /prompt is too long/u,
    ],
    'holds a key': ['{"error":"not for Bearer abcdefgh"}', 'refused', /not for Bearer …/u],
  };
  for (const [what, [line, code, message]] of Object.entries(faults)) {
    it(`says what happened where a line of the answer ${what}`, async () => {
      await using server = await startRawServer(() => ({ pieces: [`${line}\n`] }));
      const { status, error } = await streamTextAnswer({
        spends: undefined,
        model: {
          id: 'ollama:m',
          label: 'M',
          isDemo: false,
          open: () =>
            Promise.resolve(ollamaModel({ origin: server.origin, fetch, name: 'm', mayThink: false })),
        },
        instructions: '',
        content: '?',
        maxOutputTokens: 10,
        maxRetries: 0,
        signal: new AbortController().signal,
        onText: () => undefined,
      });
      assert.deepEqual([status, error?.code], ['failed', code]);
      assert.match(error?.message ?? '', message);
    });
  }

  it('may call a tool with more than JSON can be made of: the call fails, and not the answer', async () => {
    const input = '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000);
    const lines = [
      `{"message":{"tool_calls":[{"function":{"name":"echo","arguments":${input}}}]}}`,
      '{"done":true,"done_reason":"stop"}',
    ];
    await using server = await startRawServer(() => ({ pieces: [`${lines.join('\n')}\n`] }));
    const model = ollamaModel({ origin: server.origin, fetch, name: 'm', mayThink: false });
    const { stream } = await model.doStream({ prompt: [] });
    const kinds = [];
    for await (const part of stream) {
      kinds.push(part.type);
      if (part.type === 'tool-call')
        assert.deepEqual([part.input, beyondIn(part.providerMetadata)], ['{}', 'depth']);
    }
    assert.deepEqual(kinds, ['stream-start', 'tool-call', 'finish']);
  });

  it('is not to think where it cannot, and answers without tools where it takes none', async () => {
    await using server = await new OllamaServer().listen();
    await using world = await newWorld(tools);
    server.capabilities = ['completion'];
    const run = await ask(world, server, 'Hello?');
    assert.deepEqual([run.status, refusals(server)], ['complete', []]);
    assert.deepEqual([sent(server, 1)['think'], sent(server, 1)['tools']], [undefined, undefined]);
  });
});
