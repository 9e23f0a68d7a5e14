import assert from 'node:assert/strict';
import { PromiseCache } from '../../../src/base/promiseCache.ts';

describe('PromiseCache', () => {
  it('reads once what is asked for often, also while it is being read', async () => {
    const readings = new PromiseCache<number>();
    let count = 0;
    const read = (): Promise<number> => Promise.resolve((count += 1));
    assert.deepEqual(await Promise.all([readings.get('a', read), readings.get('a', read)]), [1, 1]);
    assert.equal(await readings.peek('a'), 1);
    assert.equal(await readings.get('b', read), 2);
    readings.forget('a');
    assert.equal(readings.peek('a'), undefined);
    assert.equal(await readings.get('a', read), 3);
    readings.clear();
    assert.equal(await readings.get('b', read), 4);
  });

  it('reads again what failed', async () => {
    const readings = new PromiseCache<number>();
    await assert.rejects(
      readings.get('a', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await readings.get('a', () => Promise.resolve(1)), 1);
  });

  it('keeps what was read since, when an older reading fails', async () => {
    const readings = new PromiseCache<number>();
    const older = Promise.withResolvers<number>();
    const failing = readings.get('a', () => older.promise);
    readings.forget('a');
    const newer = readings.get('a', () => Promise.resolve(2));
    older.reject(new Error('late'));
    await assert.rejects(failing, /late/);
    assert.equal(readings.peek('a'), newer);
  });

  it('releases what was read first, beyond what it keeps', () => {
    const readings = new PromiseCache<string>(2);
    for (const key of ['a', 'b', 'c']) void readings.get(key, () => Promise.resolve(key));
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => readings.peek(key) !== undefined),
      [false, true, true],
    );
  });
});
