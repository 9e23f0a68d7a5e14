import assert from 'node:assert/strict';
import { killWriters } from '../../../fixtures/storage/killWriters.ts';

describe('a process that is killed while it saves and makes snapshots', () => {
  it('leaves every acknowledged save, none of them half there, fifty times over', async function () {
    this.timeout(180_000);
    const lanes = await Promise.all([killWriters(25), killWriters(25)]);
    // Otherwise the kills would show nothing.
    for (const { saves, journals } of lanes) {
      assert.ok(saves > 100, `${saves} saves`);
      assert.ok(journals > 10, `${journals} journals`);
    }
    assert.ok(
      lanes.some(({ duringSnapshot }) => duringSnapshot > 0),
      'none while a snapshot was made',
    );
    assert.ok(
      lanes.some(({ duringClose }) => duringClose > 0),
      'none while it closed',
    );
    assert.ok(
      lanes.some(({ snapshots }) => snapshots > 0),
      'no snapshot came into use',
    );
  });
});
