import assert from 'node:assert/strict';
import { killWriters } from '../../../fixtures/storage/killWriters.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';

describe('a process that is killed while it saves and makes snapshots', () => {
  it('leaves every acknowledged save, none of them half there, again and again (fuzz)', async function () {
    this.timeout(180_000);
    const lanes = await Promise.all([killWriters(fuzzRuns(10)), killWriters(fuzzRuns(10))]);
    // Otherwise the kills would show nothing.
    for (const { saves, journals } of lanes) {
      assert.ok(saves > 100, `${saves} saves`);
      assert.ok(journals > 5, `${journals} journals`);
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
