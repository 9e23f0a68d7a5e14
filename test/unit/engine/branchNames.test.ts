import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isNextBranchName, nextBranchName } from '../../../src/engine/branchNames.ts';

describe('names of branches', () => {
  it('are no longer than names may be, however many are made of one another', () => {
    const taken: string[] = [];
    for (let made = 0; made < 200; made++) taken.push(nextBranchName(taken.at(-1) ?? 'main', taken));
    assert.equal(new Set(taken).size, 200);
    assert.deepEqual(
      [taken[0], taken[1], taken[64], taken[65]],
      ['main-v2', 'main-v2-v2', `main${'-v2'.repeat(65)}`, 'main-v3'],
    );
    assert.ok(taken.every((name) => name.length <= 200));
  });

  it('skip a number that is too large to count', () => {
    const taken = ['main-v999999999999999', 'main-v1000000000000000'];
    assert.equal(nextBranchName('main', taken), 'main-v1000000000000001');
  });

  it('tell one that was made from one that a user chose', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.nat()), (base, numbers) => {
        const next = nextBranchName(
          base,
          numbers.map((number) => `${base}-v${number}`),
        );
        assert.ok(isNextBranchName(next));
      }),
    );
    for (const name of ['main', 'main-vacation', 'main-v', 'main-v0', 'v2', '-v2', 'main-v2 again']) {
      assert.ok(!isNextBranchName(name), name);
    }
  });
});
