import assert from 'node:assert/strict';
import { anthropic } from '../../../src/agent/hosted/anthropic.ts';
import { google } from '../../../src/agent/hosted/google.ts';
import { hostedProviders } from '../../../src/agent/hosted/hostedProviders.ts';
import { HostedSource, type HostedProvider } from '../../../src/agent/hosted/hostedSource.ts';
import { groq, openAi } from '../../../src/agent/hosted/openAiKin.ts';
import { ollamaSource } from '../../../src/agent/ollama.ts';
import type { Fetch } from '../../../src/agent/originFetch.ts';
import { answer, startOpenAiServer } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from './agentWorld.ts';

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** The network as far as a provider goes: records what is sent and answers with what the test says. */
function network(respond: (sent: Sent) => Response): { readonly sent: Sent[]; readonly fetch: Fetch } {
  const sent: Sent[] = [];
  const fetch: Fetch = (input, init) => {
    const request = {
      url: input instanceof Request ? input.url : String(input),
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? init.body : '',
    };
    sent.push(request);
    return Promise.resolve(respond(request));
  };
  return { sent, fetch };
}

const events = (...values: object[]): Response =>
  new Response(
    values
      .map(
        (value) =>
          `${'type' in value ? `event: ${String(value.type)}\n` : ''}data: ${JSON.stringify(value)}\n\n`,
      )
      .join(''),
    { headers: { 'content-type': 'text/event-stream' } },
  );

/** How each provider lists a model and streams the words "Good day", in its own protocol. */
interface Dialect {
  readonly provider: HostedProvider;
  readonly list: unknown;
  readonly listed: readonly string[];
  readonly stream: () => Response;
  readonly keyHeader: readonly [name: string, value: string];
}

const openAiStream = (): Response =>
  events(
    { id: '1', choices: [{ index: 0, delta: { content: 'Good ' } }] },
    { id: '1', choices: [{ index: 0, delta: { content: 'day' }, finish_reason: 'stop' }] },
    { id: '1', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
  );

const dialects: readonly Dialect[] = [
  {
    provider: anthropic,
    list: { data: [{ type: 'model', id: 'claude-x', display_name: 'Claude X' }], has_more: false },
    listed: ['anthropic:claude-x'],
    stream: () =>
      events(
        {
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            model: 'claude-x',
            content: [],
            stop_reason: null,
            usage: { input_tokens: 5, output_tokens: 0 },
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good ' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'day' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ),
    keyHeader: ['x-api-key', 'k-1'],
  },
  {
    provider: google,
    list: {
      models: [
        { name: 'models/gemini-x', inputTokenLimit: 1_000, supportedGenerationMethods: ['generateContent'] },
        { name: 'models/text-embedding-1', supportedGenerationMethods: ['embedContent'] },
      ],
    },
    listed: ['google:gemini-x'],
    stream: () =>
      events(
        { candidates: [{ content: { role: 'model', parts: [{ text: 'Good ' }] } }] },
        {
          candidates: [{ content: { role: 'model', parts: [{ text: 'day' }] }, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
        },
      ),
    keyHeader: ['x-goog-api-key', 'k-1'],
  },
  {
    provider: groq,
    list: { data: [{ id: 'llama-x' }, { id: 'whisper-large' }] },
    listed: ['groq:llama-x'],
    stream: openAiStream,
    keyHeader: ['authorization', 'Bearer k-1'],
  },
  {
    provider: openAi,
    list: {
      data: [{ id: 'gpt-x' }, { id: 'text-embedding-3' }, { id: 'gpt-x-realtime' }, { id: 'dall-e-3' }],
    },
    listed: ['openai:gpt-x'],
    stream: openAiStream,
    keyHeader: ['authorization', 'Bearer k-1'],
  },
];

describe('providers', () => {
  it('that a key can be set for are all specified here', () => {
    assert.deepEqual(
      hostedProviders,
      dialects.map((dialect) => dialect.provider),
    );
  });
});

for (const { provider, list, listed, stream, keyHeader } of dialects) {
  describe(`models of ${provider.label}`, () => {
    const { origin } = new URL(provider.baseUrl);
    const sourceOf = (
      fetch: Fetch,
      keys: Readonly<Record<string, string>> = { [origin]: 'k-1' },
    ): HostedSource => new HostedSource(provider, { keyFor: (asked) => Promise.resolve(keys[asked]), fetch });

    it('are those it lists for conversations', async () => {
      const { sent, fetch } = network(() => Response.json(list));
      const models = await sourceOf(fetch).list();
      assert.deepEqual(
        models.map((model) => model.id),
        listed,
      );
      assert.equal(sent.length, 1);
      assert.equal(sent[0]?.headers.get(keyHeader[0]), keyHeader[1]);
    });

    it('are none, and nothing is sent, while it has no key', async () => {
      const { sent, fetch } = network(() => Response.json(list));
      assert.deepEqual(await sourceOf(fetch, { 'https://other.test': 'k-2' }).list(), []);
      assert.deepEqual(sent, []);
    });

    it('say how to set a key when they are asked without one', async () => {
      const { sent, fetch } = network(stream);
      const model = await sourceOf(fetch, {}).find(`${provider.id}:x`);
      assert.ok(model);
      await assert.rejects(model.open(), { code: 'unauthorized', message: /Set API Key…/ });
      assert.deepEqual(sent, []);
    });

    it('answer in a run, with the key and the conversation going to their origin only', async () => {
      await using world = await newWorld();
      const { sent, fetch } = network(stream);
      const model = (await sourceOf(fetch).find(listed[0] ?? '')) ?? assert.fail();
      const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
      await run.done;
      assert.equal(run.error, undefined);
      assert.deepEqual(await world.texts(), ['Hello?', 'Good day']);
      assert.deepEqual((await world.lastMetadata()).usage, { inputTokens: 5, outputTokens: 2 });
      assert.deepEqual(
        sent.map(({ url }) => new URL(url).origin),
        [origin],
      );
      assert.equal(sent[0]?.headers.get(keyHeader[0]), keyHeader[1]);
      assert.match(sent[0].body, /Hello\?/);
    });

    it('tell of a refused key without repeating it', async () => {
      await using world = await newWorld({ maxRetries: 0 });
      const said = {
        message: 'API key not valid: k-1',
        type: 'authentication_error',
        code: 401,
        status: 'X',
      };
      const { fetch } = network(() => Response.json({ type: 'error', error: said }, { status: 401 }));
      await assert.rejects(sourceOf(fetch).list(), { code: 'unauthorized' });
      const model = (await sourceOf(fetch).find(listed[0] ?? '')) ?? assert.fail();
      const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
      await run.done;
      assert.equal(run.error?.code, 'unauthorized');
      assert.doesNotMatch(JSON.stringify([run.error, world.log.lines]), /k-1/);
    });
  });
}

describe('models of Ollama', () => {
  it('are those of the one that runs on this machine', async () => {
    await using server = await startOpenAiServer({ script: [answer('hi')], models: ['llama3:8b'] });
    const models = await ollamaSource({ address: server.baseUrl }).list();
    assert.deepEqual(
      models.map((model) => model.id),
      ['ollama:llama3:8b'],
    );
  });

  it('are none, without complaint, where none runs', async () => {
    await using server = await startOpenAiServer({ script: [] });
    const source = ollamaSource({ address: server.baseUrl });
    await server.close();
    assert.deepEqual(await source.list(), []);
  });
});
