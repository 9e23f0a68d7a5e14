import assert from 'node:assert/strict';
import type { UserFolder } from '../../../../src/host/foreignFiles.ts';
import { piExport } from '../../../../src/importExport/exports/piExport.ts';
import { readPi } from '../../../../src/importExport/programs/piSession.ts';
import { exportedBranch } from '../../../fixtures/exportedBranch.ts';
import { outlineOf, reportIn, sourceFile } from '../../../fixtures/importOutline.ts';
import { memoryStore } from '../../../fixtures/stores.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a branch as a session of pi', () => {
  it('is where pi looks for it, and is continued by its path', async () => {
    const { fileName, folders, commands } = await piExport.write(exportedBranch(PIXEL, '/work/birds'));
    assert.equal(fileName, '2026-01-20T09-32-00-000Z_00000000-0000-4000-8000-000000000001.jsonl');
    assert.deepEqual(folders, ['--work-birds--']);
    const userFolder = (folder: UserFolder, ...inside: readonly string[]): string =>
      [folder.variable, ...inside].join('/');
    assert.equal(piExport.home?.({ userFolder }), 'PI_CODING_AGENT_DIR/sessions');
    assert.deepEqual(commands('/anywhere/it.jsonl'), [['pi', '--session', '/anywhere/it.jsonl']]);
  });

  it('holds what was said, as an import of it shows', async () => {
    const branch = exportedBranch(PIXEL, '/work/birds');
    const { fileName, bytes } = await piExport.write(branch);
    const [read] = await readPi(sourceFile(fileName, bytes), branch.now);
    assert.ok(read);
    assert.deepEqual(reportIn(read.report), []);
    const store = memoryStore(() => branch.now);
    try {
      const [chatId = ''] = await store.importChats('ann', [read.chat]);
      const outline = (await outlineOf(store, chatId)).replaceAll(/offshoot-blob:[0-9a-f]{64}/gu, 'blob');
      assert.equal(
        outline,
        [
          '# Herons',
          'main *',
          '  user: "Which bird is this?" + picture',
          '  assistant [Heron 2]: "I look into the notes."',
          String.raw`  assistant: read_file({"path":"notes.txt"}) -> "Herons nest in March.\nOwls nest in April."`,
          '  assistant: read_file({"path":"owl.txt"}) -> failed There is no such file.',
          '  assistant: view_picture({"path":"heron.png"}) -> ' +
            '{"files":[{"type":"file","mediaType":"image/png","url":"blob"}],"text":"A picture."}',
          '  assistant [Heron 2]: "It is a heron."',
          '  user: "When does it nest?"',
          '  assistant [unknown]: "In March."',
        ].join('\n'),
      );
    } finally {
      await store.close();
    }
  });

  it('has no entry in common with another session of the same branch', async () => {
    const branch = exportedBranch(PIXEL, '/work/birds');
    const idsIn = async (newId: () => string): Promise<string[]> => {
      const { bytes } = await piExport.write({ ...branch, newId });
      return [...new TextDecoder().decode(bytes).matchAll(/"id":"([0-9a-f]{8})"/gu)].map(([, id = '']) => id);
    };
    const one = await idsIn(() => '00000000-0000-4000-8000-0000ffffffff');
    const other = await idsIn(() => '00000000-0000-4000-8000-000012345678');
    assert.equal(new Set([...one, ...other]).size, one.length + other.length);
  });
});
