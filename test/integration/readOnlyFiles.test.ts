import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isReadOnlyInEditor } from '../../src/extension/files/globs.ts';

describe('the settings of VS Code that make files read-only', () => {
  const names = ['readonlyInclude', 'readonlyExclude'] as const;
  const set = async (values: Partial<Record<(typeof names)[number], object>>): Promise<void> => {
    const settings = vscode.workspace.getConfiguration('files');
    for (const name of names) {
      await settings.update(name, values[name], vscode.ConfigurationTarget.Workspace);
    }
  };
  afterEach(() => set({}));

  it('are known by their globs, below the folder and as whole paths, but for what they except', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const isReadOnly = (path: string): boolean => isReadOnlyInEditor({ folder: folder.uri.toString(), path });
    assert.equal(isReadOnly('made/a.lock'), false);
    const whole = vscode.Uri.joinPath(folder.uri, 'whole.txt').fsPath;
    await set({
      readonlyInclude: { '**/*.lock': true, 'made/**': true, 'off.txt': false, [whole]: true },
      readonlyExclude: { 'made/own.lock': true },
    });
    const paths = ['a.lock', 'deep/a.lock', 'made/x', 'made/own.lock', 'off.txt', 'whole.txt', 'other.txt'];
    assert.deepEqual(paths.filter(isReadOnly), ['a.lock', 'deep/a.lock', 'made/x', 'whole.txt']);
  });
});
