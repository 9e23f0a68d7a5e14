import assert from 'node:assert/strict';
import {
  DAYS_TO_MEND,
  MOST_FLAKY_FILES,
  overdue,
  SecondLook,
  type Outcome,
  type TestResult,
} from '../../../scripts/test/second-look.mjs';

const file = (name: string): string => `out/test/ui/${name}.test.cjs`;
const passed = (name: string): TestResult => ({ title: 'holds', state: 'passed', file: file(name) });
const failed = (name: string): TestResult => ({
  title: 'breaks',
  state: 'failed',
  file: file(name),
  error: 'Error: too early\nand more',
});

function outcome(tests: TestResult[], isOnlyOfTests = true): Outcome {
  const count = (state: string): number => tests.filter((test) => test.state === state).length;
  return { passed: count('passed'), failed: count('failed'), seconds: 1, tests, isOnlyOfTests };
}

const step = {
  name: 'workbench',
  part: 'ui',
  command: ['all'],
  again: (name: string): string[] => ['alone', name],
};

/** @param again what each file shows when it runs alone */
function lookingTwice(again: Outcome): { look: SecondLook; commands: string[][] } {
  const commands: string[][] = [];
  const look = new SecondLook((run) => {
    commands.push(run.command);
    return Promise.resolve(again);
  });
  return { look, commands };
}

describe('a workbench test that failed next to others', () => {
  it('counts as passed, and is told, where its file passes alone', async () => {
    const { look, commands } = lookingTwice(outcome([passed('a'), passed('a')]));
    const counts = await look.at(step, outcome([passed('a'), failed('a'), passed('b')]));
    assert.deepEqual(commands, [['alone', file('a')]]);
    assert.deepEqual([counts.passed, counts.failed], [3, 0]);
    assert.deepEqual(look.flaky, [{ file: 'test/ui/a.test.ts', title: 'breaks', error: 'Error: too early' }]);
  });

  it('stays failed where its file fails alone as well', async () => {
    const { look } = lookingTwice(outcome([failed('a')]));
    const counts = await look.at(step, outcome([failed('a')]));
    assert.deepEqual([counts.passed, counts.failed], [0, 1]);
    assert.deepEqual(look.flaky, []);
  });

  it('stays failed where more than three files did', async () => {
    const { look, commands } = lookingTwice(outcome([passed('a')]));
    const names = Array.from({ length: MOST_FLAKY_FILES + 1 }, (_, index) => String(index));
    const counts = await look.at(step, outcome(names.map(failed)));
    assert.equal(counts.failed, names.length);
    assert.deepEqual(commands, []);
  });

  it('stays failed from the fourth file of a run on', async () => {
    const { look } = lookingTwice(outcome([passed('a')]));
    const last = [];
    for (let index = 0; index <= MOST_FLAKY_FILES; index++) {
      last.push((await look.at(step, outcome([failed(String(index))]))).failed);
    }
    assert.deepEqual(last, [0, 0, 0, 1]);
  });

  it('stays failed where something else is wrong, or where it is not of a workbench', async () => {
    const { look, commands } = lookingTwice(outcome([passed('a')]));
    assert.equal((await look.at(step, outcome([failed('a')], false))).failed, 1);
    const { again: _again, ...pages } = step;
    assert.equal((await look.at(pages, outcome([failed('a')]))).failed, 1);
    assert.deepEqual(commands, []);
  });
});

describe('a workbench test that is known to be flaky', () => {
  const known = (since: string): { file: string; since: string; cause: string } => ({
    file: 'test/ui/a.test.ts',
    since,
    cause: 'a palette that closes',
  });

  it('is to be mended within two weeks', () => {
    const now = new Date('2026-03-20T12:00:00Z');
    assert.equal(DAYS_TO_MEND, 14);
    assert.deepEqual(overdue([known('2026-03-07')], now), []);
    assert.equal(overdue([known('2026-03-06')], now).length, 1);
  });

  it('fails the run where its day cannot be read', () => {
    assert.equal(overdue([known('soon')], new Date()).length, 1);
  });
});
