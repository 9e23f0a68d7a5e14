import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openLink } from '../../src/extension/pages/openLink.ts';
import type { GuardedFiles } from '../../src/host/guardedFiles.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { offshoot } from './support.ts';

describe('a link of an answer', () => {
  let guarded: GuardedFiles;
  before(async () => {
    ({ guarded } = (await offshoot()).parts);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens a file of the workspace, at its line', async () => {
    await openLink(guarded, './src/greet.ts#L2');
    const editor = await until(() => vscode.window.activeTextEditor, 'an editor');
    assert.match(editor.document.uri.path, /\/src\/greet\.ts$/);
    assert.equal(editor.selection.start.line, 1);
  });

  it('opens it by a line, a column and a range behind its name, and by its whole path', async () => {
    const root = new FolderFiles().folder.uri;
    for (const [href, line, column] of [
      ['src/greet.ts:2', 1, 0],
      ['src/greet.ts:2:3', 1, 2],
      [`${root.fsPath.replace(/\/$/, '')}/src/greet.ts:3`, 2, 0],
      ['src%2Fgreet.ts:2', 1, 0],
    ] as const) {
      await openLink(guarded, href);
      const { selection } = await until(() => vscode.window.activeTextEditor, 'an editor');
      assert.deepEqual([selection.start.line, selection.start.character], [line, column], href);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
    await openLink(guarded, 'src/greet.ts:1-2');
    const { selection } = await until(() => vscode.window.activeTextEditor, 'an editor');
    assert.deepEqual([selection.start.line, selection.end.line], [0, 2]);
  });

  for (const href of [
    'command:workbench.action.quit',
    'COMMAND:workbench.action.quit',
    'javascript:alert(1)',
    'vscode://offshoot.offshoot/x',
    'data:text/html,x',
    'file:///etc/hostname',
    '../outside.txt',
    'src/../../outside.txt',
    '%2e%2e/outside.txt',
    '..\\outside.txt',
    '//host/share',
    '#fragment',
    '%zz',
    '',
  ]) {
    it(`is refused when it is “${href}”`, async () => {
      await assert.rejects(openLink(guarded, href), { code: 'link-refused' });
    });
  }

  it('says so when there is no such file', async () => {
    await assert.rejects(openLink(guarded, 'src/nowhere.ts'), { code: 'file-not-found' });
    await assert.rejects(openLink(guarded, 'src'), { code: 'file-not-found' });
  });
});
