import assert from 'node:assert/strict';
import { importFormats, readAny } from '../../../src/importExport/importFormats.ts';
import { programs } from '../../../src/importExport/importPrograms.ts';
import { fixtureFile } from '../../fixtures/importOutline.ts';

const NOW = Date.parse('2026-02-01');

/** A file of each program, with one conversation. */
const files: Readonly<Record<string, string>> = {
  'claude-code': 'branches.jsonl',
  codex: 'rollout-rollback.jsonl',
  cline: 'tools.json',
  vscode: 'log.jsonl',
  pi: 'tree.jsonl',
  chatgpt: 'single.json',
  'claude-ai': 'single.json',
};

describe('formats of files', () => {
  it('are there for each program', () => {
    const known = importFormats.map(({ program }) => program);
    assert.deepEqual(new Set(known), new Set(Object.keys(programs)));
    // A file of Roo Code looks like one of Cline; one of our own has tests of its own.
    assert.deepEqual(new Set([...Object.keys(files), 'offshoot', 'roo']), new Set(Object.keys(programs)));
  });

  for (const [program, name] of Object.entries(files)) {
    it(`of ${program} are recognized by their content`, async () => {
      const { chats } = await readAny(await fixtureFile(program, name), NOW);
      const read = [];
      for await (const each of chats()) read.push(each);
      assert.deepEqual(
        read.map(({ source }) => source.program),
        [program],
      );
      assert.ok(read.every(({ chat }) => chat.messages.length > 0));
    });
  }

  it('that nothing knows are refused by a list of what is known', async () => {
    const file = { ...(await fixtureFile('vscode', 'empty.json')), chunks: someJson };
    await assert.rejects(readAny(file, NOW), {
      code: 'import-failed',
      message: /conversations that Offshoot knows: .*VS Code, .*Offshoot/,
    });
  });
});

async function* someJson(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode('{"some":"thing"}'));
}
