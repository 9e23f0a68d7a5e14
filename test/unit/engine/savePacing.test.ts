import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SavePacing } from '../../../src/engine/answers/savePacing.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

describe('the pacing of saves of an answer that grows', () => {
  it('fuzz: lets them write no more together than a multiple of its length', () => {
    const step = fc.record({ growth: fc.nat(20_000), isGrowing: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 2_000 }), (steps) => {
        const pacing = new SavePacing();
        let [length, written] = [0, 0];
        for (const { growth, isGrowing } of steps) {
          length += growth;
          if (!pacing.allows(length, isGrowing)) continue;
          pacing.saved(length);
          written += length;
        }
        assert.ok(written <= 32 * length + 65_536, `${written} for ${length}`);
      }),
      { numRuns: fuzzRuns(50) },
    );
  });

  it('stores a short answer each time, and a long one when it has grown by a fraction', () => {
    const pacing = new SavePacing();
    const saves = (from: number, to: number): number => {
      let count = 0;
      for (let length = from; length < to; length += 100) {
        if (!pacing.allows(length, true)) continue;
        pacing.saved(length);
        count += 1;
      }
      return count;
    };
    assert.equal(saves(100, 5_000), 49, 'each');
    const many = saves(5_000, 1_000_000);
    assert.ok(many > 50 && many < 500, `${many} of 9,950`);
  });

  it('has something left for a pause', () => {
    const pacing = new SavePacing();
    let length = 0;
    do {
      length += 1_000;
      if (pacing.allows(length, true)) pacing.saved(length);
    } while (pacing.allows(length + 1, true) || length < 100_000);
    assert.equal(pacing.allows(length + 1, true), false);
    assert.equal(pacing.allows(length + 1, false), true);
  });
});
