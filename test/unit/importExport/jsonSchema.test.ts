import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { conversationsJsonSchema } from '../../../src/importExport/conversationsFile.ts';

describe('the published JSON Schema of conversations', () => {
  it('is that of what reads them (npm run schema writes it)', async () => {
    const published: unknown = JSON.parse(await readFile('schemas/conversations.schema.json', 'utf8'));
    assert.deepEqual(published, JSON.parse(JSON.stringify(conversationsJsonSchema())));
  });
});
