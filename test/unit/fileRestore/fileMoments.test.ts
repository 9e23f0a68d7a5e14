import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FileVersion } from '../../../src/engine/effects.ts';
import { FileMoments } from '../../../src/files/fileMoments.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const version = (hash: string): FileVersion => ({ hash, size: 1 });
const change = (path: string, before: string | null, after: string | null, at = 0) => ({
  ...{ folder: 'file:///w', path, at },
  before: before === null ? null : version(before),
  after: after === null ? null : version(after),
});
const hashAt = (moments: FileMoments, path: string, place: number): string | null | undefined => {
  const found = moments.versionAt({ folder: 'file:///w', path }, place);
  return found ? found.hash : found;
};

describe('files at the moments of a path', () => {
  it('are as the messages up to there left them, and before as they were found', () => {
    const moments = new FileMoments(
      ['q', 'a', 'r', 'b'],
      [
        { messageId: 'b', files: [change('x', 'one', null)] },
        { messageId: 'a', files: [change('x', 'zero', 'half'), change('x', 'half', 'one', 1)] },
      ],
    );
    assert.deepEqual(
      [-1, 0, 1, 2, 3, 9].map((place) => hashAt(moments, 'x', place)),
      ['zero', 'zero', 'one', 'one', null, null],
    );
    assert.deepEqual(moments.files, [{ folder: 'file:///w', path: 'x' }]);
  });

  it('of another branch are not known', () => {
    const moments = new FileMoments(['q'], [{ messageId: 'elsewhere', files: [change('x', null, 'one')] }]);
    assert.equal(hashAt(moments, 'x', 0), undefined);
    assert.deepEqual(moments.files, []);
  });

  it('are those of a fold over all changes', () => {
    const anyChanges = fc.array(
      fc.record({ place: fc.nat(30), path: fc.constantFrom('a', 'b', 'c'), deletes: fc.boolean() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(anyChanges, (given) => {
        const ordered = given.toSorted((one, other) => one.place - other.place);
        const now = new Map<string, string | null>();
        const first = new Map<string, string | null>();
        const files = new Map<string, ReturnType<typeof change>[]>();
        const folded: Map<string, string | null>[] = [];
        for (let place = 0; place <= 30; place += 1) {
          for (const [index, { path, deletes }] of ordered.filter((each) => each.place === place).entries()) {
            const before = now.get(path) ?? null;
            const after = deletes ? null : `${place} ${index}`;
            if (!first.has(path)) first.set(path, before);
            files.set(`m${place}`, [...(files.get(`m${place}`) ?? []), change(path, before, after, index)]);
            now.set(path, after);
          }
          folded.push(new Map(now));
        }
        const messages = [...files].map(([messageId, changes]) => ({ messageId, files: changes })).reverse();
        const moments = new FileMoments(
          Array.from({ length: 31 }, (_, place) => `m${place}`),
          messages,
        );
        for (const [place, expected] of folded.entries())
          for (const [path, before] of first)
            assert.equal(hashAt(moments, path, place), expected.has(path) ? expected.get(path) : before);
      }),
      { numRuns: fuzzRuns(200) },
    );
  });
});
