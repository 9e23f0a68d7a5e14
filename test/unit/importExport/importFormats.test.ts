import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importFile } from '../../../src/importExport/importFile.ts';
import { importFormats } from '../../../src/importExport/importFormats.ts';
import { programs } from '../../../src/importExport/programs.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const NOW = Date.parse('2026-02-01');

/** A file of each program, and how many conversations are in it. */
const files: Readonly<Record<string, readonly [name: string, count: number]>> = {
  'claude-code': ['branches.jsonl', 1],
  codex: ['rollout-rollback.jsonl', 1],
  cline: ['tools.json', 1],
  vscode: ['log.jsonl', 1],
  pi: ['tree.jsonl', 1],
  chatgpt: ['single.json', 1],
  'claude-ai': ['single.json', 1],
};

describe('formats of files', () => {
  it('are there for each program, and read by those who use the engine alone', () => {
    const { lines, values, items } = importFormats;
    const read = [...lines, ...values, ...items].map(({ program }) => program);
    // A file of Roo Code looks like one of Cline; one of our own has tests of its own.
    assert.deepEqual(new Set([...read, 'roo']), new Set(Object.keys(programs)));
    assert.deepEqual(new Set([...Object.keys(files), 'offshoot', 'roo']), new Set(Object.keys(programs)));
  });

  for (const [program, [name, count]] of Object.entries(files)) {
    it(`of ${program} are recognized by their content`, async () => {
      const store = memoryStore(() => NOW);
      try {
        const bytes = await readFile(path.join('test', 'fixtures', 'imports', program, name));
        const ids = await importFile(store, 'ann', bytes, NOW);
        assert.equal(ids.length, count);
        for (const id of ids) assert.ok((await store.getGraph(id)).nodes.length > 1);
      } finally {
        await store.close();
      }
    });
  }

  it('that nothing knows are refused by a list of what is known', async () => {
    const store = memoryStore(() => NOW);
    try {
      const bytes = new TextEncoder().encode('{"some":"thing"}');
      await assert.rejects(importFile(store, 'ann', bytes, NOW), {
        code: 'import-failed',
        message: /conversations that Offshoot knows: .*VS Code, .*Offshoot/,
      });
      assert.deepEqual(await store.listChats(), []);
    } finally {
      await store.close();
    }
  });
});
