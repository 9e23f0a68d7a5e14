import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { user } from '../../src/engine/fragments/index.ts';
import { artifactsOf } from '../../src/extension/context/contextNodes.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { offshoot, writableStore } from './support.ts';

/** One dot. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe("what VS Code's own extensions open", () => {
  let api: Offshoot;
  const files = new FolderFiles();

  before(async () => {
    api = await offshoot();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('is a picture where an artifact is one, whatever its name', async () => {
    await api.parts.current.startNew();
    const chatId = await api.parts.current.chatId();
    const engine = new ContextEngine({ store: writableStore(api), chatId, userId: api.parts.userId });
    await engine.artifacts.save('logo', png, { mediaType: 'image/png' });
    await engine.set(user('kept logo')).save();
    await engine.close();
    const artifact = artifactsOf(await api.parts.context.read()).find(({ name }) => name === 'logo');
    assert.ok(artifact, 'the artifact is in the view');
    await vscode.commands.executeCommand('offshoot.openArtifact', { kind: 'artifact', ...artifact });
    const { input, label } = await until(() => vscode.window.tabGroups.activeTabGroup.activeTab, 'a tab');
    assert.ok(input instanceof vscode.TabInputCustom, 'it is no text');
    assert.equal(label, 'logo.png');
    assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(input.uri)), png);
  });

  it('is a cell of a notebook, whose text goes with a question as it is', async () => {
    const { lastEditor } = api.parts;
    const cells = [
      { cell_type: 'code', source: ['x = 1'], metadata: {}, outputs: [], execution_count: null },
    ];
    await files.write('taken.ipynb', JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    try {
      const opened = await vscode.workspace.openNotebookDocument(files.uri('taken.ipynb'));
      await vscode.window.showNotebookDocument(opened);
      await vscode.commands.executeCommand('notebook.cell.edit');
      const name = 'taken.ipynb, cell 1';
      await until(() => lastEditor.now?.name === name, 'the cell');
      const cell = await lastEditor.attachment({ name });
      assert.deepEqual(cell, { type: 'context', of: 'text', name, text: 'x = 1' });
    } finally {
      await files.remove('taken.ipynb');
    }
  });
});
