import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrations } from '../../../src/store/postgres/schema/migrations.ts';
import { writes } from '../../../src/store/common/storeWrites.ts';

const names = Object.keys(writes);

/** Writes that a server does by another one, or by a function of their own. */
const otherwiseOnAServer = ['upsertChat', 'updateChat', 'addUsage', 'removePiece', 'endLeaving'];

describe('the table of writes', () => {
  it('is read by the linter, which refuses them where nothing may be written', async () => {
    const config = (await import(pathToFileURL(path.resolve('eslint.config.mjs')).href)) as {
      readonly writeNames: readonly string[];
    };
    assert.deepEqual(config.writeNames, names);
  });

  it('has a function on the server for each', () => {
    const served = [...(migrations.at(-1) ?? '').matchAll(/WHEN '(\w+)' THEN v :=/g)].map(([, name]) => name);
    const expected = [...names.filter((name) => !otherwiseOnAServer.includes(name)), 'shareChat'];
    assert.deepEqual(served.sort(), expected.sort());
  });
});

describe('a function that runs as the owner of the tables', () => {
  it('looks for names in the schema of the store alone', () => {
    const attributes = new Set(migrations.join('\n').match(/^(?!--).*\bSECURITY DEFINER\b.*$/gm));
    assert.deepEqual([...attributes], ['SECURITY DEFINER SET search_path = offshoot, pg_temp AS $entry$']);
  });
});
