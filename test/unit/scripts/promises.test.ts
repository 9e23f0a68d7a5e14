import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisedTests, promises } from '../../../scripts/promisedTests.mjs';

describe('the promises of SECURITY.md', () => {
  it('are each held by tests, and nothing else is', async () => {
    const text = await readFile('SECURITY.md', 'utf8');
    const held = [...new Set(promisedTests(text).map(({ promise }) => promise))];
    const made = promises(text);
    assert.ok(made.length > 30);
    assert.deepEqual(
      made.filter((promise) => !held.some((beginning) => promise.startsWith(beginning))),
      [],
      'without a test',
    );
    assert.deepEqual(
      held.filter((beginning) => made.filter((promise) => promise.startsWith(beginning)).length !== 1),
      [],
      'not a promise',
    );
  });

  it('name tests that are there, by their files and titles', async () => {
    for (const { file, title, promise } of promisedTests(await readFile('SECURITY.md', 'utf8'))) {
      assert.notEqual(title, '', `${promise}: ${file} without a title`);
      const source = await readFile(file, 'utf8');
      assert.match(source, /^\s*(?:it|describe)\(/mu, file);
      const titles = [...source.matchAll(/\b(?:it|describe)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gsu)].map(
        ([, , text = '']) => text,
      );
      assert.ok(
        titles.some((text) => text.includes(title.trim())),
        `${promise}: ${file} has no “${title}”`,
      );
    }
  });

  it('hold that nothing is counted or sent', async () => {
    const sources = (await readdir('src', { recursive: true })).filter((file) => /\.tsx?$/u.test(file));
    for (const file of sources) {
      const text = await readFile(path.join('src', file), 'utf8');
      assert.doesNotMatch(text, /createTelemetryLogger|TelemetrySender|telemetryReporter|sendBeacon/iu, file);
    }
  });
});
