import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CodeOfAnswer, SuggestedChanges } from '../../src/extension/files/suggestedChanges.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { offshoot } from './support.ts';

describe('code of an answer on its way into a file', () => {
  const files = new FolderFiles();
  /** Another for each test: the editor may remember what one held. */
  let name = '';
  let count = 0;
  const original = 'function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n';
  let suggestions: SuggestedChanges;

  before(async () => {
    ({ suggestions } = (await offshoot()).parts);
  });
  beforeEach(() => {
    name = `apply-${++count}.ts`;
    return files.write(name, original);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await files.remove(name);
  });

  const diff = (): vscode.TabInputTextDiff | undefined => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  };
  const show = async (code: Partial<CodeOfAnswer>): Promise<vscode.TabInputTextDiff> => {
    await suggestions.show({ code: '', language: 'ts', ...code });
    return until(diff, 'the comparison');
  };

  it('is shown next to the file, and written once the user says so, as an edit that can be undone', async () => {
    const shown = await show({ code: 'function two() {\n  return 3;\n}', file: name });
    assert.equal(shown.original.toString(), files.uri(name).toString());
    const suggested = await vscode.workspace.openTextDocument(shown.modified);
    assert.equal(suggested.getText(), original.replace('2', '3'));
    assert.equal(await files.text(name), original);
    await vscode.commands.executeCommand('offshoot.applyCode');
    assert.equal(await files.text(name), original.replace('2', '3'));
    assert.equal(diff(), undefined);
    await vscode.commands.executeCommand('undo');
    await until(
      () => vscode.window.activeTextEditor?.document.getText() === original,
      'the change to be undone',
    );
  });

  it('goes into the file of the active editor where the answer names none', async () => {
    const editor = await vscode.window.showTextDocument(files.uri(name));
    editor.selection = new vscode.Selection(1, 9, 1, 10);
    const shown = await show({ code: 'ONE' });
    const suggested = await vscode.workspace.openTextDocument(shown.modified);
    assert.equal(suggested.getText(), original.replace('1', 'ONE'));
    await vscode.commands.executeCommand('offshoot.discardCode');
    assert.equal(diff(), undefined);
    assert.equal(await files.text(name), original);
  });

  it('may make a new file', async () => {
    try {
      await show({ code: '// new/made.ts\nexport {};', file: 'new/made.ts' });
      await vscode.commands.executeCommand('offshoot.applyCode');
      assert.equal(await files.text('new/made.ts'), 'export {};\n');
    } finally {
      await files.remove('new');
    }
  });

  it('may be a change, and says so where it does not fit', async () => {
    const hunk = '@@ -1,3 +1,3 @@\n function one() {\n-  return 1;\n+  return 9;\n }';
    const code = `--- a/${name}\n+++ b/${name}\n${hunk}`;
    await show({ code, language: 'diff' });
    await vscode.commands.executeCommand('offshoot.applyCode');
    assert.equal(await files.text(name), original.replace('1', '9'));
    await assert.rejects(suggestions.show({ code, language: 'diff' }), { code: 'does-not-fit' });
  });

  it('is shown again where the file has changed since it was shown', async () => {
    const first = await show({ code: 'function two() {\n  return 3;\n}', file: name });
    const document = await vscode.workspace.openTextDocument(files.uri(name));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// mine\n');
    await vscode.workspace.applyEdit(edit);
    await assert.rejects(suggestions.apply(), { code: 'suggestion-outdated' });
    const again = await until(
      () => [diff()].find((each) => each && each.modified.query !== first.modified.query),
      'the new comparison',
    );
    const suggested = await vscode.workspace.openTextDocument(again.modified);
    assert.equal(suggested.getText(), `// mine\n${original.replace('2', '3')}`);
    await suggestions.apply();
    // What the user had changed and not saved is still theirs to save.
    await until(() => document.isDirty, 'the document to be unsaved');
    assert.equal(document.getText(), `// mine\n${original.replace('2', '3')}`);
    await document.save();
  });

  it('is refused for what decides which programs run, and for what is not in the workspace', async () => {
    const code = { code: '{}', language: 'json' };
    await assert.rejects(suggestions.show({ ...code, file: '.vscode/tasks.json' }), {
      code: 'protected-file',
    });
    await assert.rejects(suggestions.show({ ...code, file: 'a/../../x.json' }), {
      code: 'outside-workspace',
    });
    await assert.rejects(suggestions.show(code), { code: 'no-file' });
  });
});
