import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openLink } from '../../src/extension/chat/openLink.ts';
import { until } from '../fixtures/until.ts';

describe('a link of an answer', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens a file of the workspace, at its line', async () => {
    await openLink('./src/greet.ts#L2');
    const editor = await until(() => vscode.window.activeTextEditor, 'an editor');
    assert.match(editor.document.uri.path, /\/src\/greet\.ts$/);
    assert.equal(editor.selection.start.line, 1);
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
      await assert.rejects(openLink(href), { code: 'link-refused' });
    });
  }

  it('says so when there is no such file', async () => {
    await assert.rejects(openLink('src/nowhere.ts'), { code: 'file-not-found' });
    await assert.rejects(openLink('src'), { code: 'file-not-found' });
  });
});
