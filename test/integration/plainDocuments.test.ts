import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toolCallsIn } from '../../src/models/messages/toolParts.ts';
import { readUIMessage } from '../../src/engine/uiMessage.ts';
import { openToolCall } from '../../src/extension/pages/toolCallFiles.ts';
import { toolView } from '../../src/extension/pages/toolView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, toolResultsOf, useTools } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { diffTab, lookAtProposed, useHostileAssociations } from './proposedChange.ts';
import { ask, offshoot, useModelServer } from './support.ts';

describe('what nobody has allowed yet, as the editor shows it', () => {
  let api: Offshoot;
  const files = new FolderFiles();
  useModelServer((request) =>
    toolResultsOf(request).length === 0 ? useTools(['read_notes', { name: 'a\u202eb' }]) : answer('done'),
  );
  useHostileAssociations();
  before(async () => {
    api = await offshoot();
  });
  after(() => files.remove('.vscode'));
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('shows hidden characters by their numbers, and in the question', async () => {
    const after = 'if (isAdmin\u202e) { // \u200bno\n';
    const preview = {
      shown: 'src/\u202egpj.ts',
      uri: files.uri('x.ts').toString(),
      before: '\u200bold\n',
      after,
    };
    await lookAtProposed(api, preview, async ({ original, modified }) => {
      const text = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
      assert.equal(await text(modified), 'if (isAdmin‹U+202E›) { // ‹U+200B›no\n');
      assert.equal(await text(original), '‹U+200B›old\n');
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'src/‹U+202E›gpj.ts (proposed)');
      const [asked] = api.parts.approvals.list();
      assert.ok(asked);
      const part = {
        ...({ type: 'tool-edit_file', toolCallId: 'c', state: 'approval-requested' } as const),
        input: { path: '\u202egpj.ts' },
        approval: { id: asked.id },
      };
      const view = toolView(part, api.parts.approvals);
      assert.match(view.approval?.question ?? '', /‹U\+202E›gpj\.ts.*hidden characters \(U\+202E\)/);
      assert.match(view.input, /"‹U\+202E›gpj\.ts"/);
      assert.equal(view.title, 'Edit ‹U+202E›gpj.ts');
    });
  });

  it('shows hidden characters of code for a file on both sides, and writes what the code says', async () => {
    const name = 'hidden.ts';
    await files.write(name, 'const a = "\u200b";\n');
    try {
      await api.parts.suggestions.show({ code: 'const a = "\u200b\u2066";', language: 'ts', file: name });
      const { original, modified } = await until(diffTab, 'the comparison');
      const text = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
      assert.equal(await text(original), 'const a = "‹U+200B›";\n');
      assert.equal(await text(modified), 'const a = "‹U+200B›‹U+2066›";\n');
      await vscode.commands.executeCommand('offshoot.applyCode');
      const written = (await vscode.workspace.openTextDocument(files.uri(name))).getText();
      assert.equal(written, 'const a = "\u200b\u2066";\n');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await files.remove(name);
    }
  });

  it('shows all of a call as plain text, with a name', async () => {
    await api.parts.current.startNew();
    await ask(api, 'hello');
    const path = await api.parts.conversations.path();
    const message = readUIMessage(path.at(-1)?.data);
    const call = message && toolCallsIn(message)[0];
    assert.ok(message && call);
    const chatId = await api.parts.current.chatId();
    await openToolCall(chatId, { messageId: message.id, callId: call.toolCallId });
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'plaintext');
    assert.match(document.getText(), /"a‹U\+202E›b"/);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Tool call');
  });
});
