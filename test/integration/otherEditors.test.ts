import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { readUIMessage } from '../../src/engine/uiMessage.ts';
import { outputText, toolCallsIn } from '../../src/models/messages/toolParts.ts';
import { answer, useTools, type Reply } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, setSetting, useModelServer } from './support.ts';

type Call = readonly [name: string, input: unknown];

describe('a file with unsaved changes in an editor that is no text editor', () => {
  let files: FolderFiles;
  let api: Offshoot;
  let replies: Reply[] = [];
  useModelServer(() => replies.shift() ?? answer('done'));

  before(async () => {
    api = await offshoot();
    await setSetting('tools.edits', 'reviewAfterwards');
  });
  after(() => setSetting('tools.edits', undefined));
  beforeEach(async () => {
    await api.parts.current.startNew();
    files = FolderFiles.forOneTest('editors-test');
    await files.makeFolder();
  });
  afterEach(async () => {
    await setSetting('restoreFiles', undefined);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await files.remove();
  });

  /** What these calls, made in one answer, came to. */
  const resultsOf = async (...calls: readonly Call[]): Promise<string[]> => {
    replies = [useTools(...calls)];
    await ask(api, 'use them');
    const path = await api.parts.conversations.path();
    const last = path.findLast(({ data }) => toolCallsIn(readUIMessage(data) ?? { parts: [] }).length > 0);
    const message = last && readUIMessage(last.data);
    return toolCallsIn(message ?? { parts: [] }).map((call) =>
      call.state === 'output-available' ? outputText(call.output) : 'errorText' in call ? call.errorText : '',
    );
  };
  const problemOf = async (name: string): Promise<string | undefined> => {
    const plan = await api.parts.files.restorer.preview(await api.parts.current.chatId(), null);
    const file = plan.files.find(({ planned }) => planned.location.path === files.path(name));
    assert.equal(file?.state, 'blocked');
    return file.problem;
  };

  describe('a notebook', () => {
    let path = '';
    beforeEach(() => {
      path = files.path('a.ipynb');
    });
    const source = (...cells: readonly string[]): string =>
      JSON.stringify(
        {
          cells: cells.map((text) => ({
            cell_type: 'code',
            execution_count: null,
            metadata: {},
            outputs: [],
            source: [text],
          })),
          metadata: { language_info: { name: 'python' } },
          nbformat: 4,
          nbformat_minor: 2,
        },
        undefined,
        1,
      );
    /** Opens it, and has the user type into its second cell. */
    const typed = async (): Promise<vscode.NotebookDocument> => {
      await files.write('a.ipynb', source('print(1)', 'print(2)', 'print(3)'));
      const notebook = await vscode.workspace.openNotebookDocument(files.uri('a.ipynb'));
      await vscode.window.showNotebookDocument(notebook);
      await type(notebook, 'print("typed")');
      return notebook;
    };
    const type = async (notebook: vscode.NotebookDocument, text: string): Promise<void> => {
      const { document } = notebook.cellAt(1);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(0, 0, 0, document.lineAt(0).text.length), text);
      assert.ok(await vscode.workspace.applyEdit(edit), 'the notebook takes what is typed');
      await until(() => notebook.isDirty, 'the notebook to be unsaved');
    };

    it('is read as its editor holds it, edited through it, and saved', async () => {
      const notebook = await typed();
      const [first, , third] = notebook.getCells();
      const [read, edited] = await resultsOf(
        ['read_file', { path }],
        ['edit_file', { path, oldText: 'typed', newText: 'edited' }],
      );
      assert.match(read ?? '', /print\(\\"typed\\"\)/);
      assert.match(read ?? '', /The user has not saved this yet/);
      assert.match(edited ?? '', /^Changed .*a\.ipynb\. What the user had not saved/);
      assert.equal(notebook.cellAt(1).document.getText(), 'print("edited")');
      assert.ok(notebook.cellAt(0) === first && notebook.cellAt(2) === third, 'other cells stay');
      await until(() => !notebook.isDirty, 'the notebook to be saved');
      assert.match(await files.text('a.ipynb'), /print\(\\"edited\\"\)/);
      // What goes back is what the user had typed.
      const chatId = await api.parts.current.chatId();
      const plan = await api.parts.files.restorer.preview(chatId, null);
      await api.parts.files.restorer.restore(chatId, plan, plan.files);
      assert.match(await files.text('a.ipynb'), /print\(\\"typed\\"\)/);
    });

    it('is not made into what its editor could not open', async () => {
      const notebook = await typed();
      const before = await files.text('a.ipynb');
      const change = { path, oldText: '"cells": [', newText: '"cells": [[[' };
      const [refused] = await resultsOf(['edit_file', change]);
      assert.match(refused ?? '', /could not open what this would make of it/);
      assert.ok(notebook.isDirty);
      assert.equal(await files.text('a.ipynb'), before);
    });

    it('goes with a question as its editor holds it, and is not changed as a text', async () => {
      await typed();
      const parts = await api.parts.attachments.parts([{ type: 'file', path }]);
      assert.match(JSON.stringify(parts), /typed/);
      const code = { code: 'x', language: 'json', file: path };
      await assert.rejects(api.parts.suggestions.show(code), { code: 'unsaved' });
    });

    it('is shown on a rewind, and skipped', async () => {
      await setSetting('restoreFiles', 'always');
      const notebook = await typed();
      await resultsOf(['edit_file', { path, oldText: 'typed', newText: 'edited' }]);
      await until(() => !notebook.isDirty, 'the notebook to be saved');
      await type(notebook, 'print("more")');
      assert.match((await problemOf('a.ipynb')) ?? '', /changes that are not saved/);
      const before = await files.text('a.ipynb');
      const chatId = await api.parts.current.chatId();
      const plan = await api.parts.files.restorer.preview(chatId, null);
      await api.parts.files.restorer.restore(chatId, plan, plan.files);
      assert.equal(await files.text('a.ipynb'), before);
      assert.equal(notebook.cellAt(1).document.getText(), 'print("more")');
    });
  });

  it('a drawing, is refused with the reason, and skipped on a rewind', async () => {
    const path = files.path('a.drawing');
    await resultsOf(['write_file', { path, content: 'one' }]);
    await vscode.commands.executeCommand('vscode.openWith', files.uri('a.drawing'), 'offshoot-test.drawing');
    await vscode.commands.executeCommand('offshoot-test.draw');
    const isUnsaved = (): boolean =>
      vscode.window.tabGroups.all.some(({ tabs }) =>
        tabs.some(({ input, isDirty }) => isDirty && input instanceof vscode.TabInputCustom),
      );
    await until(isUnsaved, 'the drawing to be unsaved');
    const refused = await resultsOf(
      ['read_file', { path }],
      ['edit_file', { path, oldText: 'one', newText: 'two' }],
      ['delete_file', { path }],
    );
    assert.equal(refused.length, 3);
    for (const result of refused) {
      assert.match(result, /a\.drawing that are not saved, in an editor that does not give/);
    }
    assert.match((await problemOf('a.drawing')) ?? '', /changes that are not saved/);
    await assert.rejects(api.parts.attachments.parts([{ type: 'file', path }]), { code: 'unsaved' });
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => !isUnsaved(), 'the drawing to be reverted');
    const [read, edited] = await resultsOf(
      ['read_file', { path }],
      ['edit_file', { path, oldText: 'one', newText: 'two' }],
    );
    assert.match(read ?? '', /\none$/);
    assert.match(edited ?? '', /^Changed/);
    assert.equal(await files.text('a.drawing'), 'two');
  });
});
