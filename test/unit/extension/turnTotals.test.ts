import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AnswerMetadata } from '../../../src/agent/run/answerMetadata.ts';
import { addUsage } from '../../../src/extension/pages/usageView.ts';
import { turnTotals } from '../../../src/extension/chat/turns.ts';
import type { JsonValue } from '../../../src/engine/json.ts';
import type { UsageView } from '../../../src/protocol/views.ts';

const metadata = (counted: Pick<AnswerMetadata, 'usage' | 'cost'>): AnswerMetadata => ({
  modelId: 'test:model',
  modelLabel: 'Test',
  isDemo: false,
  status: 'complete',
  startedAt: 1_000,
  finishedAt: 1_500,
  ...counted,
});

const message = (counted: Pick<AnswerMetadata, 'usage' | 'cost'>): { readonly data: JsonValue } => ({
  data: {
    id: crypto.randomUUID(),
    role: 'assistant',
    parts: [{ type: 'text', text: 'so' }],
    // As it comes from the store: without members that are undefined.
    metadata: JSON.parse(JSON.stringify(metadata(counted))) as JsonValue,
  },
});

describe('what the answers to one question took together', () => {
  it('has cached and reasoning tokens in it, and the cost of each request', () => {
    const totals = turnTotals([
      message({
        usage: { inputTokens: 1_000, cachedTokens: 900, outputTokens: 50, reasoningTokens: 40 },
        cost: 0.25,
      }),
      message({ usage: { inputTokens: 2_000, cachedTokens: 100, outputTokens: 5 }, cost: 0.5 }),
      message({}),
    ]);
    assert.deepEqual(totals, {
      duration: 1_500,
      usage: { inputTokens: 3_000, cachedTokens: 1_000, outputTokens: 55, reasoningTokens: 40, cost: 0.75 },
    });
  });

  it('has no time in it in which a call waited for the user', () => {
    const waiting = { startedAt: 1_000, finishedAt: 61_000, waited: 58_000 };
    const { data } = message({});
    const waited = { ...(data as Record<string, JsonValue>), metadata: { ...metadata({}), ...waiting } };
    assert.equal(
      turnTotals([message({}), { data: JSON.parse(JSON.stringify(waited)) as JsonValue }]).duration,
      2_500,
    );
  });

  it('has nothing that nobody counted', () => {
    assert.deepEqual(turnTotals([message({})]), { duration: 500 });
    assert.deepEqual(turnTotals([message({ usage: { outputTokens: 3 } })]).usage, {
      inputTokens: 0,
      outputTokens: 3,
    });
  });

  it('is the same in whatever order they are added', () => {
    const count = fc.option(fc.nat(1_000_000), { nil: undefined });
    const counted = fc.record({
      usage: fc.option(
        fc.record({
          inputTokens: count,
          cachedTokens: count,
          outputTokens: count,
          reasoningTokens: count,
          cacheWriteTokens: count,
        }),
        { nil: undefined },
      ),
      cost: count,
    });
    const sum = (answers: readonly Pick<AnswerMetadata, 'usage' | 'cost'>[]): UsageView | undefined =>
      answers.reduce<UsageView | undefined>(addUsage, undefined);
    fc.assert(
      fc.property(fc.array(counted), (answers) => {
        assert.deepEqual(sum(answers.toReversed()), sum(answers));
      }),
    );
  });
});
