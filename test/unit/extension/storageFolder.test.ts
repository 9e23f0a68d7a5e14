import assert from 'node:assert/strict';
import fc from 'fast-check';
import type * as vscode from 'vscode';
import { workspacePlaces, workspaceStorage } from '../../../src/extension/storage/storageFolder.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

/** As much of a URI as is asked for. */
const uri = (path: string): vscode.Uri =>
  ({ path, with: ({ path: other }: { path: string }) => uri(other) }) as unknown as vscode.Uri;

const folderOf = (name: string): string => workspaceStorage(uri(`/w/${name}/vendor.offshoot`)).folder.path;

describe('the folder that the windows of a workspace share', () => {
  const hash = '5f9b8f9c3f7d4e1a8b2c6d0e1f2a3b4c';

  it('is the first one, whichever of them VS Code gave to a window', () => {
    for (const name of [hash, `${hash}-1`, `${hash}-9`]) {
      assert.equal(folderOf(name), `/w/${hash}/vendor.offshoot`);
      assert.deepEqual(
        workspaceStorage(uri(`/w/${name}/vendor.offshoot`)).others.map(({ path }) => path),
        Array.from({ length: 9 }, (_, index) => `/w/${hash}-${index + 1}/vendor.offshoot`),
      );
    }
  });

  it('is known for the hashes of browsers, which may be negative, and for the times of windows without a folder', () => {
    assert.equal(folderOf('-57c2d6fd'), '/w/-57c2d6fd/vendor.offshoot');
    assert.equal(folderOf('-57c2d6fd-2'), '/w/-57c2d6fd/vendor.offshoot');
    assert.equal(folderOf('-5'), '/w/-5/vendor.offshoot');
    assert.equal(folderOf('1700000000000-3'), '/w/1700000000000/vendor.offshoot');
  });

  it('stays where VS Code put it when it is called otherwise', () => {
    for (const name of ['ext-dev', 'my-project-1', 'abc-10', 'abc-0']) {
      const { folder, others } = workspaceStorage(uri(`/w/${name}/vendor.offshoot`));
      assert.deepEqual([folder.path, others], [`/w/${name}/vendor.offshoot`, []]);
    }
  });

  it('is listed with those of other workspaces, which are next to the global one', async () => {
    const global = {
      path: '/user/globalStorage/vendor.offshoot',
      with: ({ path }: { path: string }) => ({ toString: () => path }),
    };
    const names = (folder: string): Promise<string[]> =>
      Promise.resolve(folder === '/user/workspaceStorage' ? [hash, `${hash}-1`, 'ext-dev'] : []);
    const listed = await workspacePlaces(global as unknown as vscode.Uri, { names }, (each) => each);
    const places = [hash, 'ext-dev'].map((name) => `/user/workspaceStorage/${name}/vendor.offshoot`);
    assert.deepEqual(listed, places);
  });

  it('is the same for every window of a workspace, and another for another workspace (fuzz)', () => {
    const name = fc.stringMatching(/^-?[0-9a-f]{2,32}$/);
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 9 }), (one, other, count) => {
        assert.equal(folderOf(`${one}-${count}`), folderOf(one));
        assert.equal(folderOf(one) === folderOf(other), one === other);
      }),
      { numRuns: fuzzRuns(200) },
    );
  });
});
