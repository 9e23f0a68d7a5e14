import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countLines, hunksOf, withHunkKept, withHunkUndone } from '../../../src/files/textHunks.ts';

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd'), { maxLength: 12 })
  .map((lines) => lines.join(''));

describe('hunks of a text', () => {
  it('lead back to the first text when each is undone, and to the second when each is kept', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = hunksOf(before, after);
        // From the bottom, so that the lines above stay where they are.
        const undone = hunks.reduceRight((now, hunk) => withHunkUndone(now, hunk), after);
        const kept = hunks.reduceRight((now, hunk) => withHunkKept(now, hunk), before);
        assert.equal(undone, before);
        assert.equal(kept, after);
      }),
    );
  });

  it('are one less when one of them is undone or kept, whatever the order', () => {
    fc.assert(
      fc.property(text, text, fc.nat(), (before, after, which) => {
        const hunks = hunksOf(before, after);
        const hunk = hunks[which % Math.max(1, hunks.length)];
        if (!hunk) return;
        const without = hunksOf(before, withHunkUndone(after, hunk));
        const decided = hunksOf(withHunkKept(before, hunk), after);
        const lines = ({ added, removed }: { added: number; removed: number }) => added + removed;
        const all = lines(countLines(hunks));
        const own = hunk.added.length + hunk.removed.length;
        assert.ok(lines(countLines(without)) <= all - own);
        assert.ok(lines(countLines(decided)) <= all - own);
      }),
    );
  });

  it('may have any number of lines', () => {
    const long = 'a line\n'.repeat(300_000);
    const [hunk, ...more] = hunksOf('', long);
    assert.ok(hunk);
    assert.deepEqual(more, []);
    assert.equal(hunk.added.length, 300_000);
    assert.equal(withHunkUndone(long, hunk), '');
    assert.equal(withHunkKept('', hunk), long);
  });

  it('are counted in lines', () => {
    const hunks = hunksOf('one\ntwo\nthree\n', 'one\n2\nthree\nfour\nfive');
    assert.equal(hunks.length, 2);
    assert.deepEqual(countLines(hunks), { added: 3, removed: 1 });
  });

  it('are one where texts are too different to compare in time', () => {
    const lines = (seed: number) =>
      Array.from({ length: 40_000 }, (_, index) => `${(index * seed) % 39_989}\n`).join('');
    const [before, after] = [lines(7), lines(11)];
    const hunks = hunksOf(before, after);
    assert.equal(
      hunks.reduceRight((now, hunk) => withHunkUndone(now, hunk), after),
      before,
    );
  });
});
