import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { partNames, partsHere, timedUi } from '../../../scripts/test/parts.mjs';
import { portableTests } from '../../../scripts/test/portable-tests.mjs';

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

  it('run alone what measures time and is there', async () => {
    assert.ok(timedUi.length > 0);
    for (const place of timedUi) {
      const source = path.join('test', ...place).replace(/\.cjs$/, '.ts');
      await assert.doesNotReject(access(source), source);
    }
  });

  it('give a reason for each integration test that needs Node, which is there', async () => {
    const nodeOnly = JSON.parse(await readFile('test/integration/nodeOnly.json', 'utf8')) as object;
    for (const [file, reason] of Object.entries(nodeOnly)) {
      await assert.doesNotReject(access(path.join('test', 'integration', file)), file);
      assert.ok(String(reason).length > 10, file);
    }
    const portable = await portableTests(path.join('test', 'integration'));
    assert.ok(portable.length > Object.keys(nodeOnly).length);
    assert.ok(portable.every((file) => !(file in nodeOnly)));
  });
});
