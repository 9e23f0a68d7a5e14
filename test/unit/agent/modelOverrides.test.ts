import assert from 'node:assert/strict';
import {
  contextWindowOf,
  withListPrices,
  type ChatModel,
  type ModelSource,
} from '../../../src/models/chatModel.ts';
import { compatibleServer } from '../../../src/models/providers/compatible/compatibleServer.ts';
import { ModelOverrides } from '../../../src/models/modelOverrides.ts';
import { ModelRegistry } from '../../../src/models/modelRegistry.ts';
import { OpenAiCompatibleSource } from '../../../src/models/providers/compatible/openAiCompatible.ts';
import { writeTitle } from '../../../src/agent/summaries/writeTitle.ts';
import { Usage } from '../../../src/agent/run/runUsage.ts';
import { events, startRawServer } from '../../fixtures/rawServer.ts';
import { readObject } from '../../fixtures/strict/strictServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';

const named = (id: string, more: Partial<ChatModel> = {}): ChatModel => ({
  id,
  label: id,
  isDemo: false,
  open: () => assert.fail(),
  ...more,
});

const sourceOf = (model: ChatModel): ModelSource => ({
  id: model.id.slice(0, model.id.indexOf(':')),
  list: () => Promise.resolve([model]),
  find: (id) => Promise.resolve(id === model.id ? model : undefined),
});

/** What 200,000 tokens in (half of them from the cache) and 100,000 out cost, and the window. */
const costAndWindow = (model: ChatModel): [number | undefined, number | undefined] => {
  const usage = new Usage(model);
  usage.add({ inputTokens: 200_000, cachedTokens: 100_000, outputTokens: 100_000 });
  return [usage.cost && Number(usage.cost.toFixed(6)), contextWindowOf(model)];
};

