import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readConversation } from '../../src/extension/chat/conversationView.ts';
import { until } from '../fixtures/until.ts';
import { findReferenced } from '../../src/extension/files/findFiles.ts';
import { playDialogs } from './dialogs.ts';
import { FolderFiles } from './folderFiles.ts';
import { playInputs } from './playInputs.ts';
import { useOwnFiles } from './ownFilesWorld.ts';
import { ask, setSetting, untilChanged } from './support.ts';

/** What the user types into the next input box, which no test of this kind shows. */
function typed(text: string): Disposable {
  const before = Object.getOwnPropertyDescriptor(vscode.window, 'showInputBox');
  const value = (): Promise<string> => Promise.resolve(text);
  Object.defineProperty(vscode.window, 'showInputBox', { value, configurable: true });
  return {
    [Symbol.dispose]: () => {
      if (before) Object.defineProperty(vscode.window, 'showInputBox', before);
    },
  };
}

describe('a branch with files of its own', () => {
  const {
    shown,
    files,
    server,
    secondBranch,
    changedBranch,
    ownText,
    activeBranch,
    ownOfActive,
    descriptions,
    results,
  } = useOwnFiles();

  it('writes and finds there, and the workspace stays as it is', async () => {
    const branch = await changedBranch();
    const { api } = shown();
    const { ownFiles, store } = api.parts;
    assert.equal(await files().exists('made.txt'), false);
    assert.equal(await files().text('there.txt'), 'one\ntwo\nthree\n');
    const row = (await store.getBranch(branch.chatId, branch.name)) ?? assert.fail('the branch is gone');
    const record = (await (await ownFiles.known())?.openAt(row)) ?? assert.fail('it has no files');
    const own = vscode.Uri.joinPath(
      vscode.Uri.parse(record.folders[0]?.uri ?? '', true),
      files().path('made.txt'),
    );
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(own)), 'made\n');
    await until(
      async () => (await descriptions()).some((each) => each.startsWith('own files +2 −1')),
      'its row',
    );
    const view = await readConversation({ ...api.parts, current: api.parts.current });
    assert.deepEqual(
      view.banners.filter(({ id }) => id === 'ownFiles').map(({ text }) => text),
      ['This branch doesn’t work in the workspace: own files +2 −1'],
    );

    await ask(api, 'find');
    assert.match(await results(), /made\.txt:1/u);
  });

  it('runs commands there, once they are approved for that branch', async () => {
    const branch = await changedBranch();
    const { api } = shown();
    const { approvals, conversations } = api.parts;
    const run = await conversations.ask('run');
    const [approval = assert.fail('nothing was asked')] = await until(
      () => approvals.list().length > 0 && approvals.list(),
      'the question',
    );
    const label = await api.parts.labels.label(branch.chatId, branch.name);
    assert.equal(approval.branch, label);
    const { running } = await readConversation({ ...api.parts, current: api.parts.current });
    assert.ok(JSON.stringify(running).includes(`In the own files of branch “${label}”.`), 'the chat says so');
    approvals.answer(approval.id, 'once');
    await run.done;
    assert.match(await results(), /Exit code 0[\s\S]*made[\s\S]*branches/u);
    const terminals = vscode.window.terminals.map(({ name }) => name);
    assert.ok(terminals.includes(`Offshoot Agent: ${label}`), terminals.join());
    await conversations.switchBranch('main');
    assert.equal(await files().exists('made.txt'), false);
  });

  it('goes back in its own files, and switches without touching those of the workspace', async () => {
    const branch = await changedBranch();
    await setSetting('restoreFiles', 'always');
    try {
      const { api } = shown();
      const { conversations, ownFiles, store, review } = api.parts;
      const record = async () => {
        const active = await store.getActiveBranch(branch.chatId);
        return active && (await ownFiles.known())?.openAt(active);
      };
      const id = (await record())?.id;
      const [folder] = (await record())?.folders ?? [];
      const own = vscode.Uri.joinPath(vscode.Uri.parse(folder?.uri ?? '', true), files().path('made.txt'));
      const isThere = () =>
        vscode.workspace.fs.stat(own).then(
          () => true,
          () => false,
        );
      assert.deepEqual(
        (await review.read(branch.chatId)).map(({ location }) => location.folder === folder?.uri),
        [true, true],
      );
      await vscode.commands.executeCommand('offshoot.openBranch', { ...branch, name: 'main' });
      assert.equal(await isThere(), true, 'another branch leaves them');
      assert.deepEqual(await review.read(branch.chatId), []);
      await vscode.commands.executeCommand('offshoot.openBranch', branch);
      const path = await conversations.path();
      const question = path.findLast(({ name }) => name === 'user')?.id;
      await vscode.commands.executeCommand('offshoot.rewindToHere', { messageId: question });
      assert.equal(await isThere(), false, 'what was written after that point is gone');
      assert.equal((await record())?.id, id, 'what forks from it works there');
      assert.equal(await files().text('there.txt'), 'one\ntwo\nthree\n');
    } finally {
      await setSetting('restoreFiles', undefined);
    }
  });

  it('restores checkpoints in its own files, and goes back to the workspace before they were made', async () => {
    const branch = await secondBranch();
    await setSetting('restoreFiles', 'always');
    try {
      const { api } = shown();
      const { conversations } = api.parts;
      const restore = (name: string) =>
        vscode.commands.executeCommand('offshoot.openCheckpoint', {
          kind: 'checkpoint',
          chatId: branch.chatId,
          name,
        });
      await conversations.createCheckpoint('before');
      await vscode.commands.executeCommand('offshoot.workInOwnFiles', branch);
      await ask(api, 'write');
      await conversations.createCheckpoint('made');
      await ask(api, 'write more');
      const own = await ownOfActive();
      assert.equal(await ownText(own, 'made.txt'), 'more\n');
      await restore('made');
      assert.equal((await ownOfActive()).id, own.id);
      assert.equal(await ownText(own, 'made.txt'), 'made\n');
      await restore('before');
      assert.equal(await (await api.parts.ownFiles.known())?.openAt(await activeBranch()), undefined);
      assert.equal(await ownText(own, 'made.txt'), 'made\n', 'another branch leaves them');
      assert.equal(await files().exists('made.txt'), false);
    } finally {
      await setSetting('restoreFiles', undefined);
    }
  });

  it('is told the instructions that its own files have', async () => {
    const branch = await secondBranch();
    const root = new FolderFiles();
    await root.write('AGENTS.md', 'rule of the workspace\n');
    try {
      await vscode.commands.executeCommand('offshoot.workInOwnFiles', branch);
      const [folder] = (await ownOfActive()).folders;
      const own = vscode.Uri.joinPath(vscode.Uri.parse(folder?.uri ?? '', true), 'AGENTS.md');
      await vscode.workspace.fs.writeFile(own, new TextEncoder().encode('rule of the branch\n'));
      await ask(shown().api, 'hello again');
      const sent = JSON.stringify(server().requests.at(-1)?.body);
      assert.match(sent, /rule of the branch/u);
      assert.doesNotMatch(sent, /rule of the workspace/u);
    } finally {
      await root.remove('AGENTS.md');
    }
  });

  it('is what links and attachments in its chat mean, and says so in editors', async () => {
    await changedBranch();
    const { api } = shown();
    const { current, guarded, ownFiles, attachments } = api.parts;
    const known = await ownFiles.load();
    const own = (await known.guardedOf(await current.chatId())) ?? assert.fail('it has no files');
    const name = files().path('there.txt');
    const [linked] = await findReferenced(own, `${name}:1`);
    const [inWorkspace] = await findReferenced(guarded, `${name}:1`);
    assert.notEqual(linked?.uri.toString(), inWorkspace?.uri.toString());
    assert.equal(linked?.path, inWorkspace?.path, 'under the same name');
    assert.match(JSON.stringify(await attachments.parts([{ type: 'file', path: name }], own)), /ONE/u);
    assert.match(JSON.stringify(await attachments.parts([{ type: 'file', path: name }])), /one/u);

    const uri = linked?.uri ?? assert.fail('it is not found');
    const decoration = await known.decorations.provideFileDecoration(uri);
    assert.match(decoration?.tooltip ?? '', /^On branch “.+”, not in the workspace$/u);
    const other = inWorkspace?.uri ?? assert.fail('it is not found');
    assert.equal(await known.decorations.provideFileDecoration(other), undefined);
  });

  it('runs a setup command in new files, once it is approved', async () => {
    await setSetting('branchFiles', { setup: 'cat there.txt > ready.txt' });
    try {
      const branch = await secondBranch();
      using dialogs = playDialogs('Run');
      await vscode.commands.executeCommand('offshoot.workInOwnFiles', branch);
      assert.deepEqual(
        dialogs.shown.map(({ detail }) => detail),
        ['cat there.txt > ready.txt'],
      );
      const terminal = vscode.window.terminals.at(-1) ?? assert.fail('there is no terminal');
      const { cwd } = terminal.creationOptions as vscode.TerminalOptions;
      const row = (await shown().api.parts.store.getBranch(branch.chatId, branch.name)) ?? assert.fail();
      const record = await (await shown().api.parts.ownFiles.known())?.openAt(row);
      assert.equal(String(cwd), record?.folders[0]?.uri);
      terminal.dispose();
    } finally {
      await setSetting('branchFiles', undefined);
    }
  });

  it('is kept in what the workspace has become, and Undo takes that back byte for byte', async () => {
    const branch = await changedBranch();
    const { history, ownFiles, store } = shown().api.parts;
    await files().write('there.txt', 'one\ntwo\nTHREE\n');
    const before = await files().bytes('there.txt');
    {
      using _dialogs = playDialogs(undefined, 'showInformationMessage');
      await vscode.commands.executeCommand('offshoot.keepBranchFiles', branch);
    }
    assert.equal(await files().text('made.txt'), 'made\n');
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nTHREE\n');
    const row = (await store.getBranch(branch.chatId, branch.name)) ?? assert.fail('the branch is gone');
    assert.equal(await (await ownFiles.known())?.openAt(row), undefined, 'it goes on in the workspace');
    const openNow = async () => {
      const now = (await store.getBranch(branch.chatId, branch.name)) ?? assert.fail('the branch is gone');
      return (await ownFiles.known())?.openAt(now);
    };
    assert.ok(await history.take('undo', { chatId: branch.chatId }));
    assert.deepEqual(await files().bytes('there.txt'), before);
    assert.equal(await files().exists('made.txt'), false);
    const own = (await openNow()) ?? assert.fail('it has its own files again');
    assert.equal(await ownText(own, 'there.txt'), 'ONE\ntwo\nthree\n');

    assert.ok(await history.take('redo', { chatId: branch.chatId }));
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nTHREE\n');
    assert.equal(await openNow(), undefined, 'redone, it works in the workspace');

    // What was kept is not needed there any more: its changes are, for Undo.
    const known = await ownFiles.load();
    await known.removeKept();
    assert.equal(known.all().find(({ id }) => id === own.id)?.state, 'discarded');
    assert.ok(await history.take('undo', { chatId: branch.chatId }));
    assert.deepEqual(await files().bytes('there.txt'), before);
    assert.equal((await openNow())?.id, own.id);
    assert.equal(await ownText(own, 'there.txt'), 'ONE\ntwo\nTHREE\n', 'made again, from what there is now');
  });

  it('leaves a file that both changed in the same place, unless it is to be marked', async () => {
    const branch = await changedBranch();
    await files().write('there.txt', 'other\ntwo\nthree\n');
    using dialogs = playDialogs('Keep with Conflict Markers');
    await vscode.commands.executeCommand('offshoot.keepBranchFiles', branch);
    assert.match(dialogs.shown[0]?.detail ?? '', /Changed in the same places: .*there\.txt/u);
    assert.equal(
      await files().text('there.txt'),
      '<<<<<<< workspace\nother\n=======\nONE\n>>>>>>> branch\ntwo\nthree\n',
    );
  });

  it('can be had again after it was discarded, and is not asked in until then', async () => {
    const branch = await changedBranch();
    const { api } = shown();
    {
      using _dialogs = playDialogs('Discard');
      await vscode.commands.executeCommand('offshoot.discardBranchFiles', branch);
    }
    await assert.rejects(api.parts.conversations.ask('hello'), { code: 'branch-files-discarded' });
    assert.ok((await descriptions()).some((each) => each.startsWith('files discarded')));
    await vscode.commands.executeCommand('offshoot.bringBackBranchFiles', branch);
    const row = (await api.parts.store.getBranch(branch.chatId, branch.name)) ?? assert.fail('it is gone');
    const [folder] = (await (await api.parts.ownFiles.known())?.openAt(row))?.folders ?? [];
    const own = vscode.Uri.joinPath(vscode.Uri.parse(folder?.uri ?? '', true), files().path('there.txt'));
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(own)), 'ONE\ntwo\nthree\n');
  });

  it('is rewound to with a copy of the files as they were there, while the workspace stays', async () => {
    const { api } = shown();
    await ask(api, 'hello');
    await ask(api, 'write');
    await files().write('typed.txt', 'by the user\n');
    const question = (await api.parts.conversations.path()).findLast(({ name }) => name === 'user')?.id;
    await vscode.commands.executeCommand('offshoot.rewindInOwnFiles', { messageId: question });
    const own = await ownOfActive();
    assert.equal(await ownText(own, 'there.txt'), 'one\ntwo\nthree\n');
    await assert.rejects(ownText(own, 'made.txt'));
    assert.equal(await ownText(own, 'typed.txt'), 'by the user\n', 'no tool made it');
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nthree\n');
    assert.equal(await files().text('made.txt'), 'made\n');
    assert.doesNotMatch(await results(), /"write"/u, 'the question is to be asked again');
    await ask(api, 'write');
    assert.equal(await ownText(own, 'made.txt'), 'made\n');
    {
      using _dialogs = playDialogs(undefined, 'showInformationMessage');
      const { chatId, name } = await activeBranch();
      await vscode.commands.executeCommand('offshoot.keepBranchFiles', { kind: 'branch', chatId, name });
    }
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nthree\n');
    assert.equal(await files().text('typed.txt'), 'by the user\n');
  });

  it('is left by Undo of that rewind, and gone back to by Redo, without a change of any file', async () => {
    const { api } = shown();
    await ask(api, 'hello');
    await ask(api, 'write');
    const question = (await api.parts.conversations.path()).findLast(({ name }) => name === 'user')?.id;
    await vscode.commands.executeCommand('offshoot.rewindInOwnFiles', { messageId: question });
    const own = await ownOfActive();
    const { chatId } = await activeBranch();
    assert.ok(await api.parts.history.take('undo', { chatId }));
    assert.equal((await activeBranch()).name, 'main');
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nthree\n');
    assert.ok(await api.parts.history.take('redo', { chatId }));
    assert.equal((await ownOfActive()).id, own.id);
    assert.equal(await ownText(own, 'there.txt'), 'one\ntwo\nthree\n');
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nthree\n');
  });

  it('is one of the answers to how far a rewind goes', async () => {
    const { api } = shown();
    await ask(api, 'hello');
    const [, greeting = assert.fail('nothing was said')] = await api.parts.conversations.path();
    await ask(api, 'write');
    {
      using inputs = playInputs({ pick: 'Conversation, in Its Own Files' });
      await vscode.commands.executeCommand('offshoot.rewindToHere', { messageId: greeting.id });
      assert.deepEqual(inputs.left, []);
    }
    const own = await ownOfActive();
    assert.equal(await ownText(own, 'there.txt'), 'one\ntwo\nthree\n');
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nthree\n');
    // What forks from there works with the same files.
    await ask(api, 'write');
    const question = (await api.parts.conversations.path()).findLast(({ name }) => name === 'user')?.id;
    using _inputs = playInputs({ pick: 'Conversation and Files' });
    await vscode.commands.executeCommand('offshoot.rewindToHere', { messageId: question });
    assert.equal((await ownOfActive()).id, own.id);
    await assert.rejects(ownText(own, 'made.txt'));
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nthree\n');
  });

  it('carries out a plan, while the workspace stays as it is', async () => {
    const { api } = shown();
    await ask(api, 'hello');
    const plan = (await api.parts.conversations.path()).at(-1)?.id;
    await vscode.commands.executeCommand('offshoot.carryOutPlanInOwnFiles', { messageId: plan });
    const { chatId, name } = await activeBranch();
    assert.notEqual(name, 'main');
    await untilChanged(api, () => api.parts.runs.get(chatId, name) === undefined);
    assert.equal(await ownText(await ownOfActive(), 'made.txt'), 'made\n');
    assert.equal(await files().exists('made.txt'), false);
  });

  it('says where its files are not on this machine, and refuses what needs them', async () => {
    const branch = await changedBranch();
    const { api } = shown();
    const { conversations, current, ownFiles } = api.parts;
    const host = await ownFiles.host();
    for (const { id } of await host.list()) await host.remove(id);
    await until(
      async () => (await descriptions()).some((each) => each.startsWith('files not on this machine')),
      'its row',
    );
    const view = await readConversation({ ...api.parts, current });
    assert.match(
      view.banners.find(({ id }) => id === 'ownFiles')?.text ?? '',
      /^The files of this branch are not on this machine\./u,
    );
    await assert.rejects(conversations.ask('hello'), { code: 'branch-files-elsewhere' });
    for (const command of ['keepBranchFiles', 'discardBranchFiles', 'openBranchFolder', 'createGitBranch']) {
      using dialogs = playDialogs(undefined, 'showErrorMessage');
      await vscode.commands.executeCommand(`offshoot.${command}`, branch);
      assert.match(dialogs.shown[0]?.text ?? '', /not on this machine/u, command);
    }
  });

  it('answers a question by the way, while the conversation goes on in the workspace', async () => {
    const { api } = shown();
    const { conversations, current, ownFiles, runs, store } = api.parts;
    await ask(api, 'hello');
    const chatId = await current.chatId();
    using _question = typed('write');
    await vscode.commands.executeCommand('offshoot.btwInOwnFiles', { kind: 'branch', chatId, name: 'main' });
    const side = (await store.listBranches(chatId)).find(({ name }) => name !== 'main')?.name ?? '';
    await ask(api, 'hello again');
    await untilChanged(api, () => runs.get(chatId, side) === undefined);
    const branch = (await store.getBranch(chatId, side)) ?? assert.fail('there is no branch');
    const [folder] = (await (await ownFiles.known())?.openAt(branch))?.folders ?? [];
    const own = vscode.Uri.joinPath(vscode.Uri.parse(folder?.uri ?? '', true), files().path('made.txt'));
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(own)), 'made\n');
    assert.equal(await files().exists('made.txt'), false);
    assert.equal((await store.getActiveBranch(chatId))?.name, 'main');
    assert.equal((await conversations.path()).length > 2, true);
  });

  it('waits where as many as the setting allows are at work', async () => {
    const branch = await changedBranch();
    await setSetting('branchFiles', { atOnce: 1 });
    try {
      const { api } = shown();
      const { approvals, conversations, runs } = api.parts;
      const first = await conversations.ask('run');
      await until(() => approvals.list().length > 0, 'the question');
      const head = (await conversations.path()).at(-1)?.id ?? assert.fail('nothing was said');
      await conversations.rewind(head);
      await assert.rejects(conversations.ask('hello'), { code: 'too-many-branches' });
      await runs.stop(branch.chatId, branch.name);
      await first.done;
    } finally {
      await setSetting('branchFiles', undefined);
    }
  });
});
