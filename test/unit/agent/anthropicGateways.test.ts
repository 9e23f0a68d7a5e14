import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AnthropicEvents } from '../../../src/models/providers/hosted/anthropicEvents.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { HostedSource } from '../../../src/models/providers/hosted/hostedSource.ts';
import { anthropic } from '../../../src/models/providers/hosted/anthropic.ts';
import { AnthropicServer } from '../../fixtures/strict/anthropic.ts';
import { AnthropicGatewayServer, UnsignedThinkingServer } from '../../fixtures/strict/anthropicGateway.ts';
import { call, readObject, reasoning, text } from '../../fixtures/strict/strictServer.ts';
import { startRawServer, type RawReply } from '../../fixtures/rawServer.ts';
import { CHAT, newWorld, type World } from '../../worlds/agentWorld.ts';
import { Scene } from '../../worlds/scene.ts';
import { echoTool } from '../../worlds/toolCalls.ts';

const gateway = async (): Promise<Scene & { readonly server: AnthropicGatewayServer }> => {
  const scene = await Scene.open(() => new AnthropicGatewayServer());
  scene.tools = [echoTool];
  assert.ok(scene.server instanceof AnthropicGatewayServer);
  return scene as Scene & { readonly server: AnthropicGatewayServer };
};

/** A server that answers each question with these events. */
async function asked(
  events: readonly object[],
  name = 'claude-opus-5-5',
  headers?: RawReply['headers'],
): Promise<{
  readonly answer: string;
  readonly metadata: Awaited<ReturnType<World['lastMetadata']>>;
  readonly bodies: readonly unknown[];
}> {
  await using server = await startRawServer(() => ({
    ...(headers ? { headers } : {}),
    pieces: headers
      ? events.map((event) => JSON.stringify(event))
      : events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
  }));
  await using world = await newWorld();
  const source = new HostedSource(anthropic, {
    keyFor: () => Promise.resolve('key'),
    baseUrl: () => server.origin,
  });
  const model = (await source.find(`anthropic:${name}`)) ?? assert.fail();
  await (
    await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model })
  ).done;
  return {
    answer: (await world.texts()).at(-1) ?? '',
    metadata: await world.lastMetadata(),
    bodies: server.requests.map(({ body }) => body),
  };
}

const start = { type: 'message_start', message: { usage: { input_tokens: 7 } } };
const said = (words: string): object[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
  { type: 'content_block_stop', index: 0 },
];
const end = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
];

