import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FileMoves } from '../../src/extension/files/fileMoves.ts';
import { showDifference } from '../../src/extension/files/filePick.ts';
import { VERSION_SCHEME } from '../../src/extension/files/versionUris.ts';
import { answer, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { undoRestored } from '../fixtures/undoRestored.ts';
import { useFileTurns } from './fileTurns.ts';
import { messageText, setSetting, useModelServer } from './support.ts';

/** Types at the beginning; the extension host is told a moment after the edit that the document is unsaved. */
async function typeInto(editor: vscode.TextEditor, text: string): Promise<void> {
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
  await until(() => editor.document.isDirty, 'the document to be unsaved');
}

describe('files in the extension host', () => {
  const server = useModelServer(() => [say('begins'), pause('goes on'), ...answer(' and ends')]);
  const turns = useFileTurns();

  const rewind = async (messageId: string): Promise<void> => {
    await vscode.commands.executeCommand('offshoot.rewindToHere', { messageId });
  };
  /** Accepts what is chosen in the picks that come until `condition` holds. */
  const acceptUntil = async (condition: () => Promise<boolean>, what: string): Promise<void> => {
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return condition();
    }, what);
  };

  it('go back with the conversation when the setting says so, byte for byte', async () => {
    const { api, files: there, turn } = turns();
    await setSetting('restoreFiles', 'always');
    const binary = Uint8Array.from([0, 255, 13, 10, 0]);
    await there.write('binary', binary);
    await there.write('windows.txt', '\ufeffone\r\ntwo\r\n');
    await there.write('run.sh', '#!/bin/sh\n');
    const first = await turn({ started: 'x' });
    await turn({ binary: 'text now', 'windows.txt': 'one\ntwo\n', 'run.sh': null, 'made/deep': 'x' });
    await rewind(first);
    assert.deepEqual(await there.bytes('binary'), binary);
    assert.equal(await there.text('windows.txt'), '\ufeffone\r\ntwo\r\n');
    assert.equal(await there.text('run.sh'), '#!/bin/sh\n');
    assert.equal(await there.exists('made'), false);
    await api.parts.conversations.switchBranch('main');
    assert.equal(await there.exists('made'), false, 'moving without asking for files leaves them');
    await vscode.commands.executeCommand('offshoot.openBranch', {
      kind: 'branch',
      chatId: await api.parts.current.chatId(),
      name: 'main-v2',
    });
    await vscode.commands.executeCommand('offshoot.openBranch', {
      kind: 'branch',
      chatId: await api.parts.current.chatId(),
      name: 'main',
    });
    assert.equal(await there.text('made/deep'), 'x');
    assert.equal(await there.exists('run.sh'), false);
  });

  it('that run programs are asked about whatever the setting says, and stay where nobody chooses them', async () => {
    const { api, files: there, turn } = turns();
    const { files, settings, current, conversations } = api.parts;
    await setSetting('restoreFiles', 'always');
    const first = await turn({ 'a.txt': '1', 'package.json': '1' });
    await turn({ 'a.txt': '2', 'package.json': '2' });
    const asked: string[][] = [];
    const moves = new FileMoves(files.restorer, settings, (_title, chosen, differing) => {
      asked.push(
        [chosen, differing].map((some) =>
          some.map((each) => each.planned.location.path.split('/').at(-1)).join(),
        ),
      );
      return Promise.resolve(undefined);
    });
    const request = {
      chatId: await current.chatId(),
      messageId: first,
      title: 'Rewind',
      move: () => conversations.rewind(first),
    };
    assert.equal(await moves.go(request), undefined);
    assert.deepEqual(asked, [['a.txt', 'a.txt,package.json']]);
    assert.equal(await there.text('package.json'), '2');
  });

  it('stay when the setting says never', async () => {
    const { api, files: there, turn } = turns();
    await setSetting('restoreFiles', 'never');
    const first = await turn({ a: '1' });
    await turn({ a: '2' });
    await rewind(first);
    assert.equal(await there.text('a'), '2');
    assert.equal((await messageText(api)).length, 2);
  });

  it('are asked about, and restored too when the user takes the first offer', async () => {
    const { api, files: there, turn } = turns();
    const first = await turn({ a: '1' });
    await turn({ a: '2', b: '2' });
    const rewound = rewind(first);
    await acceptUntil(async () => (await there.text('a')) === '1', 'the files to go back');
    await rewound;
    assert.equal(await there.exists('b'), false);
    assert.equal((await messageText(api)).length, 2);
  });

  it('come back with Undo, which asks nothing, and with them which edits were kept', async () => {
    const { api, files: there, turn } = turns();
    const { current, review } = api.parts;
    const chatId = await current.chatId();
    const toReview = async (): Promise<string[]> =>
      (await review.read(chatId)).map(({ location }) => location.path);
    const first = await turn({ a: '1' });
    await turn({ a: '2', b: '2' });
    const [edited] = await review.read(chatId);
    await vscode.commands.executeCommand('offshoot.keepEdits', { file: edited?.key });
    const left = await toReview();
    assert.equal(left.length, 1);
    const rewound = rewind(first);
    await acceptUntil(async () => (await there.text('a')) === '1', 'the files to go back');
    await rewound;
    for (const [command, held] of [
      ['offshoot.undo', '2'],
      ['offshoot.redo', '1'],
      ['offshoot.undo', '2'],
    ] as const) {
      await vscode.commands.executeCommand(command);
      assert.equal(await there.text('a'), held);
      assert.equal(await there.exists('b'), held === '2');
    }
    assert.deepEqual(await toReview(), left);
    await vscode.commands.executeCommand('offshoot.undo');
    assert.equal((await toReview()).length, 2, 'keeping is undone as well');
  });

  it('are shown one by one when someone else changed some, and those are skipped', async () => {
    const { api, files: there, turn } = turns();
    const first = await turn({ theirs: '1', ours: '1' });
    await turn({ theirs: '2', ours: '2' });
    await there.write('theirs', 'by hand');
    const rewound = rewind(first);
    await acceptUntil(async () => (await there.text('ours')) === '1', 'the other file to go back');
    await rewound;
    assert.equal(await there.text('theirs'), 'by hand');
    assert.equal((await messageText(api)).length, 2);
  });

  it('go back alone, or the conversation does, when the user wants only that', async () => {
    const { api, files: there, turn } = turns();
    const { files, settings, current, conversations } = api.parts;
    const first = await turn({ only: '1' });
    await turn({ only: '2' });
    const request = {
      chatId: await current.chatId(),
      messageId: first,
      title: 'Rewind',
      move: () => conversations.rewind(first),
    };
    const filesOnly = new FileMoves(files.restorer, settings, () => Promise.resolve('files'));
    const { move, restored } = (await filesOnly.go(request)) ?? {};
    assert.deepEqual([move, restored?.count], [undefined, 1]);
    assert.equal(await there.text('only'), '1');
    assert.equal((await messageText(api)).length, 4);
    assert.ok(restored);
    await undoRestored(api.parts.store, files.restorer, restored);
    const conversationOnly = new FileMoves(files.restorer, settings, () => Promise.resolve('conversation'));
    assert.equal((await conversationOnly.go(request))?.move?.to.name, 'main-v2');
    assert.equal(await there.text('only'), '2');
    assert.equal((await messageText(api)).length, 2);
  });

  it('nothing moves when the user closes the question', async () => {
    const { api, files: there, turn } = turns();
    const first = await turn({ a: '1' });
    await turn({ a: '2' });
    const rewound = rewind(first);
    let isDone = false;
    void rewound.then(() => (isDone = true));
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isDone;
    }, 'the question to be closed');
    assert.equal(await there.text('a'), '2');
    assert.equal((await messageText(api)).length, 4);
  });

  it('that are open with unsaved changes are skipped', async () => {
    const { files: there, turn } = turns();
    await setSetting('restoreFiles', 'always');
    const first = await turn({ aside: '1', b: '1' });
    await turn({ aside: '2', b: '2' });
    const document = await vscode.workspace.openTextDocument(there.uri('aside'));
    const editor = await vscode.window.showTextDocument(document);
    await typeInto(editor, 'half typed ');
    await rewind(first);
    assert.equal(document.getText(), 'half typed 2');
    assert.ok(document.isDirty);
    assert.equal(await there.text('aside'), '2');
    assert.equal(await there.text('b'), '1');
  });

  it('that are open with unsaved changes go back when they are chosen, and Undo types them again', async () => {
    const { api, files: there, turn } = turns();
    const { current, files } = api.parts;
    await turn({ again: 'tool\n' });
    const document = await vscode.workspace.openTextDocument(there.uri('again'));
    const editor = await vscode.window.showTextDocument(document);
    await typeInto(editor, 'half typed ');
    await turn({ b: 'x' });
    const chatId = await current.chatId();
    const plan = await files.restorer.preview(chatId, null);
    assert.deepEqual(
      plan.files.map(({ planned, state }) => [planned.location.path, state]),
      [
        ['files-test/again', 'unsaved'],
        ['files-test/b', 'ready'],
      ],
    );
    const restored = await files.restorer.restore(chatId, plan, plan.files);
    assert.deepEqual([await there.exists('again'), await there.exists('b')], [false, false]);
    // The workbench tells the extension host of it a moment later.
    await until(
      () => vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty),
      'nothing to be unsaved',
    );
    assert.deepEqual(await undoRestored(api.parts.store, files.restorer, restored), []);
    assert.equal(await there.text('again'), 'tool\n');
    const again = vscode.workspace.textDocuments.find(
      ({ uri }) => uri.toString() === there.uri('again').toString(),
    );
    assert.equal(again?.getText(), 'half typed tool\n');
    await until(() => again.isDirty, 'the document to be unsaved');
  });

  it('that are open and saved show what they hold then', async () => {
    const { files: there, turn } = turns();
    await setSetting('restoreFiles', 'always');
    const first = await turn({ afresh: 'one\n' });
    await turn({ afresh: 'two\n' });
    const document = await vscode.workspace.openTextDocument(there.uri('afresh'));
    await vscode.window.showTextDocument(document);
    assert.equal(document.getText(), 'two\n');
    await rewind(first);
    await until(() => document.getText() === 'one\n', 'the editor to show the restored file');
    await until(() => !document.isDirty, 'the document to be saved');
  });

  it('can be compared before anything happens', async () => {
    const { api, files: there, turn } = turns();
    await turn({ apart: 'before\n' });
    await turn({ apart: 'after\n' });
    const { current, files } = api.parts;
    const [first] = await api.parts.conversations.path();
    const plan = await files.restorer.preview(await current.chatId(), first?.id ?? '');
    const [file] = plan.files;
    assert.ok(file);
    await showDifference(file);
    const shown = await until(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input;
    }, 'the comparison');
    assert.equal(shown.original.toString(), there.uri('apart').toString());
    assert.equal(shown.modified.scheme, VERSION_SCHEME);
    assert.equal(await there.text('apart'), 'after\n');
  });

  it('go back at once while an answer streams, which stays with its own branch', async () => {
    const { api, files: there, turn } = turns();
    await setSetting('restoreFiles', 'always');
    const first = await turn({ a: '1' });
    await turn({ a: '2' });
    const run = await api.parts.conversations.ask('slow');
    await server().pauseReached('goes on');
    await rewind(first);
    assert.equal(await there.text('a'), '1');
    assert.equal(run.status, 'streaming');
    assert.equal((await messageText(api)).length, 2);
    server().release('goes on');
    await run.done;
    assert.equal(run.branch, 'main');
    assert.equal((await messageText(api)).length, 2);
  });
});
