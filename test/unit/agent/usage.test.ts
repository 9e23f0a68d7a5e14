import assert from 'node:assert/strict';
import { Usage } from '../../../src/agent/usage.ts';

const near = (value: number | undefined, expected: number): void =>
  assert.ok(
    value !== undefined && Math.abs(value - expected) < 1e-9,
    `${value ?? 'nothing'}, not ${expected}`,
  );

describe('what an answer took', () => {
  it('costs by each request for itself: many short ones are not one long one', () => {
    const usage = new Usage({ id: 'openai:gpt-5.5' });
    for (let request = 0; request < 3; request += 1) usage.add({ inputTokens: 100_000, outputTokens: 1_000 });
    assert.deepEqual(usage.sum, { inputTokens: 300_000, outputTokens: 3_000 });
    near(usage.cost, 1.5 + 0.09);
    const long = new Usage({ id: 'openai:gpt-5.5' });
    long.add({ inputTokens: 300_000, outputTokens: 3_000 });
    near(long.cost, 3 + 0.135);
  });

  it('has what came from a cache at its own price, and what was put there', () => {
    const usage = new Usage({ id: 'anthropic:claude-opus-5' });
    usage.add({ inputTokens: 100_000, cachedTokens: 90_000, cacheWriteTokens: 8_000, outputTokens: 0 });
    near(usage.cost, (2_000 + 9_000 + 10_000) * 5e-6);
    const openAi = new Usage({ id: 'openai:gpt-5.1' });
    openAi.add({ inputTokens: 1_000_000, cachedTokens: 1_000_000, outputTokens: 0 });
    near(openAi.cost, 0.125);
  });

  it('never costs less than nothing, whatever a server counts', () => {
    const usage = new Usage({ id: 'anthropic:claude-opus-5' });
    usage.add({ inputTokens: 10, cachedTokens: 1_000, cacheWriteTokens: 1_000, outputTokens: 0 });
    near(usage.cost, 5e-6);
  });

  it('has what the model thought as part of what it wrote', () => {
    const usage = new Usage({ id: 'google:gemini-3.8-flash' });
    usage.add({ inputTokens: 0, outputTokens: 1_000_000, reasoningTokens: 900_000 });
    usage.add({ outputTokens: 1, reasoningTokens: 1 });
    assert.deepEqual(usage.sum, { inputTokens: 0, outputTokens: 1_000_001, reasoningTokens: 900_001 });
    near(usage.cost, 7.5000075);
  });

  it('is unknown where nobody counted, and without a cost where no price is known', () => {
    const usage = new Usage({ id: 'ollama:qwen3:8b' });
    usage.add(undefined);
    assert.deepEqual([usage.sum, usage.cost], [undefined, undefined]);
    usage.add({ inputTokens: 10 });
    assert.deepEqual([usage.sum, usage.cost], [{ inputTokens: 10 }, undefined]);
  });
});