describe('what the user says of models', () => {
  const apply = (entries: Readonly<Record<string, unknown>>, model: ChatModel): ChatModel =>
    new ModelOverrides(() => entries).apply(model);

  it('wins over the list, over what a server says and over the setting of that server', async () => {
    const own = { input: 1, output: 2, cachedInput: 0.1, contextWindow: 5_000 };
    const listed = await withListPrices(named('openai:gpt-5.1', { contextWindow: 400_000 }));
    assert.deepEqual(costAndWindow(listed), [1.1375, 400_000]);
    assert.deepEqual(costAndWindow(apply({ 'openai/gpt-5.1': own }, listed)), [0.31, 5_000]);
    const server = new OpenAiCompatibleSource({
      id: 'openai-compatible.Mine',
      settings: () => ({
        baseUrl: 'http://localhost:1/v1',
        models: [],
        contextWindow: 8_000,
        price: { input: 10, output: 20 },
      }),
      keyFor: () => Promise.resolve(undefined),
    });
    const served = (await server.find('openai-compatible.Mine:a/b:c')) ?? assert.fail();
    assert.deepEqual(costAndWindow(served), [4, 8_000]);
    assert.deepEqual(costAndWindow(apply({ 'Mine/a/b:c': own }, served)), [0.31, 5_000]);
  });

  it('leaves what it says nothing of as it was', async () => {
    const model = await withListPrices(named('openai:gpt-5.1'));
    const [cost, window] = costAndWindow(model);
    assert.deepEqual(costAndWindow(apply({ 'openai/gpt-5.1': { contextWindow: 9 } }, model)), [cost, 9]);
    const cheaperCache = apply({ 'openai/gpt-5.1': { cachedInput: 0 } }, model);
    assert.deepEqual(costAndWindow(cheaperCache), [1.125, window]);
    assert.equal(apply({ 'openai/gpt-5': { input: 1, output: 1 } }, model), model);
    assert.deepEqual(apply({ 'ollama/m': { cachedInput: 1 } }, named('ollama:m')).price, undefined);
  });

  it('is a whole price: a cache the user names no price for costs what input costs', async () => {
    const listed = await withListPrices(named('openai:gpt-5.5'));
    const model = apply({ 'openai/gpt-5.5': { input: 1, output: 1 } }, listed);
    const usage = new Usage(model);
    usage.add({ inputTokens: 1_000_000, cachedTokens: 1_000_000, outputTokens: 0 });
    assert.equal(usage.cost, 1);
  });

  it('is found by the id as it is shown, too, and in any case', () => {
    const price = { input: 1, output: 1 };
    for (const key of ['openai:gpt-5.1', 'OpenAI/GPT-5.1', ' openai/gpt-5.1 ']) {
      assert.deepEqual(apply({ [key]: price }, named('openai:gpt-5.1')).price, price, key);
    }
  });

  it('holds for every way a model is come by', async () => {
    const model = named('openai:gpt-5.1');
    const overrides = new ModelOverrides(() => ({ 'openai/gpt-5.1': { contextWindow: 7 } }));
    const registry = new ModelRegistry({
      sources: [sourceOf(model)],
      adjust: (each) => overrides.apply(each),
      chosen: () => model.id,
    });
    const { models } = await registry.list();
    assert.deepEqual(
      [...models, await registry.current(), await registry.smallFor(model)].map((each) => each.contextWindow),
      [7, 7, undefined],
    );
  });

  it('limits what a model writes, together with whatever else does', async () => {
    const stream = events(
      { id: '1', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
      '[DONE]',
    );
    await using server = await startRawServer(() => stream);
    await using world = await newWorld();
    const source = new OpenAiCompatibleSource({
      settings: () => ({ baseUrl: `${server.origin}/v1`, models: [] }),
      keyFor: () => Promise.resolve(undefined),
    });
    const found = (await source.find('openai-compatible:m')) ?? assert.fail();
    const model = apply({ 'openai-compatible/m': { maxOutput: 77 } }, found);
    const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
    await run.done;
    const { signal } = new AbortController();
    await writeTitle({ model, question: 'Why?', answer: 'So.', signal, spends: undefined }, () => undefined);
    assert.deepEqual(
      server.requests.map(({ body }) => readObject(body)['max_tokens']),
      [77, 77],
    );
  });

  it('is left out where it cannot be read, which is told; the others hold', async () => {
    const good = { input: 1, output: 1 };
    const bad: Readonly<Record<string, unknown>>[] = [
      { 'openai/gpt-5.1': { input: -1, output: 1 } },
      { 'openai/gpt-5.1': { input: 1 } },
      { 'openai/gpt-5.1': { output: '1', input: 1 } },
      { 'openai/gpt-5.1': { contextWindow: 1.5 } },
      { 'openai/gpt-5.1': { cached: 1 } },
      { 'openai/gpt-5.1': 3 },
      { 'gpt-5.1': good },
    ];
    const model = named('openai:gpt-5.1');
    const other = named('openai:gpt-5');
    for (const entries of bad) {
      const all = { ...entries, 'openai/gpt-5': good };
      const overrides = new ModelOverrides(() => all);
      assert.equal(overrides.apply(model), model, JSON.stringify(entries));
      assert.deepEqual(overrides.apply(other).price, good);
      await assert.rejects(
        Promise.resolve(overrides.unreadable.list()),
        (error: Error) => error.message.includes(`“${Object.keys(entries)[0] ?? ''}”`),
        JSON.stringify(entries),
      );
    }
    const registry = new ModelRegistry({
      sources: [sourceOf(model), new ModelOverrides(() => ({ x: 1 })).unreadable],
      chosen: () => undefined,
    });
    const { models, problems } = await registry.list();
    assert.deepEqual([models.length, problems.length], [1, 1]);
    assert.deepEqual(await new ModelOverrides(() => ({ 'a/b': good })).unreadable.list(), []);
  });
});

describe('list prices of models of a server with an address', () => {
  const modelAt = async (baseUrl: string, name: string): Promise<ChatModel> => {
    const settings = { baseUrl, models: [] };
    const source = new OpenAiCompatibleSource({
      settings: () => settings,
      keyFor: () => Promise.resolve(undefined),
    });
    return withListPrices((await source.find(`openai-compatible:${name}`)) ?? assert.fail());
  };

  it('are those of the provider whose address it is, and none elsewhere', async () => {
    const router = await modelAt('https://openrouter.ai/api/v1', 'anthropic/claude-opus-5.5');
    assert.deepEqual(costAndWindow(router), [2.42, 1_000_000]);
    const deepSeek = await modelAt('https://api.deepseek.com', 'deepseek-v4-pro');
    assert.deepEqual(costAndWindow(deepSeek), [0.5324, 1_000_000]);
    for (const elsewhere of ['http://localhost:1234/v1', 'https://openrouter.ai.test/api/v1']) {
      assert.deepEqual(costAndWindow(await modelAt(elsewhere, 'gpt-5.1')), [undefined, undefined]);
    }
  });

  it('give way to the price in the setting of the server', () => {
    const server = { name: 'R', address: 'https://openrouter.ai/api/v1' };
    const price = { input: 1, output: 2, cachedInput: 0.5 };
    assert.deepEqual(compatibleServer.parse({ ...server, price }).price, price);
    assert.equal(compatibleServer.safeParse({ ...server, price: { input: 1 } }).success, false);
  });
});
