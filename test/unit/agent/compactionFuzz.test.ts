import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  coveredMessages,
  compactionUnits,
  planAll,
  planCompaction,
  planOnDemand,
} from '../../../src/agent/compaction/planCompaction.ts';
import { modelMessages } from '../../../src/agent/context/modelMessages.ts';
import { pathSummaryMessage, pathSummaryOf, isUserTurn } from '../../../src/engine/pathSummary.ts';
import { sentPath } from '../../../src/engine/sentPath.ts';
import { textOf, type UIMessage, type UIMessagePart } from '../../../src/engine/uiMessage.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const op = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), length: fc.integer({ min: 1, max: 50 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      calls: fc.nat(3),
      length: fc.integer({ min: 1, max: 50 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('compact' as const),
      keep: fc.nat(200),
      most: fc.nat(300),
      how: fc.constantFrom('auto', 'demand', 'all'),
    }),
  },
);

/** A conversation as runs write it: questions, answers in steps, and summaries in between. */
class Talk {
  path: UIMessage[] = [];
  draft: UIMessagePart[] = [];
  private made = 0;

  next(prefix: string): string {
    this.made += 1;
    return `${prefix}${this.made}`;
  }

  draftId = this.next('a');

  whole(): UIMessage[] {
    return this.draft.length === 0 ? this.path : [...this.path, this.answer(this.draft)];
  }

  close(): void {
    if (this.draft.length > 0) this.path = this.whole();
    this.draft = [];
    this.draftId = this.next('a');
  }

  compact(keep: number, most: number, how: 'auto' | 'demand' | 'all'): boolean {
    const units = compactionUnits(sentPath(this.whole()), this.draftId).map((unit) => ({
      ...unit,
      tokens: JSON.stringify(unit.message.parts).length / 10,
    }));
    const asked = units.findLastIndex(({ message }) => isUserTurn(message));
    const plan =
      how === 'all'
        ? planAll(units, asked)
        : (how === 'auto' ? planCompaction : planOnDemand)(units, asked, { keep, most });
    if (!plan) return false;
    const { source } = coveredMessages(this.whole(), plan, this.draftId);
    const [first] = plan.after;
    const at = first?.message.id === this.draftId ? first.from : 0;
    const [before, after] = [this.draft.slice(0, at), this.draft.slice(at)];
    if (before.length > 0) this.path = [...this.path, this.answer(before)];
    if (after.length > 0) {
      const id = before.length > 0 ? this.next('a') : this.draftId;
      this.path = [...this.path, { ...this.answer(after), id }];
    }
    const summary = { kind: 'compacted', text: 'gist', writtenAt: '2026-01-01T00:00:00.000Z' } as const;
    const whole = { ...summary, source: { ...source, branch: 'main', headMessageId: null } };
    this.path = [...this.path, pathSummaryMessage(this.next('s'), whole)];
    this.draft = [];
    this.draftId = this.next('a');
    return true;
  }

  private answer(parts: readonly UIMessagePart[]): UIMessage {
    return { id: this.draftId, role: 'assistant', parts: [...parts] };
  }
}

describe('any conversation that is compacted anywhere', () => {
  it('fuzz: is sent with each message once, calls with their results, the user first, and the question as it was', () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 40 }), (ops) => {
        const talk = new Talk();
        talk.path = [{ id: 'q0', role: 'user', parts: [{ type: 'text', text: 'q0' }] }];
        for (const each of ops) {
          const stored = JSON.stringify(talk.path);
          if (each.kind === 'ask') {
            talk.close();
            const id = talk.next('q');
            talk.path = [
              ...talk.path,
              { id, role: 'user', parts: [{ type: 'text', text: `${id} ${'x'.repeat(each.length)}` }] },
            ];
          } else if (each.kind === 'step') {
            if (talk.draft.length > 0) talk.draft.push({ type: 'step-start' });
            talk.draft.push({ type: 'text', text: `${talk.next('t')} ${'y'.repeat(each.length)}` });
            for (let call = 0; call < each.calls; call += 1) {
              const toolCallId = talk.next('c');
              talk.draft.push({
                type: 'tool-echo',
                toolCallId,
                state: 'output-available',
                input: {},
                output: 'z'.repeat(each.length),
              });
            }
          } else if (each.kind === 'close') talk.close();
          else talk.compact(each.keep, each.most, each.how);
          assert.ok(JSON.stringify(talk.path).startsWith(stored.slice(0, -1)), 'the path only grows');
          check(talk.whole());
        }
      }),
      { numRuns: fuzzRuns(150) },
    );
  });
});

function check(path: readonly UIMessage[]): void {
  const sent = sentPath(path);
  assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length, 'each message at most once');
  assert.ok(sent.filter((message) => pathSummaryOf(message)).length <= 1, 'one summary at most');
  const question = path.findLast(isUserTurn);
  assert.ok(
    sent.some(({ id }) => id === question?.id),
    'the question is sent',
  );
  const messages = modelMessages(path);
  assert.equal(messages[0]?.role, 'user');
  assert.ok(JSON.stringify(messages).includes(textOf(question ?? assert.fail())));
  messages.forEach(({ role, content }, index) => {
    if (role === 'tool') assert.equal(messages[index - 1]?.role, 'assistant');
    if (role !== 'assistant' || typeof content === 'string') return;
    const calls = content.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []));
    const after = messages[index + 1];
    const results =
      after?.role === 'tool'
        ? after.content.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : []))
        : [];
    assert.deepEqual(results, calls, 'each call with its result');
  });
  // What was said after the last summary is sent whole.
  const last = path.findLastIndex((message) => pathSummaryOf(message));
  for (const message of path.slice(last + 1)) assert.ok(sent.includes(message));
}
