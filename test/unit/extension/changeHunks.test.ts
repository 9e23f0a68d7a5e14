import assert from 'node:assert/strict';
import { hasOpenConflict, hunksOfChange, withHunks } from '../../../src/extension/files/changeHunks.ts';
import type { MergedChange } from '../../../src/extension/files/keepBranchFiles.ts';

function changeOf(now: string | Uint8Array, result: string | Uint8Array): MergedChange {
  const content = (from: string | Uint8Array) => ({
    bytes: typeof from === 'string' ? new TextEncoder().encode(from) : Uint8Array.from(from),
    mode: 0o644,
  });
  const at = { folder: 'file:///w', path: 'a.txt' };
  return {
    change: { ...at, before: content(now), after: content(result) },
    files: [{ ...at, now: content(now), result: content(result), how: 'taken' }],
    isMarked: false,
  };
}
const textOf = ({ files }: MergedChange): string => new TextDecoder().decode(files[0]?.result?.bytes);

describe('the places of a change that is kept', () => {
  const now = 'one\ntwo\nthree\nfour\nfive\n';
  const merged = changeOf(now, 'ONE\nand\ntwo\nthree\nfour\n5');

  it('are taken one by one, whatever the others add above them', () => {
    assert.deepEqual(
      hunksOfChange(merged).map(({ beforeStart }) => beforeStart),
      [0, 4],
    );
    assert.equal(textOf(withHunks(merged, new Set([4]))), 'one\ntwo\nthree\nfour\n5');
    assert.equal(textOf(withHunks(merged, new Set([0]))), 'ONE\nand\ntwo\nthree\nfour\nfive\n');
    assert.equal(textOf(withHunks(merged, new Set())), now);
  });

  it('make the change itself, if all are taken', () => {
    assert.equal(withHunks(merged, new Set([0, 4])), merged);
  });

  it('are none of what is no text in UTF-8, and of what both changed in the same places', () => {
    assert.deepEqual(hunksOfChange(changeOf('one\n', Uint8Array.of(0xff, 0x0a))), []);
    assert.deepEqual(hunksOfChange({ ...merged, isMarked: true }), []);
  });
});

describe('a text that is merged by hand', () => {
  const base = 'one\ntwo\nthree\nfour\nfive\n';
  const sides = ['ONE\nzwei\nthree\nfour\nfive\n', 'one\n2\nthree\nfour\nfünf\n'] as const;
  const first = ['one\nzwei\nthree\nfour\nfive\n', 'one\n2\nthree\nfour\nfünf\n'] as const;

  it('is open where both changed it and it is as before', () => {
    assert.equal(hasOpenConflict(base, first, base), true);
    assert.equal(hasOpenConflict(base, first, 'one\ntwo\nthree\nfour\nfünf\n'), true);
  });

  it('is decided once it has either, or something else', () => {
    for (const merged of [
      'one\nzwei\nthree\nfour\nfünf\n',
      'one\n2\nthree\nfour\nfünf\n',
      'one\nzwei 2\nthree\nfour\nfünf\n',
    ]) {
      assert.equal(hasOpenConflict(base, first, merged), false);
      assert.equal(hasOpenConflict(base, sides, merged), false);
    }
  });
});
