import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  and,
  anyToolCalled,
  contentIncludes,
  contentMatches,
  contentPattern,
  dayChanged,
  elapsedExceeds,
  everyNToolCalls,
  everyOfLastN,
  hourChanged,
  lastAssistantLength,
  monthChanged,
  not,
  or,
  seasonChanged,
  toolCall,
  toolCallCount,
  toolCalled,
  toolFailed,
  toolFailedStreak,
  toolOutput,
  usageExceeds,
  weekChanged,
  withinLastN,
  yearChanged,
  type CountSpec,
  type ReminderCondition,
  type ReminderContext,
  type ToolOutcome,
} from '../../../src/engine/fragments/index.ts';
import type { UIMessage, UIMessagePart } from '../../../src/engine/uiMessage.ts';

const nothing: ReminderContext = {
  turn: 1,
  content: '',
  messageCount: 1,
  branch: 'main',
  usage: undefined,
  lastMessageAt: undefined,
  elapsed: undefined,
  lastAssistantMessage: undefined,
  lastAssistantMessages: [],
  lastAssistantReplies: [],
  toolOutcomes: undefined,
  toolOutcome: undefined,
  latch: () => true,
};

type State = 'ok' | 'failed' | 'denied' | 'called' | 'streaming';

let calls = 0;
function part(name: string, state: State, isDynamic = false): UIMessagePart {
  calls += 1;
  const made = isDynamic
    ? ({ type: 'dynamic-tool', toolName: name, toolCallId: `c${calls}` } as const)
    : ({ type: `tool-${name}`, toolCallId: `c${calls}` } as const);
  switch (state) {
    case 'ok':
      return { ...made, state: 'output-available', input: { of: name }, output: 'fine' };
    case 'failed':
      return { ...made, state: 'output-error', input: { of: name }, errorText: 'broken' };
    case 'denied':
      return { ...made, state: 'output-denied', input: {}, approval: { id: 'p', approved: false } };
    case 'called':
      return { ...made, state: 'input-available', input: {} };
    case 'streaming':
      return { ...made, state: 'input-streaming' };
  }
}

function answered(...parts: readonly UIMessagePart[]): ReminderContext {
  const message: UIMessage = { id: 'a1', role: 'assistant', parts: [...parts] };
  return {
    ...nothing,
    lastAssistantMessage: message,
    lastAssistantMessages: [message],
    lastAssistantReplies: [message],
  };
}

const outcome = (made: Partial<ToolOutcome>): ReminderContext => {
  const toolOutcome = { toolCallId: 'c', name: 'bash', input: 1, state: 'output-available', ...made };
  return { ...nothing, toolOutcome: toolOutcome as ToolOutcome };
};

