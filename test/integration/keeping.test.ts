import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, messageText, useModelServer } from './support.ts';

describe('keeping and deleting in the extension host', () => {
  let api: Offshoot;
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    return question === 'slow'
      ? [say('It begins'), pause(), say(' and ends')]
      : answer(`You said ${question}`);
  });

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());

  const chatId = () => api.parts.current.chatId();
  const run = (command: string, argument: unknown) => vscode.commands.executeCommand(command, argument);

  it('puts a branch into the trash by its node, and it comes back as it was', async () => {
    const { store, conversations } = api.parts;
    await ask(api, 'one');
    const [question] = await conversations.path();
    assert.ok(question);
    await conversations.rewind(question.id);
    await ask(api, 'two');
    const before = await store.getGraph(await chatId());
    await run('offshoot.deleteBranch', { kind: 'branch', chatId: await chatId(), name: 'main' });
    const [entry] = await store.trash.list({ chatId: await chatId() });
    assert.deepEqual([entry?.kind, entry?.name, entry?.messageCount], ['branch', 'main', 2]);
    assert.equal((await store.listBranches(await chatId())).length, 1);
    await conversations.putBack(entry?.id ?? '');
    assert.deepEqual(await store.getGraph(await chatId()), before);
  });

  it('keeps the branch one is on, whatever is asked', async () => {
    const { store } = api.parts;
    await ask(api, 'one');
    await run('offshoot.deleteBranch', { kind: 'branch', chatId: await chatId(), name: 'main' });
    assert.deepEqual(await messageText(api), ['one', 'You said one']);
    assert.deepEqual(await store.trash.list({ chatId: await chatId() }), []);
  });

  it('lets the answer go on of a branch that cannot be deleted, because one is on it', async () => {
    const slow = await api.parts.conversations.ask('slow');
    await server().pauseReached();
    await run('offshoot.deleteBranch', { kind: 'branch', chatId: await chatId(), name: 'main' });
    server().release();
    await slow.done;
    assert.deepEqual(await messageText(api), ['slow', 'It begins and ends']);
  });

  it('stops the answer of a branch that is deleted', async () => {
    const { store, conversations, runs } = api.parts;
    await ask(api, 'one');
    const aside = await conversations.askSideQuestion('by the way');
    await run('offshoot.deleteBranch', { kind: 'branch', chatId: await chatId(), name: aside.branch });
    assert.equal(runs.get(await chatId(), aside.branch), undefined);
    assert.equal((await store.trash.list({ chatId: await chatId() }))[0]?.name, aside.branch);
  });

  it('puts a checkpoint into the trash by its node', async () => {
    const { store, conversations } = api.parts;
    await ask(api, 'one');
    await conversations.createCheckpoint('here');
    await run('offshoot.deleteCheckpoint', { kind: 'checkpoint', chatId: await chatId(), name: 'here' });
    const [entry] = await store.trash.list({ chatId: await chatId() });
    assert.deepEqual([entry?.kind, entry?.name], ['checkpoint', 'here']);
    assert.deepEqual(await store.listCheckpoints(await chatId()), []);
  });

  it('exports a chat to a file, and imports it next to the original', async () => {
    const { store, current } = api.parts;
    await ask(api, 'one');
    const exported = await chatId();
    const files = new FolderFiles('exchange');
    const file = (name: string) => files.uri(name);
    try {
      const node = { kind: 'chat', chatId: exported };
      await vscode.commands.executeCommand('offshoot.exportChat', node, file('chat.offshoot.json'));
      await vscode.commands.executeCommand('offshoot.exportChat', node, file('chat.md'));
      await run('offshoot.exportAll', file('all.json'));
      await run('offshoot.import', file('chat.offshoot.json'));
      assert.notEqual(await current.chatId(), exported);
      assert.deepEqual(await messageText(api), ['one', 'You said one']);
      const { nodes } = await store.getGraph(await current.chatId());
      assert.deepEqual(nodes, (await store.getGraph(exported)).nodes);
      const [copy, count] = [await current.chatId(), (await store.listChats()).length];
      await current.open(exported);
      await run('offshoot.import', file('chat.offshoot.json'));
      // The copy is known by now.
      assert.deepEqual([await current.chatId(), (await store.listChats()).length], [copy, count]);
      const markdown = await files.text('chat.md');
      assert.match(
        markdown,
        /^# one\n\n## Branch Main line\n\n### You\n\none\n\n### Assistant\n\nYou said one/,
      );
      const all = JSON.parse(await files.text('all.json')) as { chats: unknown[] };
      assert.ok(all.chats.length >= 1);
      const before = (await store.listChats()).length;
      await files.write('bad.json', '{"format":"offshoot-conversations"}');
      await run('offshoot.import', file('bad.json'));
      assert.equal((await store.listChats()).length, before);
    } finally {
      await files.remove();
    }
  });
});
