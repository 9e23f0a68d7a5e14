import assert from 'node:assert/strict';
import { killWriters } from '../../../fixtures/storage/killWriters.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';

// One of each kind that it has.
const KILLS = 7;

describe('a process that is killed while it saves and makes snapshots', () => {
  it('leaves every acknowledged save, none of them half there, again and again (fuzz)', async function () {
    this.timeout(180_000);
    const { kills } = await killWriters(fuzzRuns(KILLS));
    assert.ok(kills >= KILLS, `${kills} kills`);
  });
});
