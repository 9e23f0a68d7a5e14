import assert from 'node:assert/strict';
import { comeAndGo } from '../../../fixtures/storage/comeAndGo.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';

describe('many processes that save and end next to a writer that comes and goes', () => {
  it('are each told that it is done, or why not (fuzz)', async function () {
    this.timeout(600_000);
    const count = fuzzRuns(50);
    const saved = await comeAndGo(count, 8);
    assert.ok(saved >= count, `${saved} saves`);
  });
});
