import assert from 'node:assert/strict';
import { comeAndGo } from '../../../fixtures/storage/comeAndGo.ts';

describe('processes that save and end next to a writer that comes and goes', () => {
  it('are each told that it is done, or why not', async function () {
    this.timeout(120_000);
    const saved = await comeAndGo(6, 3);
    assert.ok(saved >= 6, `${saved} saves`);
  });
});
