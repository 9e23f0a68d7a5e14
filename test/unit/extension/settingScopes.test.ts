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

/**
 * Settings that the files of a workspace may set, with the reason why the author of a repository may do so: it must not
 * decide where text or keys go, what runs, what is allowed, what is spent, or what is kept.
 */
const harmless: Readonly<Record<string, string>> = {
  'offshoot.tools.off': 'it takes tools away, and gives none',
};

describe('the settings', () => {
  it('are the user’s alone, so that no repository can loosen anything', async () => {
    const read = manifest.parse(JSON.parse(await readFile('package.json', 'utf8')));
    const { properties } = read.contributes.configuration;
    assert.ok(Object.keys(properties).length > 10);
    for (const [name, { scope }] of Object.entries(properties)) {
      if (name in harmless) continue;
      assert.equal(scope, 'application', `${name} has to be application-scoped, or named as harmless here`);
    }
    for (const name of Object.keys(harmless)) assert.ok(name in properties, `${name} is no setting any more`);
  });
});
