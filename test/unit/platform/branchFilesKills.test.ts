import assert from 'node:assert/strict';
import { killPrograms } from '../../fixtures/branchFiles/killPrograms.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

/** One of each step. */
const KILLS = 5;

void describe('a program that is killed while it works with the files of a branch', () => {
  it('leaves all as before the step, or as after it, and nothing else (fuzz)', async function () {
    this.timeout(600_000);
    const kills = fuzzRuns(KILLS);
    assert.equal((await killPrograms(kills)).kills, kills);
  });
});
