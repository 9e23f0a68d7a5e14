import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { pathSummaryOf } from '../../src/engine/pathSummary.ts';
import { readUIMessage } from '../../src/engine/uiMessage.ts';
import { McpClient } from '../fixtures/mcp/mcpClient.ts';
import { answer } from '../fixtures/openaiServer.ts';
import { playDialogs } from './dialogs.ts';
import { ask, offshoot, useModelServer } from './support.ts';

describe('other agents at the conversations', () => {
  let api: Offshoot;
  let chat = '';
  useModelServer(() => answer('In reed beds.'));
  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    await api.parts.current.startNew();
    await ask(api, 'Where do herons nest?');
    chat = await api.parts.current.chatId();
  });

  const startServer = async (): Promise<McpClient> => {
    const [definition] = api.parts.mcp.definitions();
    assert.ok(definition);
    const env = Object.fromEntries(
      Object.entries(definition.env).map(([name, value]) => [name, String(value)]),
    );
    return McpClient.start({ command: definition.command, args: definition.args, env });
  };

  it('read by the server that VS Code is told of, and write with leave', async () => {
    await using agent = await startServer();
    assert.match(await agent.read('search_conversations', { query: 'reed', chat }), /\[reed\] beds/iu);
    using dialogs = playDialogs('Allow');
    const noted = await agent.call('add_note', { chat, text: 'Seen in Camargue.\nTwice.' });
    assert.match(noted.text, /^The user allowed it\. Added the note to branch "main"/u);
    const question = dialogs.shown.at(0);
    assert.equal(question?.text, 'Allow “Test Agent 1.2” to add this note?');
    assert.match(question.detail, /\n\n│ Seen in Camargue\.\n│ Twice\.$/u);
    const path = await api.parts.conversations.path();
    const last = readUIMessage(path.at(-1)?.data ?? null);
    const note = last && pathSummaryOf(last);
    assert.deepEqual(
      [note?.kind, note?.text, note?.model],
      ['note', 'Seen in Camargue.\nTwice.', 'Test Agent 1.2'],
    );
    const made = await agent.call('create_checkpoint', { chat, name: 'herons' });
    assert.equal(made.isError, false, made.text);
    assert.ok(await api.parts.store.getCheckpoint(chat, 'herons'));
  });

  it('write nothing that was declined', async () => {
    await using agent = await startServer();
    using dialogs = playDialogs(undefined);
    const before = (await api.parts.conversations.path()).length;
    const { text, isError } = await agent.call('add_note', { chat, text: 'No' });
    assert.ok(isError);
    assert.match(text, /^The user declined\. Nothing was written\./u);
    assert.equal(dialogs.shown.length, 1);
    assert.equal((await api.parts.conversations.path()).length, before);
  });

  it('are let start the server by VS Code once the user was asked, and only then', async () => {
    const [definition] = api.parts.mcp.definitions();
    assert.ok(definition);
    // It explains lines of files there.
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.equal(definition.cwd?.toString(), folder?.uri.toString());
    using dialogs = playDialogs('Allow', 'showInformationMessage');
    assert.equal(await api.parts.mcp.resolve(definition), definition);
    assert.equal(await api.parts.mcp.resolve(definition), definition);
    assert.equal(dialogs.shown.length, 1);
    assert.match(dialogs.shown[0]?.text ?? '', /^Allow agents in this window to read/u);
  });

  it('have the reading tools as language-model tools, which Offshoot’s own agent is not offered', async () => {
    const tools = vscode.lm.tools.filter(({ tags }) => tags.includes('offshoot'));
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        ...['offshoot_search_conversations', 'offshoot_list_branches', 'offshoot_read_path'],
        ...['offshoot_list_checkpoints', 'offshoot_compare_branches', 'offshoot_explain_line'],
      ],
    );
    assert.deepEqual(tools[0]?.tags.slice(0, 2), ['offshoot', 'conversations']);
    const own = api.parts.tools.selectable().foreign.map(({ name }) => name);
    assert.ok(own.includes('offshoot_test_weather'), 'those of others are offered');
    assert.deepEqual(
      own.filter((name) => tools.some((each) => each.name === name)),
      [],
    );
    const prepared = await api.parts.mcp.prepareTool('offshoot_search_conversations', { query: '[x](y)' });
    assert.equal(prepared.confirmationMessages?.title, 'Search Offshoot conversations?');
    assert.equal(prepared.invocationMessage, 'Searching conversations for “[x]\u2060(y)”');
  });

  it('find and read by them what was said', async () => {
    const invoke = async (name: string, input: object): Promise<string> => {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    };
    assert.match(await invoke('offshoot_search_conversations', { query: 'reed', chat }), /\[reed\] beds/iu);
    assert.match(await invoke('offshoot_read_path', { chat }), /Where do herons nest\?/u);
    assert.match(await invoke('offshoot_list_branches', {}), new RegExp(`chat "${chat}"`, 'u'));
    await api.parts.conversations.createCheckpoint('nesting');
    assert.match(await invoke('offshoot_list_checkpoints', { chat }), /"nesting"/u);
    await assert.rejects(
      invoke('offshoot_explain_line', { path: 'none.ts', line: 1 }),
      /no text file "none\.ts"/u,
    );
    await assert.rejects(invoke('offshoot_read_path', { chat: 'nobody' }), /There is no chat "nobody"/u);
    await assert.rejects(invoke('offshoot_read_path', {}), /Invalid input/u);
  });
});
