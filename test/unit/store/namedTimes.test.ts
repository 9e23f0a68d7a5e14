import assert from 'node:assert/strict';
import { isSaidAt, namedTimes } from '../../../src/store/common/namedTimes.ts';
import { languages } from '../../../src/store/common/stemmers.ts';

describe('the times that a query names', () => {
  for (const [query, expected] of [
    ['What happened in May 2025?', ['2025-5']],
    ['From May to June 2025', ['2025-5', '2025-6']],
    ['on 3 July', ['-7']],
    ['What did we do in 2024?', ['2024-']],
    ['2025-03', ['2025-3']],
    ['2025年5月买了什么', ['2025-5']],
    ['5月に', ['-5']],
    ['im März', ['-3']],
    ['что было в январе 2025', ['2025-1']],
    ['may I march on?', ['-3']],
    ['May I ask?', []],
    ['1999000 boats, 12 and 1234', []],
  ] as const) {
    it(`finds ${expected.length} in “${query}”`, () => {
      const found = namedTimes(query, languages).map(
        ({ year, month }) => `${year ?? ''}-${month === undefined ? '' : month + 1}`,
      );
      assert.deepEqual(found, expected);
    });
  }

  it('count what is said then, or soon afterwards', () => {
    const at = (month: number, day: number): number => new Date(2025, month, day).getTime();
    const may = { year: 2025, month: 4 };
    assert.ok(isSaidAt(at(4, 1), may));
    assert.ok(isSaidAt(at(5, 10), may));
    assert.ok(!isSaidAt(at(3, 30), may));
    assert.ok(!isSaidAt(at(5, 20), may));
    assert.ok(isSaidAt(at(4, 1), { year: undefined, month: 4 }));
    assert.ok(!isSaidAt(at(4, 1), { year: 2024, month: 4 }));
  });
});
