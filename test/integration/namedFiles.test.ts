import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { openLink } from '../../src/extension/pages/openLink.ts';
import { findFiles } from '../../src/extension/files/findFiles.ts';
import { workspaceFolders } from '../../src/extension/files/openFolders.ts';
import { NodeGuardedFiles } from '../../src/host/node/nodeGuardedFiles.ts';
import { until } from '../fixtures/until.ts';

const guarded = new NodeGuardedFiles(workspaceFolders);

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

  it('is opened by the address of a file', async () => {
    await openLink(guarded, `file://${root}/src/greet.ts#L2`);
    const { selection } = await until(() => vscode.window.activeTextEditor, 'an editor');
    assert.deepEqual([selection.start.line, selection.start.character], [1, 0]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is no folder, no device and no machine', async () => {
    for (const name of ['src', '//host/share/a.txt', '\\\\host\\share', 'src/greet.ts\0', '/dev/null', '']) {
      assert.deepEqual(await found(name), [], name);
    }
  });
});
