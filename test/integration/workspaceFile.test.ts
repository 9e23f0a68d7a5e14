import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { foldersOfFile } from '../../src/extension/storage/workspaceFile.ts';
import { offshoot } from './support.ts';

describe('the file of a workspace', () => {
  let home: vscode.Uri;
  let file: vscode.Uri;
  beforeEach(async () => {
    home = vscode.Uri.joinPath((await offshoot()).parts.folder, '..', `workspace-${crypto.randomUUID()}`);
    file = vscode.Uri.joinPath(home, 'a.code-workspace');
    await vscode.workspace.fs.createDirectory(home);
  });
  afterEach(() => vscode.workspace.fs.delete(home, { recursive: true }));
  const foldersIn = async (text: string): Promise<[string, string][]> => {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return (await foldersOfFile(file)).map(({ uri, name }) => [uri, name]);
  };
  const next = (...names: string[]): string => vscode.Uri.joinPath(home, ...names).toString();

  it('tells its folders: from its own, by an absolute path or a URI, with comments', async () => {
    const found = await foldersIn(`{
      // What VS Code lets a user write.
      "folders": [{ "path": "." }, { "path": "app/" }, { "path": "../x", "name": "Other" }, { "path": "/abs/a b" },
        { "uri": "vscode-vfs://github/a/b" }, { "name": "neither" },],
      "settings": {},
    }`);
    assert.deepEqual(found, [
      [next(), home.path.split('/').at(-1)],
      [next('app'), 'app'],
      [next('..', 'x'), 'Other'],
      [file.with({ path: '/abs/a b' }).toString(), 'a b'],
      ['vscode-vfs://github/a/b', 'b'],
    ]);
  });

  it('tells none if it is damaged or gone', async () => {
    for (const text of [
      '',
      '[]',
      '{"folders":1}',
      '{"folders":[{"path":2}]}',
      '{"folders":[{"uri":"no scheme"}]}',
    ])
      assert.deepEqual(await foldersIn(text), [], text);
    await vscode.workspace.fs.delete(file);
    assert.deepEqual(await foldersOfFile(file), []);
  });
});
