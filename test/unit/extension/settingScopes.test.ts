import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const manifest = z.object({
  contributes: z.object({
    configuration: z.object({
      properties: z.record(z.string(), z.object({ scope: z.string().optional() })),
    }),
  }),
});

/** Chosen so that they are read through without scrolling. */
const MOST_SETTINGS = 25;

describe('the settings', () => {
  it('are the user’s alone, so that no repository can loosen anything', async () => {
    const read = manifest.parse(JSON.parse(await readFile('package.json', 'utf8')));
    const { properties } = read.contributes.configuration;
    assert.ok(Object.keys(properties).length > 10);
    // The author of a repository must not decide where text or keys go, what runs, is allowed, spent or kept.
    for (const [name, { scope }] of Object.entries(properties)) {
      assert.equal(scope, 'application', `${name} has to be application-scoped`);
    }
  });

  it(`are at most ${MOST_SETTINGS}`, async () => {
    const read = manifest.parse(JSON.parse(await readFile('package.json', 'utf8')));
    const names = Object.keys(read.contributes.configuration.properties);
    assert.ok(names.length <= MOST_SETTINGS, `${names.length}`);
  });
});
