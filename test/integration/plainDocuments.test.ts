import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import * as vscode from 'vscode';
import type { FilePreview } from '../../src/agent/tools/approvals.ts';
import { toolCallsIn } from '../../src/agent/tools/toolParts.ts';
import { readUIMessage } from '../../src/engine/uiMessage.ts';
import { comparisonUri } from '../../src/extension/compare/comparisonDocuments.ts';
import { openToolCall } from '../../src/extension/answers/toolCallFiles.ts';
import { toolView } from '../../src/extension/answers/toolView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { versionUri } from '../../src/extension/fileRestore/versionFiles.ts';
import { LocalServer } from '../fixtures/localServer.ts';
import { answer, toolResultsOf, useTools } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ask, offshoot, useModelServer } from './support.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** Somebody who would like to know what is opened in the editor. */
class SchemaServer extends LocalServer {
  readonly asked: string[] = [];
  protected override answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end('{}');
    return Promise.resolve();
  }
}

/** What a hostile repository may bring along. */
const associations = { '*': 'json', '**': 'json', '*.json': 'jsonc', 'tool call': 'json', '/**/*': 'json' };

describe('what nobody has allowed yet, as the editor shows it', () => {
  let api: Offshoot;
  let schemas: SchemaServer;
  useModelServer((request) =>
    toolResultsOf(request).length === 0 ? useTools(['get_state', { key: 'a\u202eb' }]) : answer('done'),
  );
  const set = async (section: string, name: string, value: unknown, target: vscode.ConfigurationTarget) =>
    vscode.workspace.getConfiguration(section).update(name, value, target);

  before(async () => {
    api = await offshoot();
    schemas = await new SchemaServer().listen();
    await set('files', 'associations', associations, vscode.ConfigurationTarget.Workspace);
    const editors = { '*': 'vscode.markdown.preview.editor' };
    await set('workbench', 'editorAssociations', editors, vscode.ConfigurationTarget.Workspace);
    const trusted = vscode.workspace.getConfiguration('json').inspect('schemaDownload.trustedDomains');
    if (trusted?.defaultValue !== undefined) {
      const domains = { [schemas.origin]: true };
      await set('json', 'schemaDownload.trustedDomains', domains, vscode.ConfigurationTarget.Global);
    }
  });
  after(async () => {
    await set('json', 'schemaDownload.trustedDomains', undefined, vscode.ConfigurationTarget.Global);
    await set('files', 'associations', undefined, vscode.ConfigurationTarget.Workspace);
    await set('workbench', 'editorAssociations', undefined, vscode.ConfigurationTarget.Workspace);
    await rm(path.join(root, '.vscode'), { recursive: true, force: true });
    await schemas.close();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const diffTab = (): vscode.TabInputTextDiff | undefined => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  };

  /** Opens the change a tool asks for, and says no to it afterwards. */
  async function proposed(preview: FilePreview, look: (diff: vscode.TabInputTextDiff) => Promise<void>) {
    const asked = api.parts.approvals.ask(
      { kind: 'write', preview },
      { chatId: 'c', toolName: 'edit_file', signal: new AbortController().signal, onAsked: () => undefined },
    );
    const denied = assert.rejects(asked, { code: 'denied' });
    try {
      await look(await until(diffTab, 'the change'));
    } finally {
      for (const { id } of api.parts.approvals.list()) api.parts.approvals.answer(id, 'deny');
      await denied;
    }
    await until(() => diffTab() === undefined, 'the change to close');
  }

  it('is plain text for every service of a language, and fetches nothing', async () => {
    const wanted = (name: string): string => `{ "$schema": "${schemas.origin}/${name}" }\n`;
    const names = [
      'a.json',
      'tasks.json',
      'b.html',
      'c.css',
      'd.ts',
      'e.md',
      'f.yaml',
      '.code-workspace',
      'x',
    ];
    for (const name of names) {
      const preview = { shown: name, fsPath: path.join(root, name), before: '{}', after: wanted('proposed') };
      await proposed(preview, async ({ original, modified }) => {
        for (const uri of [original, modified]) {
          const document = await vscode.workspace.openTextDocument(uri);
          assert.equal(document.languageId, 'plaintext', name);
        }
        assert.equal((await vscode.workspace.openTextDocument(modified)).getText(), wanted('proposed'));
      });
    }

    await api.parts.suggestions.show({ code: wanted('suggested'), language: 'json', file: 'new.json' });
    const suggested = await until(diffTab, 'the comparison');
    const hash = await api.parts.store.blobs.put(new TextEncoder().encode(wanted('version')));
    const kept = versionUri('old.json', { hash } as Parameters<typeof versionUri>[1]);
    const chatId = await api.parts.current.chatId();
    const state = comparisonUri({ show: 'state', chatId, headId: null, key: 'x' });
    for (const uri of [suggested.original, suggested.modified, kept, state]) {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      assert.equal(document.languageId, 'plaintext', uri.toString());
    }

    // The service is there, and fetches what a file names that is opened by its own name.
    const control = path.join(root, 'control.json');
    await writeFile(control, wanted('control'));
    try {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(control));
      await until(() => schemas.asked.length > 0, 'the service to fetch the schema of the file');
      assert.deepEqual([...new Set(schemas.asked)], ['/control']);
    } finally {
      await rm(control, { force: true });
    }
  });

  it('shows hidden characters by their numbers, and in the question', async () => {
    const after = 'if (isAdmin\u202e) { // \u200bno\n';
    const preview = {
      shown: 'src/\u202egpj.ts',
      fsPath: path.join(root, 'x.ts'),
      before: '\u200bold\n',
      after,
    };
    await proposed(preview, async ({ original, modified }) => {
      const text = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
      assert.equal(await text(modified), 'if (isAdmin‹U+202E›) { // ‹U+200B›no\n');
      assert.equal(await text(original), '‹U+200B›old\n');
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'src/‹U+202E›gpj.ts (proposed)');
      const [asked] = api.parts.approvals.list();
      assert.ok(asked);
      const part = {
        ...({ type: 'tool-edit_file', toolCallId: 'c', state: 'approval-requested' } as const),
        ...{ input: { path: '\u202egpj.ts' }, approval: { id: asked.id } },
      };
      const view = toolView(part, api.parts.approvals);
      assert.match(view.approval?.question ?? '', /‹U\+202E›gpj\.ts.*hidden characters \(U\+202E\)/);
      assert.match(view.input, /"‹U\+202E›gpj\.ts"/);
      assert.equal(view.title, 'Edit ‹U+202E›gpj.ts');
    });
  });

  it('shows hidden characters of code for a file on both sides, and writes what the code says', async () => {
    const name = 'hidden.ts';
    const file = path.join(root, name);
    await writeFile(file, 'const a = "\u200b";\n');
    try {
      await api.parts.suggestions.show({ code: 'const a = "\u200b\u2066";', language: 'ts', file: name });
      const { original, modified } = await until(diffTab, 'the comparison');
      const text = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
      assert.equal(await text(original), 'const a = "‹U+200B›";\n');
      assert.equal(await text(modified), 'const a = "‹U+200B›‹U+2066›";\n');
      await vscode.commands.executeCommand('offshoot.applyCode');
      const written = (await vscode.workspace.openTextDocument(file)).getText();
      assert.equal(written, 'const a = "\u200b\u2066";\n');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(file, { force: true });
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