describe('conditions on tools', () => {
  it('hold for the tools that the last answer called', () => {
    const states: State[] = ['ok', 'failed', 'denied', 'called', 'streaming'];
    const held = (when: ReminderCondition): unknown[] =>
      states.map((state) => when(answered(part('bash', state), part('read', 'streaming', true))));
    assert.deepEqual(held(toolCalled('bash')), [true, true, false, true, false]);
    assert.deepEqual(held(anyToolCalled()), [true, true, false, true, false]);
    assert.deepEqual(held(toolFailed((name) => name.startsWith('ba'))), [false, true, false, false, false]);
    assert.deepEqual(held(toolCalled('grep')), [false, false, false, false, false]);
    const reads = toolCall({ state: 'input-streaming', name: 'read' });
    assert.deepEqual(held(reads), [true, true, true, true, true]);
    const isFine = toolCall({ output: (given) => given === 'fine' });
    assert.deepEqual(held(isFine), [true, false, false, false, false]);
    assert.deepEqual(held(toolCall({ errorText: () => true })), [false, true, false, false, false]);
    assert.equal(toolCalled('bash')(nothing), false);
  });

  it('count calls, and failures in a row', () => {
    const context = answered(part('bash', 'failed'), part('bash', 'ok'), part('bash', 'failed', true));
    assert.equal(toolCallCount('bash', { eq: 3 })(context), true);
    assert.equal(toolCallCount('bash', { gte: 1, lte: 2 })(context), false);
    assert.equal(toolFailedStreak('bash', { eq: 1 })(context), true);
    assert.equal(toolFailedStreak('bash', { eq: 0 })(nothing), true);
    const all = [part('bash', 'failed'), part('read', 'ok'), part('bash', 'failed')];
    assert.equal(toolFailedStreak('bash', { gte: 2 })(answered(...all)), true);
  });

  it('hold at each n-th call, whatever the steps', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (steps, n) => {
        const parts: UIMessagePart[] = [];
        let count = 0;
        for (const size of steps) {
          const own = Array.from({ length: size }, () => part('bash', 'ok'));
          parts.push(...own);
          const toolOutcomes = own.map((): ToolOutcome => {
            return { toolCallId: 'c', name: 'bash', input: {}, state: 'output-available', output: '' };
          });
          if (everyNToolCalls(n)({ ...answered(...parts), toolOutcomes })) count += 1;
          assert.equal(everyNToolCalls(n)(answered(...parts)), parts.length >= n);
        }
        const total = steps.reduce((sum, size) => sum + size, 0);
        assert.ok(count <= Math.floor(total / n), `${count} times`);
        if (steps.every((size) => size <= n)) assert.equal(count, Math.floor(total / n));
      }),
    );
  });

  it('tell outcomes apart', () => {
    const failed = outcome({ state: 'output-error', error: new Error('E'), errorText: 'E' });
    assert.equal(toolOutput()(nothing), false);
    assert.equal(toolOutput()(failed), true);
    assert.equal(toolOutput({ name: 'bash', error: (error) => error instanceof Error })(failed), true);
    assert.equal(toolOutput({ errorText: (text) => text === 'F' })(failed), false);
    assert.equal(toolOutput({ output: () => true })(failed), false);
    const isMeant = toolOutput({ input: (input) => input === 1, output: (output) => output === 2 });
    assert.deepEqual([isMeant(outcome({ output: 2 })), isMeant(outcome({ output: 1 }))], [true, false]);
    const denied = outcome({ state: 'output-denied', reason: 'no' });
    assert.equal(toolOutput({ state: 'output-denied', reason: (reason) => reason === 'no' })(denied), true);
  });

  it('refuse counts that say nothing', () => {
    const odd: unknown[] = [{}, { eq: 1, gte: 1 }, { gte: NaN }, { lte: '2' }];
    for (const spec of odd as CountSpec[]) {
      for (const make of [lastAssistantLength, (given: CountSpec) => toolFailedStreak('x', given)]) {
        assert.throws(() => make(spec), { code: 'invalid-argument' });
      }
    }
    for (const n of [0, 1.5, NaN]) {
      assert.throws(() => everyNToolCalls(n), { code: 'invalid-argument' });
      assert.throws(() => withinLastN(n, anyToolCalled()), { code: 'invalid-argument' });
    }
    assert.throws(() => elapsedExceeds(NaN), { code: 'invalid-argument' });
    assert.throws(() => usageExceeds(-1), { code: 'invalid-argument' });
    assert.throws(() => contentMatches(['x'], { threshold: 1 }), { code: 'invalid-argument' });
    assert.throws(() => dayChanged({ tz: 'Nowhere/City' }), { code: 'invalid-argument' });
  });
});

