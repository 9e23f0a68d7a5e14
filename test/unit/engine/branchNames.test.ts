import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isNextBranchName, nextBranchName } from '../../../src/engine/branchNames.ts';

describe('names of branches', () => {
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
