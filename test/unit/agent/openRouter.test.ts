import assert from 'node:assert/strict';
import { effortsOf, pdfLimitsOf } from '../../../src/models/modelProviders.ts';
import { HostedSource } from '../../../src/models/providers/hosted/hostedSource.ts';
import { openRouter } from '../../../src/models/providers/hosted/openRouter.ts';
import { OpenRouterServer } from '../../fixtures/strict/openRouter.ts';
import {
  call,
  readList,
  readObject,
  reasoning,
  text,
  type Json,
  type StrictRequest,
} from '../../fixtures/strict/strictServer.ts';
import { events, startRawServer, type RawReply } from '../../fixtures/rawServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { Scene } from '../../worlds/scene.ts';
import { echoTool } from '../../worlds/toolCalls.ts';

const KEY = 'sk-or-v1-of-the-test';

function messagesOf(request: StrictRequest | undefined): Json[] {
  return readList(readObject(request?.body)['messages']);
}

const json = (body: unknown, status = 200): RawReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify(body)],
});

function sourceAt(origin: string): HostedSource {
  return new HostedSource(openRouter, {
    keyFor: () => Promise.resolve(KEY),
    baseUrl: () => `${origin}/api/v1`,
  });
}

describe('OpenRouter', () => {
  for (const maker of ['claude', 'gemini', 'gpt'] as const) {
    it(`gets what a model thought back unchanged, in the next step and the next turn (${maker})`, async () => {
      await using scene = await Scene.open(() => new OpenRouterServer(maker));
      scene.tools = [echoTool];
      await scene.talk(
        'Go',
        [reasoning('First this.'), call('echo', { text: 'a' }), call('echo', { text: 'b' })],
        [reasoning('Then that.'), text('Now:'), call('echo', { text: 'c' })],
        [text('Done.')],
      );
      await scene.talk('And?', [text('That is all.')]);
      await scene.accepted();
      const [, step] = messagesOf(scene.server.requests[1]).filter(({ role }) => role !== 'system');
      const sent = readList(step?.['reasoning_details']);
      assert.ok(sent.length > 0);
      const last = messagesOf(scene.server.requests.at(-1)).filter(({ role }) => role === 'assistant');
      assert.deepEqual(readList(last[0]?.['reasoning_details']), sent);
      assert.equal(scene.server.requests.length, 4);
    });
  }

  for (const maker of ['claude', 'gemini', 'gpt'] as const) {
    it(`goes on after a call of no tool there is, by whose name it has an odd id (${maker})`, async () => {
      await using scene = await Scene.open(() => new OpenRouterServer(maker));
      scene.tools = [echoTool];
      await scene.talk(
        'Go',
        [reasoning('First this.'), call('no such tool', { text: '' }), call('echo', { text: 'a' })],
        [call('echo', { text: 'b' }, 'of a gateway, with a space')],
        [text('Done.')],
      );
      await scene.talk('And?', [text('That is all.')]);
      await scene.accepted();
    });
  }

  it('is not sent what another model thought', async () => {
    await using scene = await Scene.open(() => new OpenRouterServer('gemini'));
    const claude = await scene.join(() => new OpenRouterServer('claude'));
    await scene.talk(
      'Go',
      [reasoning('Hm.'), call('echo', { text: 'a' })],
      [reasoning('So.'), text('Done.')],
    );
    claude.replies.push([text('I see.')]);
    await (
      await scene.ask('And you?', { server: claude })
    ).done;
    await scene.accepted();
    assert.doesNotMatch(claude.requests[0]?.text ?? assert.fail(), /reasoning_details/);
  });

  it('marks for the cache what Claude is sent, at four places at most, and nothing for others', async () => {
    const marks = async (maker: 'claude' | 'gemini'): Promise<string[]> => {
      await using scene = await Scene.open(() => new OpenRouterServer(maker));
      scene.tools = [echoTool];
      await scene.talk('Go', [call('echo', { text: 'a' })], [text('Done.')]);
      await scene.accepted();
      return messagesOf(scene.server.requests[1]).flatMap(({ role, content }) =>
        readList(content).some((part) => 'cache_control' in part) ? [String(role)] : [],
      );
    };
    assert.deepEqual(await marks('claude'), ['system', 'user', 'tool']);
    assert.deepEqual(await marks('gemini'), []);
  });

  it('has its own word for what an answer cost, which counts instead of a list price', async () => {
    await using scene = await Scene.open(() => new OpenRouterServer('claude'));
    await scene.talk('Go', [call('echo', { text: 'a' })], [text('Done.')]);
    const { cost, usage } = await scene.world.lastMetadata();
    assert.equal(cost, 0.025);
    const { usages } = scene.server;
    assert.equal(
      usage?.inputTokens,
      usages.reduce((sum, { input }) => sum + input, 0),
    );
  });

  it('adds what the provider bills for a key of the user’s own', async () => {
    const usage = {
      prompt_tokens: 1_000,
      completion_tokens: 200,
      total_tokens: 1_200,
      cost: 0.001,
      is_byok: true,
      cost_details: { upstream_inference_cost: 0.02 },
    };
    await using server = await startRawServer(() =>
      events(
        { id: '1', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
        { id: '1', choices: [], usage },
      ),
    );
    await using world = await newWorld();
    const model = (await sourceAt(server.origin).find('openrouter:some/model')) ?? assert.fail();
    await (
      await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model })
    ).done;
    const { cost = 0 } = await world.lastMetadata();
    assert.ok(Math.abs(cost - 0.021) < 1e-12, `${cost}`);
  });

  it('asks each request of a chat to reach the same provider', async () => {
    await using scene = await Scene.open(() => new OpenRouterServer('gpt'));
    await scene.talk('Go', [call('echo', { text: 'a' })], [text('Done.')]);
    for (const { body } of scene.server.requests) {
      const { session_id: session, prompt_cache_key: key } = readObject(body);
      assert.deepEqual([session, key], [CHAT, CHAT]);
    }
  });

  it('lists windows, prices and abilities, and leaves out models that write no text', async () => {
    const model = (id: string, more: object = {}): object => ({
      id,
      name: id,
      context_length: 200_000,
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
      pricing: {
        prompt: '0.000003',
        completion: '0.000015',
        internal_reasoning: '0',
        input_cache_read: '0.0000003',
        input_cache_write: '0.00000375',
      },
      supported_parameters: ['tools', 'reasoning'],
      ...more,
    });
    const data = [
      model('b/whole'),
      model('a/plain', {
        architecture: { input_modalities: ['text'], output_modalities: ['text'] },
        supported_parameters: ['temperature'],
      }),
      model('openrouter/auto', { pricing: { prompt: '-1', completion: '-1' } }),
      model('c/painter', { architecture: { input_modalities: ['text'], output_modalities: ['image'] } }),
      // What is odd in one entry hides neither it nor the others.
      {
        id: 'd/odd',
        name: 7,
        context_length: 'many',
        architecture: 1,
        pricing: [],
        supported_parameters: {},
      },
    ];
    await using server = await startRawServer(() => json({ data }));
    const models = await sourceAt(server.origin).list();
    assert.deepEqual(
      models.map(({ id, contextWindow, capabilities, price }) => [id, contextWindow, capabilities, price]),
      [
        ['openrouter:a/plain', 200_000, [], { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 }],
        [
          'openrouter:b/whole',
          200_000,
          ['tools', 'images', 'reasoning'],
          { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
        ],
        ['openrouter:d/odd', undefined, undefined, undefined],
        ['openrouter:openrouter/auto', 200_000, ['tools', 'images', 'reasoning'], undefined],
      ],
    );
    const [plain = assert.fail(), whole = assert.fail()] = models;
    assert.deepEqual(effortsOf(plain), []);
    assert.deepEqual(effortsOf(whole), ['low', 'medium', 'high']);
    assert.ok(pdfLimitsOf(whole));
  });

  it('refuses a key at an address of its own, for its list of models is public', async () => {
    await using server = await startRawServer(({ path, headers }) =>
      path === '/api/v1/models'
        ? json({ data: [{ id: 'some/model' }] })
        : json({}, headers.authorization === `Bearer ${KEY}` ? 200 : 401),
    );
    const source = sourceAt(server.origin);
    await source.check(KEY);
    await assert.rejects(source.check('wrong'), { code: 'unauthorized' });
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/api/v1/models', '/api/v1/key', '/api/v1/models', '/api/v1/key'],
    );
  });

  it('need not have that address behind a gateway', async () => {
    await using server = await startRawServer(({ path }) =>
      path === '/api/v1/models' ? json({ data: [{ id: 'some/model' }] }) : json({}, 404),
    );
    await sourceAt(server.origin).check(KEY);
  });
});
