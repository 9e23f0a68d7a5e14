import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { tidyOwnFiles } from '../../src/extension/files/ownFilesUse.ts';
import {
  careForOwnFiles,
  ownFilesText,
  ownFilesUse,
  showOwnFiles,
} from '../../src/extension/storage/ownFilesList.ts';
import type { BranchFilesRecord } from '../../src/host/branchFiles.ts';
import { playDialogs } from './dialogs.ts';
import { useOwnFiles } from './ownFilesWorld.ts';
import { playInputs } from './playInputs.ts';
import { setSetting } from './support.ts';

describe('the room that files of branches take', () => {
  const { shown, secondBranch, changedBranch, ownText } = useOwnFiles();

  /** Of the files that there are, told as older than they are. */
  async function age(days: number): Promise<BranchFilesRecord> {
    const { folder, ownFiles } = shown().api.parts;
    const [record = assert.fail('there are none')] = (await ownFiles.load()).all();
    const file = vscode.Uri.joinPath(folder, 'branches', record.id, 'record.json');
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    const createdAt = Date.now() - days * 24 * 60 * 60 * 1_000;
    const older = text.replace(/"createdAt":\d+/u, `"createdAt":${createdAt}`);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(older));
    await ownFiles.refresh();
    return record;
  }

  it('is counted in the storage report, and removed with its chat once that is agreed to', async () => {
    const { chatId, name } = await changedBranch();
    const { labels, ownFiles } = shown().api.parts;
    const counts = ownFilesText(await ownFilesUse(shown().api.parts));
    assert.match(counts, /^1 · .+, 1 with changes that aren’t in the workspace$/u);
    {
      const label = await labels.label(chatId, name);
      using inputs = playInputs({ pick: 'Files of Branches…' }, { pick: label });
      using dialogs = playDialogs(undefined);
      await vscode.commands.executeCommand('offshoot.storageReport');
      assert.deepEqual(inputs.titles, ['Storage Report', 'Files of Branches']);
      assert.match(dialogs.shown[0]?.text ?? '', /^Discard the files of “/u);
    }
    using _deleted = playDialogs(undefined, 'showInformationMessage');
    await vscode.commands.executeCommand('offshoot.deleteChat', { kind: 'chat', chatId });
    {
      using dialogs = playDialogs(undefined);
      await vscode.commands.executeCommand('offshoot.emptyTrash');
      assert.match(dialogs.shown[0]?.detail ?? '', /Files of their branches are removed as well: 1 · /u);
    }
    assert.equal((await ownFiles.load()).all().length, 1, 'not agreed to');
    {
      using _dialogs = playDialogs('Empty Trash');
      await vscode.commands.executeCommand('offshoot.emptyTrash');
    }
    assert.deepEqual((await ownFiles.load()).all(), []);
  });

  it('is offered to be removed once its chat is gone, and never removed with changes unasked', async () => {
    const { chatId } = await changedBranch();
    const { api } = shown();
    const { conversations, ownFiles } = api.parts;
    const folder = vscode.workspace.workspaceFolders?.[0]?.name ?? assert.fail('no folder is open');
    const told: unknown[] = [];
    // Of its own: that of the window is told by work in the background as well.
    const workspaceState: vscode.Memento = {
      keys: () => [],
      get: () => told.at(-1),
      update: (_key: string, value: unknown) => Promise.resolve(void told.push(value)),
    };
    await age(1);
    await conversations.deleteChat(chatId);
    {
      using _notices = playDialogs(undefined, 'showInformationMessage');
      await careForOwnFiles({ ...api.parts, workspaceState });
      assert.deepEqual(told, [], 'what is in the trash can come back');
    }
    await conversations.emptyTrash();
    {
      using notices = playDialogs('Show…', 'showInformationMessage');
      using inputs = playInputs({ pick: folder });
      using dialogs = playDialogs(undefined);
      await careForOwnFiles({ ...api.parts, workspaceState });
      assert.match(notices.shown[0]?.text ?? '', /^Files of branches that are gone take /u);
      assert.deepEqual(inputs.titles, ['Files of Branches']);
      assert.match(dialogs.shown[0]?.detail ?? '', /with changes that aren’t in the workspace/u);
    }
    assert.equal((await ownFiles.load()).all()[0]?.state, 'open');
    {
      using _notices = playDialogs(undefined, 'showInformationMessage');
      await careForOwnFiles({ ...api.parts, workspaceState });
      assert.equal(told.length, 1, 'once');
    }
    using _inputs = playInputs({ pick: folder });
    using _dialogs = playDialogs('Remove');
    await showOwnFiles(api.parts);
    assert.deepEqual((await ownFiles.load()).all(), []);
  });

  it('is discarded unasked beyond the budget only where nothing was changed, and had again', async () => {
    const branch = await secondBranch();
    const { api } = shown();
    const { ownFiles } = api.parts;
    await vscode.commands.executeCommand('offshoot.workInOwnFiles', branch);
    await age(2);
    await setSetting('branchFiles', { maxTotalMegabytes: 0, maxAgeDays: 1 });
    try {
      using _notices = playDialogs(undefined, 'showInformationMessage');
      await careForOwnFiles(api.parts);
      assert.equal((await ownFiles.load()).all()[0]?.state, 'open', 'its branch was written to just now');
      const later = Date.now() + 2 * 24 * 60 * 60 * 1_000;
      const known = await ownFiles.load();
      const context = { ...api.parts, known, host: await known.host(), now: later };
      assert.deepEqual(await tidyOwnFiles(context), []);
      await ownFiles.refresh();
      assert.equal(known.all()[0]?.state, 'discarded');
    } finally {
      await setSetting('branchFiles', undefined);
    }
    await vscode.commands.executeCommand('offshoot.bringBackBranchFiles', branch);
    const [again = assert.fail('they are gone')] = (await ownFiles.load()).all();
    assert.equal(again.state, 'open');
    assert.equal(await ownText(again, 'there.txt'), 'one\ntwo\nthree\n');
  });
});
