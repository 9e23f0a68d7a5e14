import assert from 'node:assert/strict';
import { partNames, partsHere } from '../../../scripts/test/parts.mjs';

describe('the parts of npm test', () => {
  it('are all of them where the local VS Code runs, and elsewhere those that need none', () => {
    assert.deepEqual(partsHere(true), partNames);
    assert.deepEqual(partsHere(false), ['check', 'unit', 'integration']);
  });
});
