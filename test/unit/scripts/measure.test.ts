import assert from 'node:assert/strict';
import { report } from '../../../bench/measure.ts';

describe('a figure of a bench', () => {
  const before = process.exitCode;
  const print = console.log;
  let printed: string[];
  beforeEach(() => {
    printed = [];
    console.log = (line: string) => void printed.push(line);
  });
  afterEach(() => {
    console.log = print;
    process.exitCode = before;
  });

  it('is printed next to its limit, and fails the run only when it is missed or is no number', () => {
    report('a save', 1.5, 2, '×', '3 and 2 ms');
    assert.equal(process.exitCode, before);
    for (const measured of [2.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      process.exitCode = before;
      report('a save', measured, 2, '×');
      assert.equal(process.exitCode, 1, String(measured));
    }
    assert.deepEqual(printed, [
      'ok      a save: 1.50 × (at most 2 ×); 3 and 2 ms',
      'MISSED  a save: 2.10 × (at most 2 ×)',
      'MISSED  a save: NaN × (at most 2 ×)',
      'MISSED  a save: Infinity × (at most 2 ×)',
    ]);
  });
});
