import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { assistant, user } from '../../src/engine/fragments/index.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { FileMoves } from '../../src/extension/fileRestore/fileMoves.ts';
import { showDifference } from '../../src/extension/fileRestore/filePick.ts';
import { VERSION_SCHEME } from '../../src/extension/fileRestore/versionFiles.ts';
import { answer, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { offshoot, messageText, setSetting, useModelServer, writableStore } from './support.ts';

describe('files in the extension host', () => {
  let api: Offshoot;
  let folder: vscode.WorkspaceFolder;
  const server = useModelServer(() => [say('begins'), pause('goes on'), ...answer(' and ends')]);

  before(async () => {
    api = await offshoot();
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first, 'a folder is open');
    folder = first;
  });
  beforeEach(async () => {
    await api.parts.current.startNew();
    await mkdir(onDisk('.'), { recursive: true });
  });
  afterEach(async () => {
    await setSetting('restoreFiles', undefined);
    // One that is not saved would be asked about.
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(onDisk('.'), { recursive: true, force: true });
  });

  const onDisk = (name: string): string => path.join(folder.uri.fsPath, 'files-test', name);
  const uriOf = (name: string): vscode.Uri => vscode.Uri.joinPath(folder.uri, 'files-test', name);
  const text = (name: string): Promise<string> => readFile(onDisk(name), 'utf8');
  const exists = (name: string): Promise<boolean> =>
    stat(onDisk(name)).then(
      () => true,
      () => false,
    );

  let turns = 0;
  /** One turn whose tools leave these files (null: gone), as a run would make it. @returns the id of its answer */
  const turn = async (changes: Readonly<Record<string, string | Uint8Array | null>>): Promise<string> => {
    const { current, files } = api.parts;
    const store = writableStore(api);
    const chatId = await current.chatId();
    await store.upsertChat({ id: chatId, userId: 'local' });
    const engine = new ContextEngine({ store, chatId, userId: 'local' });
    try {
      const writer = files.writerFor(engine);
      for (const [name, content] of Object.entries(changes)) {
        const before = (await exists(name)) ? Uint8Array.from(await readFile(onDisk(name))) : null;
        const after = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        await writer.write({ folder: folder.uri.toString(), path: `files-test/${name}` }, before, after);
      }
      turns += 1;
      const id = `answer-${turns}`;
      await engine.set(user(`question ${turns}`), assistant(`done ${turns}`, { id })).save();
      return id;
    } finally {
      await engine.close();
    }
  };
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
    await setSetting('restoreFiles', 'always');
    const binary = Uint8Array.from([0, 255, 13, 10, 0]);
    await writeFile(onDisk('binary'), binary);
    await writeFile(onDisk('windows.txt'), '\ufeffone\r\ntwo\r\n');
    await writeFile(onDisk('run.sh'), '#!/bin/sh\n');
    await chmod(onDisk('run.sh'), 0o755);
    const first = await turn({ started: 'x' });
    await turn({ binary: 'text now', 'windows.txt': 'one\ntwo\n', 'run.sh': null, 'made/deep': 'x' });
    await rewind(first);
    assert.deepEqual(Uint8Array.from(await readFile(onDisk('binary'))), binary);
    assert.equal(await text('windows.txt'), '\ufeffone\r\ntwo\r\n');
    assert.equal((await stat(onDisk('run.sh'))).mode & 0o777, 0o755);
    assert.equal(await exists('made'), false);
    await api.parts.conversations.switchBranch('main');
    assert.equal(await exists('made'), false, 'moving without asking for files leaves them');
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
    assert.equal(await text('made/deep'), 'x');
    assert.equal(await exists('run.sh'), false);
  });

  it('that run programs are asked about whatever the setting says, and stay where nobody chooses them', async () => {
    const { files, settings, current, conversations } = api.parts;
    await setSetting('restoreFiles', 'always');
    const first = await turn({ 'a.txt': '1', 'package.json': '1' });
    await turn({ 'a.txt': '2', 'package.json': '2' });
    const asked: string[][] = [];
    const moves = new FileMoves(files.restorer, settings, (_title, chosen, differing) => {
      asked.push(
        [chosen, differing].map((some) =>
          some.map((each) => path.basename(each.planned.location.path)).join(),
        ),
      );
      return Promise.resolve(undefined);
    });
    const request = {
      ...{ chatId: await current.chatId(), messageId: first, title: 'Rewind' },
      move: () => conversations.rewind(first),
    };
    assert.equal(await moves.go(request), undefined);
    assert.deepEqual(asked, [['a.txt', 'a.txt,package.json']]);
    assert.equal(await text('package.json'), '2');
  });

  it('stay when the setting says never', async () => {
    await setSetting('restoreFiles', 'never');
    const first = await turn({ a: '1' });
    await turn({ a: '2' });
    await rewind(first);
    assert.equal(await text('a'), '2');
    assert.equal((await messageText(api)).length, 2);
  });

  it('are asked about, and go along when the user takes the first offer', async () => {
    const first = await turn({ a: '1' });
    await turn({ a: '2', b: '2' });
    const rewound = rewind(first);
    await acceptUntil(async () => (await text('a')) === '1', 'the files to go back');
    await rewound;
    assert.equal(await exists('b'), false);
    assert.equal((await messageText(api)).length, 2);
  });

  it('are shown one by one when somebody else changed some, and those are skipped', async () => {
    const first = await turn({ theirs: '1', ours: '1' });
    await turn({ theirs: '2', ours: '2' });
    await writeFile(onDisk('theirs'), 'by hand');
    const rewound = rewind(first);
    await acceptUntil(async () => (await text('ours')) === '1', 'the other file to go back');
    await rewound;
    assert.equal(await text('theirs'), 'by hand');
    assert.equal((await messageText(api)).length, 2);
  });

  it('go back alone, or the conversation does, when the user wants only that', async () => {
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
    assert.equal(await text('only'), '1');
    assert.equal((await messageText(api)).length, 4);
    assert.ok(restored);
    await files.restorer.undo(restored);
    const conversationOnly = new FileMoves(files.restorer, settings, () => Promise.resolve('conversation'));
    assert.equal((await conversationOnly.go(request))?.move?.to.name, 'main-v2');
    assert.equal(await text('only'), '2');
    assert.equal((await messageText(api)).length, 2);
  });

  it('nothing moves when the user closes the question', async () => {
    const first = await turn({ a: '1' });
    await turn({ a: '2' });
    const rewound = rewind(first);
    let isDone = false;
    void rewound.then(() => (isDone = true));
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isDone;
    }, 'the question to be closed');
    assert.equal(await text('a'), '2');
    assert.equal((await messageText(api)).length, 4);
  });

  it('that are open with unsaved changes are skipped', async () => {
    await setSetting('restoreFiles', 'always');
    const first = await turn({ aside: '1', b: '1' });
    await turn({ aside: '2', b: '2' });
    const document = await vscode.workspace.openTextDocument(uriOf('aside'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'half typed '));
    assert.ok(document.isDirty);
    await rewind(first);
    assert.equal(document.getText(), 'half typed 2');
    assert.ok(document.isDirty);
    assert.equal(await text('aside'), '2');
    assert.equal(await text('b'), '1');
  });

  it('that are open with unsaved changes go back when they are chosen, and Undo types them again', async () => {
    const { current, files } = api.parts;
    await turn({ again: 'tool\n' });
    const document = await vscode.workspace.openTextDocument(uriOf('again'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'half typed '));
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
    assert.deepEqual([await exists('again'), await exists('b')], [false, false]);
    // The workbench tells the extension host of it a moment later.
    await until(
      () => vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty),
      'nothing to be unsaved',
    );
    assert.deepEqual(await files.restorer.undo(restored), []);
    assert.equal(await text('again'), 'tool\n');
    const again = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === onDisk('again'));
    assert.equal(again?.getText(), 'half typed tool\n');
    assert.ok(again.isDirty);
  });

  it('that are open and saved show what they hold then', async () => {
    await setSetting('restoreFiles', 'always');
    const first = await turn({ afresh: 'one\n' });
    await turn({ afresh: 'two\n' });
    const document = await vscode.workspace.openTextDocument(uriOf('afresh'));
    await vscode.window.showTextDocument(document);
    assert.equal(document.getText(), 'two\n');
    await rewind(first);
    await until(() => document.getText() === 'one\n', 'the editor to show the restored file');
    assert.equal(document.isDirty, false);
  });

  it('can be compared before anything happens', async () => {
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
    assert.equal(shown.original.fsPath, onDisk('apart'));
    assert.equal(shown.modified.scheme, VERSION_SCHEME);
    assert.equal(await text('apart'), 'after\n');
  });

  it('go back at once while an answer streams, which stays with its own branch', async () => {
    await setSetting('restoreFiles', 'always');
    const first = await turn({ a: '1' });
    await turn({ a: '2' });
    const run = await api.parts.conversations.ask('slow');
    await server().pauseReached('goes on');
    await rewind(first);
    assert.equal(await text('a'), '1');
    assert.equal(run.status, 'streaming');
    assert.equal((await messageText(api)).length, 2);
    server().release('goes on');
    await run.done;
    assert.equal(run.branch, 'main');
    assert.equal((await messageText(api)).length, 2);
  });
});