describe('conditions on words, usage and time', () => {
  it('read the question', () => {
    const asks = (content: string): ReminderContext => ({ ...nothing, content });
    assert.equal(contentIncludes(['DEPLOY'])(asks('Please deploy it')), true);
    assert.equal(contentIncludes([])(asks('Please deploy it')), false);
    const pattern = contentPattern(/x/gy);
    assert.deepEqual([pattern(asks('x')), pattern(asks('x')), pattern(asks('ax'))], [true, true, false]);
    const topics = contentMatches(['password reset', '数据库 迁移', 'the']);
    const held = ['How do I reset it?', '数据库在哪里？', 'the end', ''].map((text) => topics(asks(text)));
    assert.deepEqual(held, [true, true, false, false]);
    assert.equal(topics(asks(`${'a '.repeat(20_000)}reset`)), false, 'beyond what is read');
  });

  it('read the length of the last answer, the usage and the time', () => {
    const words = (text: string): ReminderContext => answered({ type: 'text', text });
    assert.equal(lastAssistantLength({ gte: 3 })(words('abc')), true);
    assert.equal(lastAssistantLength({ lte: 0 })(nothing), true);
    assert.equal(usageExceeds(10)({ usage: { totalTokens: 9, inputTokens: 20 } }), false);
    assert.equal(usageExceeds(10)({ usage: { inputTokens: 4, outputTokens: 6 } }), true);
    assert.equal(usageExceeds(1)(nothing), false);
    assert.equal(elapsedExceeds(5)({ elapsed: 5 }), true);
    assert.equal(elapsedExceeds(0)(nothing), false);
  });

  it('number hours, days, weeks, months, seasons and years', () => {
    const between = (from: string, to: string): boolean[] => {
      const lastMessageAt = Date.parse(from);
      const context = { lastMessageAt, elapsed: Date.parse(to) - lastMessageAt };
      return [hourChanged(), dayChanged(), weekChanged(), monthChanged(), seasonChanged(), yearChanged()].map(
        (when) => when(context),
      );
    };
    const upTo = (count: number): boolean[] => Array.from({ length: 6 }, (_, index) => index < count);
    assert.deepEqual(between('2026-01-05T10:10Z', '2026-01-05T10:59Z'), upTo(0));
    assert.deepEqual(between('2026-01-05T10:10Z', '2026-01-05T11:00Z'), upTo(1));
    assert.deepEqual(between('2026-01-05T10:10Z', '2026-01-11T23:59Z'), upTo(2));
    assert.deepEqual(between('2026-01-18T23:59Z', '2026-01-19T00:00Z'), upTo(3));
    assert.deepEqual(between('2026-01-18T23:59Z', '2026-02-28T00:00Z'), upTo(4));
    assert.deepEqual(between('2026-02-22T23:59Z', '2026-03-02T00:00Z'), upTo(5));
    assert.deepEqual(between('2026-12-31T23:59Z', '2027-01-31T00:00Z'), [
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
    assert.deepEqual(between('2025-12-31T23:59Z', '2026-12-31T23:59Z').at(4), true);
    assert.equal(yearChanged()(nothing), true);
  });
});

describe('what combines conditions', () => {
  const answers = fc.array(fc.record({ value: fc.boolean(), isLater: fc.boolean() }), { maxLength: 6 });
  const asConditions = (
    given: readonly { readonly value: boolean; readonly isLater: boolean }[],
    asked: number[] = [],
  ): ReminderCondition[] =>
    given.map(({ value, isLater }, index) => () => {
      asked.push(index);
      return isLater ? Promise.resolve(value) : value;
    });

  it('is logic, now or later, and asks no further than needed', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        for (const [combine, sought] of [
          [and, false],
          [or, true],
        ] as const) {
          const asked: number[] = [];
          const decides = given.findIndex(({ value }) => value === sought);
          const answer = combine(...asConditions(given, asked))(nothing);
          const needed = decides === -1 ? given : given.slice(0, decides + 1);
          assert.equal(
            typeof answer === 'boolean',
            needed.every(({ isLater }) => !isLater),
          );
          assert.equal(await answer, (decides === -1) !== sought);
          assert.equal(asked.length, needed.length);
        }
      }),
    );
  });

  it('obeys the laws of De Morgan', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const conditions = asConditions(given);
        const negated = conditions.map(not);
        assert.equal(await not(and(...conditions))(nothing), await or(...negated)(nothing));
        assert.equal(await not(or(...conditions))(nothing), await and(...negated)(nothing));
        for (const condition of conditions) {
          assert.equal(await not(not(condition))(nothing), await condition(nothing));
        }
      }),
    );
  });

  it('looks at the last answers, and leaves the rest of the context as it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (used, n, isLater) => {
          const replies = used.map((isUsed): UIMessage => {
            return { id: 'a', role: 'assistant', parts: isUsed ? [part('bash', 'ok')] : [] };
          });
          let read = 0;
          const context: ReminderContext = {
            ...nothing,
            lastAssistantReplies: replies,
            get content() {
              read += 1;
              return 'question';
            },
          };
          const base = toolCalled('bash');
          const when: ReminderCondition = isLater ? async (given) => Promise.resolve(base(given)) : base;
          const last = used.slice(-n);
          assert.equal(await withinLastN(n, when)(context), last.includes(true));
          const isEach = used.length >= n && !last.includes(false);
          assert.equal(await everyOfLastN(n, when)(context), isEach);
          assert.equal(read, 0, 'what no condition reads is not computed');
          const question: ReminderCondition = ({ content }) => content === 'question';
          assert.equal(await withinLastN(n, question)(context), used.length > 0);
        },
      ),
    );
  });

  it('passes on what a condition throws', async () => {
    const boom = new Error('boom');
    const fails: ReminderCondition = () => {
      throw boom;
    };
    const failsLater: ReminderCondition = async () => Promise.reject(boom);
    assert.throws(() => and(fails)(nothing), boom);
    await assert.rejects(async () => or(not(failsLater), () => true)(nothing), boom);
  });
});
