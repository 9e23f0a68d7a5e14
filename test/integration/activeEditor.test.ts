import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ActiveEditor } from '../../src/extension/context/activeEditor.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { until } from '../fixtures/until.ts';
import { offshoot, setSetting } from './support.ts';

describe('the last text editor, as the chat knows it', () => {
  let api: Offshoot;
  let folder: vscode.Uri;
  let outside: vscode.Uri;
  const made: vscode.Uri[] = [];

  before(async () => {
    api = await offshoot();
    folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    // Where the extension keeps its files: there are folders with nothing next to them.
    outside = vscode.Uri.joinPath(api.parts.folder, '..', `outside-${crypto.randomUUID()}`);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const uri of made) await vscode.workspace.fs.delete(uri);
    await vscode.workspace.fs.delete(outside, { recursive: true });
  });

  const create = async (name: string, text: string): Promise<vscode.Uri> => {
    const uri = vscode.Uri.joinPath(folder, name);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    made.push(uri);
    return uri;
  };
  const select = async (document: vscode.TextDocument, from: number, to: number): Promise<void> => {
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(from, 0, to, 1);
  };
  const shows = (name: string | undefined, startLine?: number) =>
    until(() => {
      const { now } = api.parts.lastEditor;
      return Promise.resolve(now?.name === name && now?.startLine === startLine);
    }, `the editor of ${name}`);

  it('is a file of the folder, as the editor holds it, with the selected lines', async () => {
    const uri = await create('taken.ts', 'one\ntwo\nthree\nfour\n');
    await select(await vscode.workspace.openTextDocument(uri), 1, 2);
    await shows('taken.ts', 2);
    const { lastEditor, attachments } = api.parts;
    assert.deepEqual(lastEditor.now, { name: 'taken.ts', startLine: 2, endLine: 3, isOn: true });
    const attachment = await lastEditor.attachment({ name: 'taken.ts', startLine: 2, endLine: 3 });
    assert.deepEqual(attachment, { type: 'file', path: 'taken.ts', startLine: 2, endLine: 3 });
    assert.match(JSON.stringify(await attachments.parts([attachment])), /two.{1,3}nthree/u);
  });

  it('is no file outside of the folders, and none that is named like a secret unless it is added by hand', async () => {
    const elsewhere = vscode.Uri.joinPath(outside, 'elsewhere.ts');
    await vscode.workspace.fs.writeFile(elsewhere, new TextEncoder().encode('outside'));
    await select(await vscode.workspace.openTextDocument(elsewhere), 0, 0);
    await shows(undefined);
    const { lastEditor } = api.parts;
    assert.equal(await lastEditor.attachment({ name: elsewhere.fsPath }), undefined);
    await select(await vscode.workspace.openTextDocument(await create('taken.env', 'KEY=1\n')), 0, 0);
    await shows('taken.env', 1);
    assert.equal(lastEditor.now?.isOn, false);
    assert.equal(await lastEditor.attachment({ name: 'taken.env', startLine: 1 }), undefined);
    assert.ok(await lastEditor.attachment({ name: 'taken.env', startLine: 1 }, { isByHand: true }));
  });

  it('is a document that was never saved, whose text is taken as it is', async () => {
    const { lastEditor } = api.parts;
    const untitled = await vscode.workspace.openTextDocument({ content: 'draft one\ndraft two\n' });
    await select(untitled, 1, 1);
    await shows(untitled.uri.path, 2);
    const draft = await lastEditor.attachment({ name: untitled.uri.path, startLine: 2, endLine: 2 });
    assert.deepEqual(draft, {
      type: 'context',
      of: 'text',
      name: `${untitled.uri.path}:2`,
      text: 'draft two',
    });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('is switched for the workspace, by kind, and off altogether by the setting', async () => {
    const { lastEditor } = api.parts;
    const uri = vscode.Uri.joinPath(folder, 'taken.ts');
    const editor = await vscode.window.showTextDocument(uri);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await shows('taken.ts');
    assert.deepEqual(lastEditor.now, { name: 'taken.ts', isOn: false }, 'a file alone is suggested');
    await lastEditor.toggle({ name: 'taken.ts' });
    assert.deepEqual(lastEditor.now, { name: 'taken.ts', isOn: true });
    await lastEditor.toggle({ name: 'taken.ts' });
    assert.deepEqual(lastEditor.now, { name: 'taken.ts', isOn: false });
    await setSetting('activeEditor', 'off');
    await shows(undefined);
    assert.equal(await lastEditor.attachment({ name: 'taken.ts' }), undefined);
    await setSetting('activeEditor', undefined);
    await shows('taken.ts');
  });

  it('is as it was switched after the window was reloaded', async () => {
    const kept = new Map<string, unknown>();
    const state: vscode.Memento = {
      keys: () => [...kept.keys()],
      get: (key: string) => kept.get(key),
      update: (key, value) => Promise.resolve(void kept.set(key, value)),
    };
    const { settings } = api.parts;
    await select(await vscode.workspace.openTextDocument(await create('kept.ts', 'one\ntwo\n')), 0, 1);
    const lines = { name: 'kept.ts', startLine: 1, endLine: 2 };
    const before = new ActiveEditor(settings, state);
    assert.deepEqual(before.now, { ...lines, isOn: true });
    await before.toggle(lines);
    before.dispose();
    const after = new ActiveEditor(settings, state);
    assert.deepEqual(after.now, { ...lines, isOn: false });
    await after.toggle(lines);
    assert.deepEqual(after.now, { ...lines, isOn: true });
    after.dispose();
  });

  it('tells pages of where the cursor came to rest, not of each move', async () => {
    const { lastEditor } = api.parts;
    const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, 'taken.ts'));
    await shows('taken.ts');
    let changes = 0;
    const listening = lastEditor.onDidChange(() => (changes += 1));
    for (let line = 0; line < 4; line += 1) editor.selection = new vscode.Selection(line, 0, line, 0);
    for (let end = 1; end < 4; end += 1) editor.selection = new vscode.Selection(0, 0, end, 1);
    await shows('taken.ts', 1);
    await until(() => Promise.resolve(lastEditor.now?.endLine === 4), 'the whole selection');
    listening.dispose();
    assert.ok(changes <= 2, `${changes} times`);
  });
});
