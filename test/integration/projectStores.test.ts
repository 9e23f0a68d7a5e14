import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openProject, type OpenedProject } from '../../src/extension/storage/openProject.ts';
import { workspacePlace } from '../../src/extension/storage/storageFolder.ts';
import { offshoot } from './support.ts';

describe('the conversations of a project', () => {
  let home: vscode.Uri;
  let log: vscode.LogOutputChannel;

  beforeEach(async () => {
    home = vscode.Uri.joinPath((await offshoot()).parts.folder, '..', `projects-test-${crypto.randomUUID()}`);
    log = vscode.window.createOutputChannel('Offshoot Projects Test', { log: true });
  });
  afterEach(async () => {
    log.dispose();
    const { host } = (await offshoot()).parts;
    // A browser has no folders: what is left there goes with its profile.
    if (!host.isBrowser) await vscode.workspace.fs.delete(home, { recursive: true });
  });

  /** The project of the folders that are open, as of a workspace with this name in VS Code's storage. */
  async function opened(workspace: string): Promise<OpenedProject> {
    const globalStorageUri = vscode.Uri.joinPath(home, 'globalStorage', 'vendor.offshoot');
    const storageUri = workspacePlace(globalStorageUri, workspace);
    return openProject({ globalStorageUri, storageUri }, (await offshoot()).parts.host, log);
  }

  it('are found from another workspace with its folders, which says where they are from', async () => {
    const { host } = (await offshoot()).parts;
    const first = await opened('5f9b8f9c');
    const folder = host.pathOf(first.folder.toString());
    assert.equal(first.from, undefined);
    // In a browser each folder is a storage of its own.
    const { files } = host.platformFor(first.folder.toString());
    await files.ensureFolder(folder);
    await files.write(files.join(folder, 'offshoot.db'), [new Uint8Array([1, 2, 3])]);
    await first.projects.note(first.folder.toString());

    const other = await opened('1a2b3c4d');
    assert.notEqual(other.given?.toString(), first.given?.toString());
    assert.equal(other.folder.toString(), first.folder.toString());
    assert.equal(other.from?.place, first.folder.toString());
  });
});
