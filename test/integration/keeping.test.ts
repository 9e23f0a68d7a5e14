import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OffshootApi } from '../../src/extension/extension.ts';
import { answer, lastQuestion, startOpenAiServer, type OpenAiServer } from '../fixtures/openaiServer.ts';
import { ask, offshoot, saidIn, setSetting } from './support.ts';

describe('keeping and letting go in the extension host', () => {
  let api: OffshootApi;
  let server: OpenAiServer;

  before(async () => {
    api = await offshoot();
    server = await startOpenAiServer({ script: (request) => answer(`You said ${lastQuestion(request)}`) });
    await setSetting('openaiCompatible.baseUrl', server.baseUrl);
    await setSetting('openaiCompatible.model', 'test-model');
  });
  after(async () => {
    await setSetting('openaiCompatible.baseUrl', undefined);
    await setSetting('openaiCompatible.model', undefined);
    await server[Symbol.asyncDispose]();
  });
  beforeEach(() => api.services.current.startNew());

  const chatId = () => api.services.current.chatId();
  const run = (command: string, argument: unknown) => vscode.commands.executeCommand(command, argument);

  it('puts a branch into the trash by its node, and it comes back as it was', async () => {
    const { store, conversations } = api.services;
    await ask(api, 'one');
    const [question] = await conversations.path();
    assert.ok(question);
    await conversations.rewind(question.id);
    await ask(api, 'two');
    const before = await store.getGraph(await chatId());
    await run('offshoot.deleteBranch', { kind: 'branch', chatId: await chatId(), name: 'main' });
    const [entry] = await store.trash.list({ chatId: await chatId() });
    assert.deepEqual([entry?.kind, entry?.name, entry?.messageCount], ['branch', 'main', 1]);
    assert.equal((await store.listBranches(await chatId())).length, 1);
    await store.trash.restore(entry?.id ?? '');
    assert.deepEqual(await store.getGraph(await chatId()), before);
  });

  it('keeps the branch one is on, whatever is asked', async () => {
    const { store } = api.services;
    await ask(api, 'one');
    await run('offshoot.deleteBranch', { kind: 'branch', chatId: await chatId(), name: 'main' });
    assert.deepEqual(await saidIn(api), ['one', 'You said one']);
    assert.deepEqual(await store.trash.list({ chatId: await chatId() }), []);
  });

  it('stops the answer of a branch that is deleted', async () => {
    const { store, conversations, runs } = api.services;
    await ask(api, 'one');
    const aside = await conversations.askAside('beside');
    await run('offshoot.deleteBranch', { kind: 'branch', chatId: await chatId(), name: aside.branch });
    assert.equal(runs.get(await chatId(), aside.branch), undefined);
    assert.equal((await store.trash.list({ chatId: await chatId() }))[0]?.name, aside.branch);
  });

  it('puts a checkpoint into the trash by its node', async () => {
    const { store, conversations } = api.services;
    await ask(api, 'one');
    await conversations.createCheckpoint('here');
    await run('offshoot.deleteCheckpoint', { kind: 'checkpoint', chatId: await chatId(), name: 'here' });
    const [entry] = await store.trash.list({ chatId: await chatId() });
    assert.deepEqual([entry?.kind, entry?.name], ['checkpoint', 'here']);
    assert.deepEqual(await store.listCheckpoints(await chatId()), []);
  });
});
