import assert from 'node:assert/strict';
import { killWriters } from '../../../fixtures/storage/killWriters.ts';

describe('a process that is killed while it saves and makes snapshots', () => {
  it('leaves every acknowledged save, none of them half there, fifty times over', async function () {
    this.timeout(180_000);
    const lanes = await Promise.all([killWriters(25), killWriters(25)]);
    for (const { saves, snapshots } of lanes) {
      // Otherwise the kills would show nothing.
      assert.ok(saves > 100, `${saves} saves`);
      assert.ok(snapshots > 10, `${snapshots} snapshots`);
    }
  });
});
