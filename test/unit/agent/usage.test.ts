import assert from 'node:assert/strict';
import { withListPrices } from '../../../src/models/chatModel.ts';
import { Usage } from '../../../src/agent/run/runUsage.ts';

const near = (value: number | undefined, expected: number): void =>
  assert.ok(
    value !== undefined && Math.abs(value - expected) < 1e-9,
    `${value ?? 'nothing'}, not ${expected}`,
  );

describe('what an answer took', () => {
  it('costs by each request for itself: many short ones are not one long one', async () => {
    const usage = new Usage(await withListPrices({ id: 'openai:gpt-5.5' }));
    for (let request = 0; request < 3; request += 1) usage.add({ inputTokens: 100_000, outputTokens: 1_000 });
    assert.deepEqual(usage.sum, { inputTokens: 300_000, outputTokens: 3_000 });
    near(usage.cost, 1.5 + 0.09);
    const long = new Usage(await withListPrices({ id: 'openai:gpt-5.5' }));
    long.add({ inputTokens: 300_000, outputTokens: 3_000 });
    near(long.cost, 3 + 0.135);
  });

  it('has what came from a cache at its own price, and what was put there', async () => {
    const usage = new Usage(await withListPrices({ id: 'anthropic:claude-opus-5' }));
    usage.add({ inputTokens: 100_000, cachedTokens: 90_000, cacheWriteTokens: 8_000, outputTokens: 0 });
    near(usage.cost, (2_000 + 9_000 + 10_000) * 5e-6);
    const openAi = new Usage(await withListPrices({ id: 'openai:gpt-5.1' }));
    openAi.add({ inputTokens: 1_000_000, cachedTokens: 1_000_000, outputTokens: 0 });
    near(openAi.cost, 0.125);
  });

  it('has the higher price of a long request for what came from the cache, too', async () => {
    const usage = new Usage(await withListPrices({ id: 'openai:gpt-5.5' }));
    usage.add({ inputTokens: 300_000, cachedTokens: 200_000, outputTokens: 0 });
    near(usage.cost, 1 + 0.2);
  });

  it('has reasoning at a price of its own where there is one', () => {
    const price = { input: 1, output: 4, reasoning: 6 };
    const usage = new Usage({ price });
    usage.add({ inputTokens: 0, outputTokens: 1_000_000, reasoningTokens: 250_000 });
    near(usage.cost, 3 + 1.5);
  });

  it('has a cache at its own price where the user has set the prices', () => {
    const usage = new Usage({ price: { input: 1, output: 4, cachedInput: 0.1 } });
    usage.add({ inputTokens: 1_000_000, cachedTokens: 500_000, outputTokens: 0 });
    near(usage.cost, 0.55);
  });

  it('never costs less than nothing, whatever a server counts', async () => {
    const usage = new Usage(await withListPrices({ id: 'anthropic:claude-opus-5' }));
    usage.add({ inputTokens: 10, cachedTokens: 1_000, cacheWriteTokens: 1_000, outputTokens: 0 });
    near(usage.cost, 5e-6);
  });

  it('has what the model thought as part of what it wrote', async () => {
    const usage = new Usage(await withListPrices({ id: 'google:gemini-3.8-flash' }));
    usage.add({ inputTokens: 0, outputTokens: 1_000_000, reasoningTokens: 900_000 });
    usage.add({ outputTokens: 1, reasoningTokens: 1 });
    assert.deepEqual(usage.sum, { inputTokens: 0, outputTokens: 1_000_001, reasoningTokens: 900_001 });
    near(usage.cost, 3.75000375);
  });

  it('is unknown where nobody counted, and without a cost where no price is known', async () => {
    const usage = new Usage(await withListPrices({ id: 'ollama:qwen3:8b' }));
    usage.add(undefined);
    assert.deepEqual([usage.sum, usage.cost], [undefined, undefined]);
    usage.add({ inputTokens: 10 });
    assert.deepEqual([usage.sum, usage.cost], [{ inputTokens: 10 }, undefined]);
  });
});
