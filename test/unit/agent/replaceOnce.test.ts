import assert from 'node:assert/strict';
import fc from 'fast-check';
import { occurrences, replaceOnce } from '../../../src/agent/tools/workspace/replaceOnce.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

describe('the place of a text in a file', () => {
  it('is found in texts that repeat themselves as fast as in others', () => {
    const text = 'a'.repeat(2_000_000);
    const long = 'a'.repeat(500_000);
    assert.throws(() => replaceOnce('a.txt', text, long, 'b'), {
      code: 'not-unique',
      message: /1500001 times/,
    });
    assert.throws(() => replaceOnce('a.txt', text, `b${long}`, 'b'), { code: 'not-found' });
    assert.throws(() => replaceOnce('a.txt', `${text}\r\n`, `b${long}\n`, 'b'), { code: 'not-found' });
    assert.equal(replaceOnce('a.txt', `${text}b`, `${long}b`, 'c').length, 1_500_001);
  });

  it('is each where it stands, overlapping ones too (fuzz)', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 40 });
    fc.assert(
      fc.property(letters, letters, fc.nat(5), (text, wanted, limit) => {
        const expected: number[] = [];
        for (let at = 0; wanted !== '' && at + wanted.length <= text.length; at++) {
          if (text.startsWith(wanted, at)) expected.push(at);
        }
        assert.deepEqual(occurrences(text, wanted), expected);
        assert.deepEqual(occurrences(text, wanted, limit), expected.slice(0, limit));
      }),
      { numRuns: fuzzRuns(2_000) },
    );
  });
});
