import assert from 'node:assert/strict';
import { opencodeExport } from '../../../../src/importExport/exports/opencodeExport.ts';
import { opencode } from '../../../../src/importExport/programs/opencode/opencode.ts';
import { exportedBranch } from '../../../fixtures/exportedBranch.ts';
import { outlineOf, reportIn, sourceFile } from '../../../fixtures/importOutline.ts';
import { memoryStore } from '../../../fixtures/stores.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a branch as a session of opencode', () => {
  it('is taken by its import, and continued by its id', async () => {
    const { fileName, folders, commands } = await opencodeExport.write(exportedBranch(PIXEL, '/work/birds'));
    const id = /^(ses_[0-9a-f]{26})\.json$/u.exec(fileName)?.[1];
    assert.ok(id);
    assert.equal(folders, undefined);
    assert.equal(opencodeExport.home, undefined);
    assert.deepEqual(commands('/anywhere/it.json'), [
      ['opencode', 'import', '/anywhere/it.json'],
      ['opencode', '--session', id],
    ]);
  });

  it('has ids that grow, each of them once', async () => {
    const { bytes } = await opencodeExport.write(exportedBranch(PIXEL, '/work/birds'));
    const text = new TextDecoder().decode(bytes);
    for (const kind of ['msg', 'prt']) {
      const ids = [...text.matchAll(new RegExp(`"id": "(${kind}_\\w+)"`, 'gu'))].map(([, id = '']) => id);
      assert.ok(ids.length > 3);
      // A picture in a result is numbered before the result.
      const ordered = kind === 'msg' ? ids.toSorted() : ids;
      assert.deepEqual(ids, ordered);
      assert.equal(new Set(ids).size, ids.length);
    }
  });

  it('holds what was said, as an import of it shows', async () => {
    const branch = exportedBranch(PIXEL, '/work/birds');
    const { fileName, bytes } = await opencodeExport.write(branch);
    const [read] = (await opencode.value?.read(sourceFile(fileName, bytes), branch.now)) ?? [];
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
          '  assistant [Heron 2]: "I look into the notes."' +
            String.raw` + read_file({"path":"notes.txt"}) -> "Herons nest in March.\nOwls nest in April."` +
            ' + read_file({"path":"owl.txt"}) -> failed There is no such file.',
          '  assistant [Heron 2]: view_picture({"path":"heron.png"}) -> ' +
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
});
