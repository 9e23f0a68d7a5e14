import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { openLink } from '../../src/extension/answers/openLink.ts';
import { findFiles } from '../../src/extension/workspaceFiles/findFiles.ts';
import { workspaceFolders } from '../../src/extension/workspaceFiles/openFolders.ts';
import { NodeGuardedFiles } from '../../src/platform/node/nodeGuardedFiles.ts';
import { until } from '../fixtures/until.ts';

const guarded = new NodeGuardedFiles(workspaceFolders);

describe('a link of an answer', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens a file of the workspace, at its line', async () => {
    await openLink(guarded, './src/greet.ts#L2');
    const editor = await until(() => vscode.window.activeTextEditor, 'an editor');
    assert.match(editor.document.uri.path, /\/src\/greet\.ts$/);
    assert.equal(editor.selection.start.line, 1);
  });

  it('opens it by a line, a column and a range behind its name, and by its whole path', async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    for (const [href, line, column] of [
      ['src/greet.ts:2', 1, 0],
      ['src/greet.ts:2:3', 1, 2],
      [`${root}/src/greet.ts:3`, 2, 0],
      [`file://${root}/src/greet.ts#L2`, 1, 0],
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

describe('a name in an answer', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const place = path.join(root, 'names');
  const outside = path.join(tmpdir(), `offshoot-outside-${process.pid}`);

  before(async () => {
    await mkdir(place, { recursive: true });
    await mkdir(outside, { recursive: true });
    await writeFile(path.join(outside, 'secret.txt'), '');
    await writeFile(path.join(place, 'gr\u0435et.ts'), '');
    await symlink(path.join(root, 'src', 'greet.ts'), path.join(place, 'harmless.md'));
    await symlink(path.join(outside, 'secret.txt'), path.join(place, 'inside.txt'));
    await symlink(outside, path.join(place, 'folder'));
  });
  after(async () => {
    await rm(place, { recursive: true });
    await rm(outside, { recursive: true });
  });

  const found = async (name: string): Promise<string[]> =>
    (await findFiles(guarded, [name])).map((file) => file.trueName);

  it('is a file under its real name, wherever a link of the file system leads', async () => {
    assert.deepEqual(await found('src/greet.ts:12'), ['src/greet.ts']);
    assert.deepEqual(await found('./src/../src/greet.ts'), ['src/greet.ts']);
    assert.deepEqual(await found('names/harmless.md'), ['src/greet.ts']);
  });

  it('is spelt out where it looks like another', async () => {
    assert.deepEqual(await found('names/gr\u0435et.ts'), ['names/gr‹U+0435›et.ts']);
    assert.deepEqual(await found('names/greet.ts'), []);
  });

  it('is no file outside the workspace, also not through a link', async () => {
    for (const name of [
      'names/inside.txt',
      'names/folder/secret.txt',
      `${outside}/secret.txt`,
      '/etc/hostname',
    ]) {
      assert.deepEqual(await found(name), [], name);
      await assert.rejects(openLink(guarded, name));
    }
  });

  it('is no folder, no device and no machine', async () => {
    for (const name of ['src', '//host/share/a.txt', '\\\\host\\share', 'src/greet.ts\0', '/dev/null', '']) {
      assert.deepEqual(await found(name), [], name);
    }
  });
});
