import assert from 'node:assert/strict';
import {
  contextWindowOf,
  withListPrices,
  type ChatModel,
  type ModelCapability,
} from '../../../src/models/chatModel.ts';
import { effortsOf, hostedProviders } from '../../../src/models/modelProviders.ts';
import { azure } from '../../../src/models/providers/hosted/azure.ts';
import { xai } from '../../../src/models/providers/hosted/xai.ts';
import { HostedSource } from '../../../src/models/providers/hosted/hostedSource.ts';
import { OllamaSource } from '../../../src/models/providers/ollama/ollamaSource.ts';
import { providerIds, startProviderServer, type ProviderServer } from '../../fixtures/providerServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';

const KEY = 'k-1-of-the-test';

/** What each provider lists for conversations; prices make 1,000 tokens in and 200 out cost what stands here. */
interface Offer {
  readonly id: string;
  readonly label: string;
  readonly contextWindow?: number;
  readonly capabilities?: readonly ModelCapability[];
  readonly cost: number;
  readonly keyHeader: readonly [name: string, value: string];
}

const offers: Readonly<Record<string, Offer>> = {
  anthropic: {
    id: 'anthropic:claude-opus-5-5',
    label: 'Claude Opus 5.5',
    contextWindow: 1_000_000,
    capabilities: ['tools', 'images', 'reasoning'],
    cost: 0.008,
    keyHeader: ['x-api-key', KEY],
  },
  azure: {
    id: 'azure:gpt-5.1',
    label: 'gpt-5.1',
    cost: 0.00325,
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
  deepseek: {
    id: 'deepseek:deepseek-flash',
    label: 'deepseek-flash',
    capabilities: ['tools', 'reasoning'],
    cost: 0.00054,
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
  google: {
    id: 'google:gemini-3.8-flash',
    label: 'Gemini 3.8 Flash',
    contextWindow: 1_048_576,
    capabilities: ['tools', 'images', 'reasoning'],
    cost: 0.0015,
    keyHeader: ['x-goog-api-key', KEY],
  },
  groq: {
    id: 'groq:openai/gpt-oss-120b',
    label: 'openai/gpt-oss-120b',
    contextWindow: 131_072,
    cost: 0.00027,
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
  mistral: {
    id: 'mistral:mistral-medium-2604',
    label: 'mistral-medium-2604',
    contextWindow: 262_144,
    capabilities: ['tools', 'images', 'reasoning'],
    cost: 0.003,
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
  openai: {
    id: 'openai:gpt-5.1',
    label: 'gpt-5.1',
    cost: 0.00325,
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
  openrouter: {
    id: 'openrouter:openai/gpt-5.1',
    label: 'OpenAI: GPT-5.1',
    contextWindow: 400_000,
    capabilities: ['tools', 'images', 'reasoning'],
    cost: 0.00325,
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
  xai: {
    id: 'xai:grok-4.7',
    label: 'grok-4.7',
    capabilities: ['tools', 'images', 'reasoning'],
    cost: 0.0032,
    keyHeader: ['authorization', `Bearer ${KEY}`],
  },
};

describe('providers', () => {
  it('that a key can be set for are all specified here, and all have a server here', () => {
    const ids = hostedProviders.map(({ id }) => id);
    assert.deepEqual(ids, Object.keys(offers));
    assert.deepEqual([...providerIds], [...ids, 'ollama']);
  });
});

for (const provider of hostedProviders) {
  describe(`models of ${provider.label}`, () => {
    // Looked up in the tests: a provider that stands nowhere above fails its own tests, and stops no others.
    const offer = (): Offer => offers[provider.id] ?? assert.fail(`no offer of ${provider.id}`);
    // What is deployed at Azure is listed to nobody.
    const names = provider.id === 'azure' ? { names: () => ({ 'gpt-5.1': 'gpt-5.1' }) } : {};
    let server: ProviderServer;

    beforeEach(async () => (server = await startProviderServer({ key: KEY })));
    afterEach(() => server.close());

    const sourceOf = (keys: Readonly<Record<string, string>> = { [server.origin]: KEY }): HostedSource =>
      new HostedSource(provider, {
        keyFor: (asked) => Promise.resolve(keys[asked]),
        baseUrl: () => server.baseUrl(provider.id),
        ...names,
      });
    const modelOf = async (source: HostedSource): Promise<ChatModel> =>
      (await source.find(offer().id)) ?? assert.fail();

    it('are those it lists for conversations, with what they can do', async () => {
      const [model, ...others] = await sourceOf().list();
      assert.deepEqual(others, []);
      const { id, label, contextWindow, capabilities, detail } = model ?? assert.fail();
      assert.deepEqual(
        { id, label, contextWindow, capabilities, detail },
        {
          id: offer().id,
          label: offer().label,
          contextWindow: offer().contextWindow,
          capabilities: offer().capabilities,
          detail: provider.label,
        },
      );
      if (provider.id === 'azure') return;
      assert.equal(server.requests.length, 1);
      const [name, value] = offer().keyHeader;
      assert.equal(server.requests[0]?.headers[name], value);
    });

    it('are none, and nothing is sent, while it has no key for that very origin', async () => {
      assert.deepEqual(await sourceOf({ 'https://other.test': 'k-2' }).list(), []);
      assert.deepEqual(server.requests, []);
    });

    it('say how to set a key when they are asked without one', async () => {
      const model = await modelOf(sourceOf({}));
      const isSignedIn = provider.id === 'azure';
      const message = isSignedIn ? /sign in, or a key\. Run “Offshoot: Select Model”/ : /Set API Key…/;
      await assert.rejects(model.open(), { code: 'unauthorized', message });
      assert.deepEqual(server.requests, []);
    });

    it('answer in a run with reasoning, usage and cost', async () => {
      await using world = await newWorld();
      const model = await withListPrices(await modelOf(sourceOf()));
      const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
      await run.done;
      assert.equal(run.error, undefined);
      assert.deepEqual(await world.texts(), ['Hello?', 'Good day']);
      assert.deepEqual(
        (await world.path()).at(-1)?.parts.map(({ type }) => type),
        ['reasoning', 'text'],
      );
      const { usage, cost = Number.NaN } = await world.lastMetadata();
      assert.deepEqual(usage, { inputTokens: 1_000, outputTokens: 200 });
      assert.ok(Math.abs(cost - offer().cost) < 1e-12, `${cost}`);
      assert.equal(server.requests.length, 1);
      const [name, value] = offer().keyHeader;
      assert.equal(server.requests[0]?.headers[name], value);
      assert.match(server.requests[0].body, /Hello\?/);
    });

    it('tell of a refused key without repeating it', async () => {
      await using world = await newWorld();
      const wrong = 'wrong-key-0123456789';
      const source = sourceOf({ [server.origin]: wrong });
      await assert.rejects(source.check(wrong), { code: 'unauthorized' });
      const model = await modelOf(source);
      const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
      await run.done;
      assert.equal(run.error?.code, 'unauthorized');
      assert.doesNotMatch(JSON.stringify([run.error, world.log.lines]), /wrong-key/);
      assert.equal(server.questions.length, 1);
    });

    it('have a key checked by a list of models, before it is kept', async () => {
      const source = sourceOf({});
      await source.check(KEY);
      await assert.rejects(source.check('wrong'), { code: 'unauthorized' });
      await server.close();
      await assert.rejects(source.check(KEY), { code: 'model-list' });
      assert.deepEqual(server.questions, []);
    });

    it('are asked again when the server has had too many requests', async () => {
      await using world = await newWorld();
      server.refusals.push(
        { status: 429, headers: { 'retry-after-ms': '1' } },
        { status: 503, headers: { 'retry-after': '0' } },
      );
      const model = await modelOf(sourceOf());
      const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
      await run.done;
      assert.equal(run.status, 'complete');
      assert.equal(server.questions.length, 3);
    });
  });
}

describe('the address of a provider', () => {
  const [provider] = hostedProviders;
  const sourceAt = (baseUrl: string | undefined): HostedSource =>
    new HostedSource(provider, { keyFor: () => Promise.resolve(KEY), baseUrl: () => baseUrl });

  it('is its own unless the settings say otherwise', () => {
    assert.equal(sourceAt(undefined).origin, 'https://api.anthropic.com');
    assert.equal(sourceAt(' ').origin, 'https://api.anthropic.com');
    assert.equal(sourceAt('https://gateway.test/anthropic/v1/').origin, 'https://gateway.test');
  });

  it('is refused when it is none', async () => {
    await assert.rejects(sourceAt('file:///etc/passwd').list(), { code: 'invalid-address' });
    await assert.rejects(sourceAt('https://name:secret@gateway.test').list(), { code: 'invalid-address' });
  });
});

describe('models of Azure', () => {
  const sourceOf = (
    options: Partial<ConstructorParameters<typeof HostedSource>[1]>,
  ): { source: HostedSource; asked: string[] } => {
    const asked: string[] = [];
    const source = new HostedSource(azure, {
      keyFor: () => Promise.resolve(undefined),
      names: () => ({ mine: 'gpt-5.1', 'o-three': 'o3' }),
      fetch: (input, init) => {
        const { authorization } = Object.fromEntries(new Headers(init?.headers));
        asked.push(`${input instanceof Request ? input.url : String(input)} ${authorization ?? ''}`);
        return Promise.resolve(Response.json({ data: [] }));
      },
      ...options,
    });
    return { source, asked };
  };
  const address = 'https://mine.openai.azure.com/openai/v1';
  const session = (): Promise<string> => Promise.resolve('token-1');

  it('are none without an address, which has to be entered', async () => {
    const { source } = sourceOf({ session });
    assert.deepEqual([source.origin, await source.list()], [undefined, []]);
    const model = (await source.find('azure:mine')) ?? assert.fail();
    await assert.rejects(model.open(), { code: 'invalid-address', message: /offshoot\.baseUrls/ });
    await assert.rejects(source.check('k'), { code: 'invalid-address' });
  });

  it('are the deployments of the settings, with what is known of the models behind them', async () => {
    const { source } = sourceOf({ session, baseUrl: () => address });
    const models = await Promise.all((await source.list()).map((model) => withListPrices(model)));
    assert.deepEqual(
      models.map((model) => [model.id, contextWindowOf(model), effortsOf(model).at(0)]),
      [
        ['azure:mine', 400_000, 'none'],
        ['azure:o-three', 200_000, 'low'],
      ],
    );
  });

  it('are asked with the session of the user, and with a key instead where one is set', async () => {
    for (const [key, expected] of [
      [undefined, 'token-1'],
      ['k-1', 'k-1'],
    ] as const) {
      const { source, asked } = sourceOf({
        session,
        keyFor: () => Promise.resolve(key),
        baseUrl: () => address,
      });
      const model = await ((await source.find('azure:mine')) ?? assert.fail()).open();
      await model.doStream({ prompt: [] });
      assert.deepEqual(asked, [`${address}/responses Bearer ${expected}`]);
    }
  });

  it('are not asked with it elsewhere, or unencrypted', async () => {
    const addresses = [
      'http://mine.openai.azure.com/openai/v1',
      'https://mine.openai.azure.com.evil.test/openai/v1',
      'https://openai.azure.com/openai/v1',
      'https://gateway.test/openai/v1',
    ];
    for (const other of addresses) {
      const { source, asked } = sourceOf({ session: () => assert.fail(other), baseUrl: () => other });
      assert.deepEqual(await source.list(), []);
      const model = (await source.find('azure:mine')) ?? assert.fail();
      await assert.rejects(model.open(), { code: 'unauthorized' });
      assert.deepEqual(asked, []);
    }
  });
});

describe('models of xAI', () => {
  it('have the prices it says, those of long requests among them', async () => {
    await using server = await startProviderServer({ key: KEY });
    const source = new HostedSource(xai, {
      keyFor: () => Promise.resolve(KEY),
      baseUrl: () => server.baseUrl('xai'),
    });
    const [model] = await source.list();
    assert.deepEqual(model?.price, {
      input: 2,
      output: 6,
      cachedInput: 0.5,
      tiers: [{ above: 200_000, input: 4, output: 12 }],
    });
    const found = await withListPrices((await source.find('xai:grok-4.7')) ?? assert.fail());
    assert.equal(contextWindowOf(found), 500_000);
  });
});

describe('models of Ollama', () => {
  it('are those for conversations of the one that runs, with what they can do, and need no key', async () => {
    await using server = await startProviderServer({ key: KEY });
    const models = await new OllamaSource({ address: () => server.baseUrl('ollama') }).list();
    assert.deepEqual(
      models.map(({ id, contextWindow, capabilities }) => ({ id, contextWindow, capabilities })),
      [{ id: 'ollama:qwen3:8b', contextWindow: 32_768, capabilities: ['tools', 'reasoning'] }],
    );
  });

  it('answer in a run, without a cost', async () => {
    await using server = await startProviderServer({ key: KEY });
    await using world = await newWorld();
    const source = new OllamaSource({ address: () => server.baseUrl('ollama') });
    const model = (await source.find('ollama:qwen3:8b')) ?? assert.fail();
    await (
      await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model })
    ).done;
    assert.deepEqual(await world.texts(), ['Hello?', 'Good day']);
    const { usage, cost } = await world.lastMetadata();
    assert.deepEqual([usage, cost], [{ inputTokens: 1_000, outputTokens: 200 }, undefined]);
  });

  it('are none, without complaint, where none runs', async () => {
    await using server = await startProviderServer({ key: KEY });
    const address = server.baseUrl('ollama');
    await server.close();
    assert.deepEqual(await new OllamaSource({ address: () => address }).list(), []);
  });
});
