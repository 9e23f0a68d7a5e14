import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  partNames,
  partsHere,
  startingPrograms,
  startsPrograms,
  timedUi,
} from '../../../scripts/test/parts.mjs';
import { portableTests } from '../../../scripts/test/portable-tests.mjs';

interface Steps {
  allStages: (options: { all: boolean }) => { name: string; part: string; command: string[] }[][][];
}

describe('the parts of npm test', () => {
  it('are all of them where the local VS Code runs, and elsewhere those that need none', () => {
    assert.deepEqual(partsHere(true), partNames);
    assert.deepEqual(partsHere(false), ['check', 'unit', 'integration']);
  });

  it('are quick without tests that are there', async () => {
    const slow = Object.keys(JSON.parse(await readFile('test/slowTests.json', 'utf8')) as object);
    assert.ok(slow.length > 0);
    for (const file of slow) await assert.doesNotReject(access(file), file);
  });

  it('run each unit test once, and with its kind where it starts programs', async () => {
    for (const place of startingPrograms) await assert.doesNotReject(access(place), place);
    // Loaded rather than bundled, because scripts go by where they stand.
    const script = path.resolve('scripts', 'test', 'steps.mjs');
    const { allStages } = (await import(pathToFileURL(script).href)) as Steps;
    const steps = allStages({ all: true })
      .flat(2)
      .filter(({ part }) => part === 'unit');
    const whole = steps.filter(({ command }) => command.includes('--recursive'));
    assert.deepEqual(
      whole.map(({ name }) => name),
      ['unit'],
    );
    // What the others run by name is what this one leaves out.
    const named = steps
      .filter((step) => !whole.includes(step))
      .flatMap(({ command }) => command.filter((word) => word.endsWith('.test.cjs')));
    const left = whole.flatMap(({ command }) =>
      command.filter((_word, at) => command[at - 1] === '--exclude'),
    );
    assert.deepEqual(named.toSorted(), left.toSorted());
    assert.ok(left.length > 0);
    assert.equal(startsPrograms('test/unit/platform/sandbox.test.ts'), true);
    assert.equal(startsPrograms('test/unit/agent/scenarios.test.ts'), false);
  });

  it('run alone what measures time and is there', async () => {
    assert.ok(timedUi.length > 0);
    for (const place of timedUi) {
      const source = path.join('test', ...place).replace(/\.cjs$/, '.ts');
      await assert.doesNotReject(access(source), source);
    }
  });

  it('say of each integration test that runs in both hosts what may differ, and it is there', async () => {
    const folder = path.join('test', 'integration');
    const both = JSON.parse(await readFile(path.join(folder, 'bothHosts.json'), 'utf8')) as object;
    const portable = await portableTests(folder);
    assert.deepEqual(portable, Object.keys(both).sort());
    for (const file of portable) await assert.doesNotReject(access(path.join(folder, file)), file);
    for (const [file, reason] of Object.entries(both)) assert.ok(String(reason).length > 10, file);
  });
});
