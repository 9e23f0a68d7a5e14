import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pathSummaryMessage, type PathSummary } from '../../../src/engine/pathSummary.ts';
import { sentPath } from '../../../src/engine/sentPath.ts';
import type { UIMessage } from '../../../src/engine/uiMessage.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const says = (id: string, role: 'user' | 'assistant' = 'assistant'): UIMessage => ({
  id,
  role,
  parts: [{ type: 'text', text: id }],
});

const summary = (id: string, to: string, kept?: string[]): UIMessage => {
  const source = { branch: 'main', headMessageId: null, from: 'q1', to, count: 1, ...(kept ? { kept } : {}) };
  const written: PathSummary = { kind: 'compacted', text: id, source, writtenAt: '2026-01-01T00:00:00.000Z' };
  return pathSummaryMessage(id, written);
};

const sent = (path: readonly UIMessage[]): string =>
  sentPath(path)
    .map(({ id }) => id)
    .join(' ');

describe('what of a path is sent', () => {
  it('is all of it where nothing was compacted', () => {
    assert.equal(sent([says('q1', 'user'), says('a1')]), 'q1 a1');
    assert.equal(sent([]), '');
  });

  it('is the summary in place of what it covers, then what was left, then what came since', () => {
    const path = [says('q1', 'user'), says('a1'), says('a2'), summary('s', 'a1'), says('a3')];
    assert.equal(sent(path), 's a2 a3');
  });

  it('has the question that is kept once, right after the summary', () => {
    assert.equal(sent([says('q1', 'user'), says('a1'), says('a2'), summary('s', 'a1', ['q1'])]), 's q1 a2');
  });

  it('has the later summary alone, which tells of the earlier one', () => {
    const path = [
      ...[says('q1', 'user'), says('a1'), says('a2'), summary('s1', 'a1', ['q1']), says('a3')],
      ...[summary('s2', 'a2', ['q1']), says('a4')],
    ];
    assert.equal(sent(path), 's2 q1 a3 a4');
  });

  it('has all of it where what a summary covers is not on the path, with the summary where it stands', () => {
    assert.equal(sent([says('q1', 'user'), summary('s', 'elsewhere'), says('a1')]), 'q1 s a1');
    assert.equal(sent([summary('s', 'a1'), says('a1')]), 's a1');
  });

  it('is what it was before above the summary', () => {
    const path = [says('q1', 'user'), says('a1'), summary('s', 'q1')];
    assert.equal(sent(path.slice(0, 2)), 'q1 a1');
  });

  it('fuzz: holds each message at most once, nothing twice compacted, and leaves the path as it is', () => {
    const step = fc.record({
      kind: fc.constantFrom('user', 'assistant', 'summary'),
      back: fc.nat(12),
      kept: fc.array(fc.nat(12), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const path: UIMessage[] = [];
        steps.forEach(({ kind, back, kept }, index) => {
          const idAt = (from: number): string => path[Math.max(0, path.length - 1 - from)]?.id ?? 'nobody';
          path.push(
            kind === 'summary'
              ? summary(`${index}`, idAt(back), kept.map(idAt))
              : says(`${index}`, kind === 'user' ? 'user' : 'assistant'),
          );
        });
        const before = JSON.stringify(path);
        const once = sentPath(path);
        const ids = once.map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length, 'each at most once');
        assert.ok(
          once.every((message) => path.includes(message)),
          'as they are stored',
        );
        assert.deepEqual(
          sentPath(once)
            .map(({ id }) => id)
            .toSorted(),
          ids.toSorted(),
        );
        assert.equal(JSON.stringify(path), before);
        // What came after the last summary is there, in order.
        const last = path.findLastIndex(({ id }) => id === ids[0]);
        const since = path.slice(last + 1).map(({ id }) => id);
        if (once.length < path.length) assert.deepEqual(ids.slice(ids.length - since.length), since);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
