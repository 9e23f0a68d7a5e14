import assert from 'node:assert/strict';
import type { UserFolder } from '../../../../src/host/foreignFiles.ts';
import { codexExport } from '../../../../src/importExport/exports/codexExport.ts';
import { codexChat } from '../../../../src/importExport/programs/codex/codexChat.ts';
import { exportedBranch } from '../../../fixtures/exportedBranch.ts';
import { outlineOf } from '../../../fixtures/importOutline.ts';
import { memoryStore } from '../../../fixtures/stores.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a branch as a session of Codex', () => {
  it('is where Codex looks for it, and is continued by its id', async () => {
    const { fileName, folders, commands } = await codexExport.write(exportedBranch(PIXEL, '/work/birds'));
    const id = '00000000-0000-4000-8000-000000000001';
    assert.equal(fileName, `rollout-2026-01-20T09-32-00-${id}.jsonl`);
    assert.deepEqual(folders, ['2026', '01', '20']);
    const userFolder = (folder: UserFolder, ...inside: readonly string[]): string =>
      [folder.variable, ...inside].join('/');
    assert.equal(codexExport.home?.({ userFolder }), 'CODEX_HOME/sessions');
    assert.deepEqual(commands('/anywhere'), [['codex', 'resume', id]]);
  });

  it('holds what was said, as an import of it shows', async () => {
    const branch = exportedBranch(PIXEL, '/work/birds');
    const { fileName: name, bytes } = await codexExport.write(branch);
    const read = await codexChat([{ name, text: new TextDecoder().decode(bytes) }], new Map(), branch.now);
    assert.ok(read);
    assert.deepEqual(read.report.all(), []);
    const store = memoryStore(() => branch.now);
    try {
      const [chatId = ''] = await store.importChats('ann', [read.chat]);
      const outline = (await outlineOf(store, chatId)).replaceAll(/offshoot-blob:[0-9a-f]{64}/gu, 'blob');
      assert.equal(
        outline,
        [
          '# Which bird is this?',
          'main *',
          '  user: "Which bird is this?" + picture',
          '  assistant: "I look into the notes."',
          String.raw`  assistant: read_file({"path":"notes.txt"}) -> "Herons nest in March.\nOwls nest in April."`,
          '  assistant: read_file({"path":"owl.txt"}) -> "There is no such file."',
          '  assistant: view_picture({"path":"heron.png"}) -> ' +
            '{"files":[{"type":"file","mediaType":"image/png","url":"blob"}],"text":"A picture."}',
          '  assistant: "It is a heron."',
          '  user: "When does it nest?"',
          '  assistant: "In March."',
        ].join('\n'),
      );
    } finally {
      await store.close();
    }
  });
});
