import assert from 'node:assert/strict';
import { loadOnce } from '../../../src/base/loadOnce.ts';

describe('what is loaded once', () => {
  it('is loaded when it is first asked for, and for all who ask', async () => {
    let loads = 0;
    const get = loadOnce(() => Promise.resolve({ number: ++loads }));
    assert.equal(loads, 0);
    const [one, other] = await Promise.all([get(), get()]);
    assert.deepEqual(one, { number: 1 });
    assert.equal(one, other);
    assert.equal(await get(), one);
  });

  it('is tried again after a failure, by the next caller', async () => {
    let loads = 0;
    const get = loadOnce(() => {
      loads += 1;
      return loads === 1 ? Promise.reject(new Error('No connection')) : Promise.resolve(loads);
    });
    const outcomes = await Promise.allSettled([get(), get()]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.deepEqual([await get(), await get()], [2, 2]);
  });
});
