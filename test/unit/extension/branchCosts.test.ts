import assert from 'node:assert/strict';
import type { NextRequest } from '../../../src/extension/context/nextPrice.ts';
import type { JsonValue } from '../../../src/engine/json.ts';
import type { MessageData } from '../../../src/engine/graph.ts';
import { usage, say, finish } from '../../fixtures/openaiServer.ts';
import { ownMessages } from '../../../src/agent/budget/storedSpending.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';
import { budgetWorld } from '../../worlds/budgetWorld.ts';
import { CHAT } from '../../worlds/agentWorld.ts';

const load = () =>
  withVsCodeStub(async () => ({
    ...(await import('../../../src/extension/branches/branchCost.ts')),
    ...(await import('../../../src/extension/context/nextPrice.ts')),
  }));

const answered = (inputTokens: number, cost?: number): MessageData => ({
  id: crypto.randomUUID(),
  chatId: CHAT,
  parentId: null,
  depth: 1,
  name: 'assistant',
  type: 'message',
  invocationId: 'q',
  replaces: undefined,
  effects: undefined,
  createdAt: 0,
  data: {
    id: 'a',
    role: 'assistant',
    parts: [{ type: 'text', text: 'So.' }],
    metadata: {
      modelId: 'x:m',
      modelLabel: 'M',
      isDemo: false,
      status: 'complete',
      usage: { inputTokens, outputTokens: 0 },
      ...(cost === undefined ? {} : { cost }),
      startedAt: 0,
      finishedAt: 1,
    },
  } satisfies JsonValue,
});

describe('what a branch cost', () => {
  it('is told of its own messages, with what has no price in tokens', async () => {
    const { costOf } = await load();
    assert.deepEqual(
      [
        costOf([answered(10, 0.25), answered(10, 0.5)]),
        costOf([answered(12_000)]),
        costOf([answered(10, 0.25), answered(1_000)]),
        costOf([]),
      ],
      ['$0.75', '12,000 tokens, price unknown', '$0.25 and 1,000 tokens, price unknown', ''],
    );
  });

  it('is that of the branch since it began', async () => {
    const { costOf } = await load();
    await using world = await budgetWorld({}, [
      [say('One.'), usage(1_000, 1_000), finish()],
      [say('Two.'), usage(2_000, 1_000), finish()],
    ]);
    await world.answered('one');
    await world.conversations.regenerate(await world.idAt(0), { model: await world.world.model() });
    const branch = await world.branch('main-v2');
    await world.world.runs.get(CHAT, branch.name)?.done;
    const costs = await Promise.all(
      ['main', 'main-v2'].map(async (name) =>
        costOf(await ownMessages(world.store, await world.branch(name))),
      ),
    );
    assert.deepEqual(costs, ['$0.01', '$0.01']);
  });
});

describe('what the next request takes', () => {
  const model = { id: 'x:m', label: 'M', isDemo: false, open: () => assert.fail() };
  const now = (given: Partial<NextRequest>): NextRequest => ({
    model,
    tokens: 12_400,
    cost: undefined,
    budget: [],
    ...given,
  });

  it('tells the cached part apart, the longest response, and what is left of each cap', async () => {
    const { nextPrice } = await load();
    const lines = nextPrice(
      now({
        cost: { most: 0.04, least: 0.004, answer: 0.96 },
        budget: [
          { scope: 'perDay', dollars: 5, spent: { dollars: 3.8, tokens: 1 } },
          { scope: 'perChat', tokens: 1_000, spent: { dollars: 0, tokens: 2_000 } },
        ],
      }),
    );
    assert.deepEqual(lines, [
      'Next request: about $0.04 for input, or $0.0040 where all 12,400 tokens so far are cached',
      'The longest response costs $0.96 more',
      'Budget: $1.20 of $5 left today',
      'Budget: 0 tokens of 1,000 tokens left in this chat',
    ]);
  });

  it('says where a price is unknown, and nothing of the demo', async () => {
    const { nextPrice } = await load();
    assert.deepEqual(nextPrice(now({})), ['Next request: the price of M is unknown']);
    assert.deepEqual(nextPrice(now({ model: { ...model, isDemo: true } })), []);
  });
});
