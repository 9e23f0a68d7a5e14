import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { BEGINNING_LENGTH, looksLikeConversations } from '../../../src/importExport/conversationSigns.ts';
import { programs } from '../../../src/importExport/importPrograms.ts';

const beginning = async (...place: string[]): Promise<string> =>
  (await readFile(path.join(...place), 'utf8')).slice(0, BEGINNING_LENGTH);

/** What only its own program would take for a conversation. */
const unclear = new Set([
  'codex/rollout-old.jsonl',
  'pi/titled.jsonl',
  'roo/empty.json',
  'claude-code/odd.jsonl',
  'pi/oldest.jsonl',
  'vscode/odd.jsonl',
  'vscode/empty.json',
]);

describe('a file that may hold conversations', () => {
  it('is told by its beginning, whichever program wrote it', async () => {
    const missed: string[] = [];
    let count = 0;
    const root = path.join('test', 'fixtures', 'imports');
    const entries = await readdir(root, { withFileTypes: true });
    for (const program of entries.filter((each) => each.isDirectory()).map(({ name }) => name)) {
      assert.ok(Object.hasOwn(programs, program), program);
      const folder = path.join(root, program);
      for (const name of (await readdir(folder)).filter((each) => /\.jsonl?$/u.test(each))) {
        count += 1;
        if (!looksLikeConversations(await beginning(folder, name))) missed.push(`${program}/${name}`);
      }
    }
    assert.ok(count >= 20);
    assert.deepEqual(
      missed.filter((name) => !unclear.has(name)),
      [],
    );
    assert.ok(looksLikeConversations('{\n "format": "offshoot-conversations",\n "version": 1'));
  });

  it('is none of the other files of a project', async () => {
    for (const name of [
      'package.json',
      'tsconfig.json',
      'l10n/bundle.l10n.json',
      '.vscode/settings.json',
      'schemas/conversations.schema.json',
    ]) {
      assert.equal(looksLikeConversations(await beginning(name)), false, name);
    }
    for (const text of [
      '',
      '[]',
      '{}',
      '[{"role":"admin"}]',
      '{"requests": []}',
      '{"kind":1}',
      '{"version":3}',
    ])
      assert.equal(looksLikeConversations(text), false, text);
  });
});
