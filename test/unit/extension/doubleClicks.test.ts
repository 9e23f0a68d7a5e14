import assert from 'node:assert/strict';
import { DoubleClicks } from '../../../src/extension/ui/doubleClicks.ts';

describe('a double click', () => {
  it('is the second of two clicks on one row in half a second', () => {
    const clicks = new DoubleClicks();
    assert.equal(clicks.isSecond('a', 0), false);
    assert.equal(clicks.isSecond('a', 500), true);
    assert.equal(clicks.isSecond('a', 600), false, 'the third begins again');
    assert.equal(clicks.isSecond('b', 700), false, 'on another row');
    assert.equal(clicks.isSecond('b', 1201), false, 'too late');
    assert.equal(clicks.isSecond('b', 1300), true);
  });
});