describe('a gateway before Anthropic', () => {
  it('is sent nothing that only Anthropic takes', async () => {
    await using scene = await gateway();
    await scene.talk('Go', [reasoning('Hm.'), call('echo', { text: 'a' })], [text('Done.')]);
    await scene.accepted();
    for (const { text: sent, headers } of scene.server.requests) {
      assert.doesNotMatch(sent, /eager_input_streaming/);
      assert.equal(headers['anthropic-beta'], undefined);
    }
  });

  it('may say what nobody knows: that is passed over, with a line in the log', async () => {
    await using scene = await gateway();
    await scene.talk('Go', [reasoning('Hm.'), text('All of it.')]);
    await scene.accepted();
    assert.deepEqual(await scene.world.texts(), ['Go', 'All of it.']);
    assert.deepEqual(scene.server.logged, [
      'anthropic: passed over event vertex_event',
      'anthropic: passed over block guardrail_trace',
    ]);
  });

  it('need not count, and then nothing is said to have been used', async () => {
    await using scene = await gateway();
    await scene.talk('Go', [text('Done.')]);
    const { usage, cost, status } = await scene.world.lastMetadata();
    assert.deepEqual([status, usage, cost], ['complete', undefined, undefined]);
  });

  it('gets thinking back without a signature where it came without one', async () => {
    await using scene = await Scene.open(() => new UnsignedThinkingServer());
    scene.tools = [echoTool];
    await scene.talk(
      'Go',
      [reasoning('Hm.'), call('echo', { text: 'a' })],
      [reasoning('So.'), text('Done.')],
    );
    await scene.talk('And?', [text('That is all.')]);
    await scene.accepted();
    assert.match(scene.server.requests[1]?.text ?? '', /\{"type":"thinking","thinking":"Hm\."\}/);
  });

  it('gets an empty signature back where it sent one', async () => {
    await using server = await startRawServer((_request, index) => ({
      pieces: (index === 0
        ? [
            start,
            {
              type: 'content_block_start',
              index: 0,
              content_block: { type: 'thinking', thinking: 'Hm.', signature: '' },
            },
            { type: 'content_block_stop', index: 0 },
            {
              type: 'content_block_start',
              index: 1,
              content_block: { type: 'tool_use', id: 'toolu_1', name: 'echo', input: { text: 'a' } },
            },
            { type: 'content_block_stop', index: 1 },
            { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
            { type: 'message_stop' },
          ]
        : [start, ...said('Done.'), ...end]
      ).map((event) => `data: ${JSON.stringify(event)}\n\n`),
    }));
    await using world = await newWorld({ tools: () => [echoTool] });
    const source = new HostedSource(anthropic, {
      keyFor: () => Promise.resolve('key'),
      baseUrl: () => server.origin,
    });
    const model = (await source.find('anthropic:glm-5')) ?? assert.fail();
    await (
      await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model })
    ).done;
    assert.equal((await world.lastMetadata()).error, undefined);
    assert.match(
      JSON.stringify(server.requests[1]?.body),
      /\{"type":"thinking","thinking":"Hm\.","signature":""\}/,
    );
  });

  it('is sent the output limit of a model of another name', async () => {
    const limits: Readonly<Record<string, number>> = {
      'claude-opus-5-5': 128_000,
      'anthropic.claude-opus-4-6-v1:0': 128_000,
      'claude-opus-4.6': 128_000,
      'company-model': 16_384,
    };
    for (const [name, limit] of Object.entries(limits)) {
      const { bodies } = await asked([start, ...said('Hi'), ...end], name);
      assert.equal(readObject(bodies[0])['max_tokens'], limit, name);
    }
  });

  it('may begin a block with its words, leave its beginning out, or end without the last event', async () => {
    const whole = [{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } }];
    const bare = [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }];
    for (const words of [whole, bare]) {
      const { answer, metadata } = await asked([start, ...words, ...end.slice(0, 1)]);
      assert.deepEqual([answer, metadata.status], ['Hi', 'complete']);
    }
  });

  it('may answer whole although a stream was asked for', async () => {
    const message = {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text: 'Hi' },
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 3 },
    };
    const { answer, metadata } = await asked([message], undefined, { 'content-type': 'application/json' });
    assert.equal(answer, 'Hi');
    assert.deepEqual(metadata.usage, { inputTokens: 7, outputTokens: 3 });
  });

  it('may send an error in a form of its own', async () => {
    const forms = [
      { type: 'error', error: { type: 'overloaded', message: 'No luck today' } },
      { type: 'error', error: 'No luck today' },
      { error: { message: 'No luck today' } },
      { message: 'No luck today' },
    ];
    for (const form of forms) {
      const { answer, metadata } = await asked([start, ...said('Half'), form]);
      assert.equal(answer, 'Half', JSON.stringify(form));
      assert.equal(metadata.status, 'failed');
      assert.match(metadata.error?.message ?? '', /No luck today/);
    }
  });

  it('is told apart from one that was cut', async () => {
    const { answer, metadata } = await asked([start, ...said('Half')]);
    assert.deepEqual([answer, metadata.status], ['Half', 'failed']);
    assert.match(metadata.error?.code ?? '', /^(?:incomplete|connection-lost)$/);
  });

  it('may say anything: each event is read as the protocol has it, or passed over (fuzz)', () => {
    const types = ['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'];
    const event = fc.record(
      {
        type: fc.constantFrom(...types, 'message_delta', 'message_stop', 'ping', 'error', 'other'),
        index: fc.jsonValue(),
        delta: fc.jsonValue(),
        content_block: fc.jsonValue(),
        message: fc.jsonValue(),
        usage: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(event, fc.jsonValue()), { maxLength: 8 }), (sent) => {
        const passed: string[] = [];
        const events = new AnthropicEvents((what) => passed.push(what));
        const read = sent.flatMap((each) => events.read(each));
        const [first] = read.filter(({ type }) => type !== 'ping');
        assert.ok(first === undefined || first.type === 'message_start' || first.type === 'error');
        assert.equal(new Set(passed).size, passed.length);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('is named with its protocol when it speaks another', async () => {
    await using server = await startRawServer(() => ({ pieces: ['data: <html>\n\n'] }));
    await using world = await newWorld();
    const source = new HostedSource(anthropic, {
      keyFor: () => Promise.resolve('key'),
      baseUrl: () => server.origin,
    });
    const model = (await source.find('anthropic:claude-opus-5-5')) ?? assert.fail();
    const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
    await run.done;
    assert.equal(run.error?.code, 'malformed-stream', run.error?.message);
    assert.match(run.error.message, /Anthropic Messages/);
  });
});

describe('Anthropic itself', () => {
  it('gets its own signatures back, and no other', async () => {
    await using scene = await Scene.open(() => new AnthropicServer());
    scene.tools = [echoTool];
    await scene.talk('Go', [reasoning('Hm.'), call('echo', { text: 'a' })], [text('Done.')]);
    await scene.accepted();
    assert.doesNotMatch(scene.server.requests[1]?.text ?? '', /offshoot:/);
  });
});
