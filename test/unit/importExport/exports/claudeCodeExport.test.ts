import assert from 'node:assert/strict';
import { claudeCodeExport } from '../../../../src/importExport/exports/claudeCodeExport.ts';
import { readAny } from '../../../../src/importExport/importFormats.ts';
import { exportedBranch } from '../../../fixtures/exportedBranch.ts';
import { outlineOf, reportIn, sourceFile } from '../../../fixtures/importOutline.ts';
import { memoryStore } from '../../../fixtures/stores.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a branch as a session of Claude Code', () => {
  it('is where Claude Code looks for it, and is continued by its id', async () => {
    const { fileName, folders, commands } = await claudeCodeExport.write(
      exportedBranch(PIXEL, '/work/my.birds'),
    );
    const id = '00000000-0000-4000-8000-000000000001';
    assert.equal(fileName, `${id}.jsonl`);
    assert.deepEqual(folders, ['-work-my-birds']);
    assert.deepEqual(commands('/anywhere'), [['claude', '--resume', id]]);
  });

  it('holds what was said, as an import of it shows', async () => {
    const branch = exportedBranch(PIXEL, '/work/birds');
    const { fileName, bytes } = await claudeCodeExport.write(branch);
    const { chats } = await readAny(sourceFile(fileName, bytes), branch.now);
    const store = memoryStore(() => branch.now);
    try {
      const outlines: string[] = [];
      for await (const { source, chat, report } of chats()) {
        assert.deepEqual([source.program, reportIn(report)], ['claude-code', []]);
        const [chatId = ''] = await store.importChats('ann', [chat]);
        outlines.push(await outlineOf(store, chatId));
      }
      assert.deepEqual(
        outlines.map((outline) => outline.replaceAll(/offshoot-blob:[0-9a-f]{64}/gu, 'blob')),
        [
          [
            '# Herons',
            'main *',
            '  user: "Which bird is this?" + picture',
            '  assistant [Heron 2]: "I look into the notes."',
            String.raw`  assistant [Heron 2]: read_file({"path":"notes.txt"}) -> "Herons nest in March.\nOwls nest in April." + read_file({"path":"owl.txt"}) -> failed There is no such file.`,
            '  assistant [Heron 2]: view_picture({"path":"heron.png"}) -> ' +
              '{"files":[{"type":"file","mediaType":"image/png","url":"blob"}],"text":"A picture."}',
            '  assistant [Heron 2]: "It is a heron."',
            '  user: "When does it nest?"',
            '  assistant: "In March."',
          ].join('\n'),
        ],
      );
    } finally {
      await store.close();
    }
  });
});
