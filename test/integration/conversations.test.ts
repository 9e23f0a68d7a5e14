import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { imagePart } from '../../src/models/messages/messageFiles.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, lastQuestion, pause, say, startOpenAiServer } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ask, offshoot, messageText, setSetting, untilChanged, useModelServer } from './support.ts';

describe('a conversation in the extension host', () => {
  let api: Offshoot;
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    if (question.startsWith('slow')) return [say(`${question} begins`), pause(question), say(', and ends')];
    return answer(`You said ${question}`);
  });

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());

  const branches = async (): Promise<Record<string, number>> => {
    const { store, current } = api.parts;
    const all = await store.listBranches(await current.chatId());
    return Object.fromEntries(all.map(({ name, messageCount }) => [name, messageCount]));
  };
  const path = () => api.parts.conversations.path();

  it('gets its title from the first question', async () => {
    await ask(api, 'What is a\nclosure?');
    const chat = await api.parts.store.getChat(await api.parts.current.chatId());
    assert.equal(chat?.title, 'What is a');
  });

  it('gets its title, and a branch its own, from what was sent without a word', async () => {
    const { conversations, store, current } = api.parts;
    const image = (name: string) => imagePart({ hash: 'a'.repeat(64), mediaType: 'image/png', name });
    await (
      await conversations.ask('', [image('cat.png'), image('dog.png')])
    ).done;
    assert.equal((await store.getChat(await current.chatId()))?.title, 'cat.png, dog.png');
    const [question] = await path();
    assert.ok(question);
    assert.equal(await conversations.textOf(question.id), '');
    assert.equal(await conversations.messageText(question.id), 'cat.png, dog.png');
  });

  it('rewinds to a message on a new branch, and goes on there', async () => {
    await ask(api, 'one');
    await ask(api, 'two');
    const [, firstAnswer] = await path();
    assert.ok(firstAnswer);
    await vscode.commands.executeCommand('offshoot.rewindToHere', { messageId: firstAnswer.id });
    assert.deepEqual(await messageText(api), ['one', 'You said one']);
    await ask(api, 'three');
    assert.deepEqual(await branches(), { main: 4, 'main-v2': 4 });
    assert.deepEqual(await messageText(api), ['one', 'You said one', 'three', 'You said three']);
  });

  it('restores a checkpoint', async () => {
    await ask(api, 'one');
    await api.parts.conversations.createCheckpoint('after one');
    await ask(api, 'two');
    await api.parts.conversations.restore('after one');
    assert.deepEqual(await messageText(api), ['one', 'You said one']);
    assert.deepEqual(await branches(), { main: 4, 'main-v2': 2 });
  });

  it('does what is chosen in a list of commands, about the open chat', async () => {
    await ask(api, 'one');
    const done = vscode.commands.executeCommand('offshoot.regenerateActions');
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return Object.keys(await branches()).length === 2;
    }, 'the answer that is regenerated');
    await done;
    await until(async () => (await messageText(api)).length === 2, 'the whole answer');
    assert.deepEqual(await messageText(api), ['one', 'You said one']);
  });

  it('moves a checkpoint whose name is taken, and keeps the one before in the trash', async () => {
    const { conversations, current, store, userId } = api.parts;
    await ask(api, 'one');
    const chatId = await current.chatId();
    const set = () => vscode.commands.executeCommand('offshoot.createCheckpoint', { typed: 'here' });
    await set();
    await ask(api, 'two');
    await set();
    const marked = async () => (await store.getCheckpoint(chatId, 'here'))?.messageId;
    const messages = await path();
    assert.equal(await marked(), messages[3]?.id);
    const [entry, ...others] = (await store.trash.list({ userId })).filter(({ name }) => name === 'here');
    assert.deepEqual([entry?.kind, others], ['checkpoint', []]);
    // As the button “Undo” does.
    await conversations.deleteCheckpoint(chatId, 'here');
    await conversations.putBack(entry?.id ?? assert.fail());
    assert.equal(await marked(), messages[1]?.id);
  });

  it('proposes the question that led to a message as the name of a checkpoint there', async () => {
    const { store, current } = api.parts;
    await ask(api, 'first question');
    await ask(api, 'second question');
    const [, firstAnswer] = await path();
    const created = vscode.commands.executeCommand('offshoot.createCheckpointHere', {
      messageId: firstAnswer?.id,
    });
    const chatId = await current.chatId();
    const [checkpoint] = await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const found = await store.listCheckpoints(chatId);
      return found.length > 0 && found;
    }, 'the checkpoint');
    await created;
    assert.equal(checkpoint?.name, 'first question');
    assert.equal(checkpoint.messageId, firstAnswer?.id);
  });

  it('goes on from the end of a branch on a new one', async () => {
    await ask(api, 'one');
    const chatId = await api.parts.current.chatId();
    await vscode.commands.executeCommand('offshoot.rewindToHere', { kind: 'branch', chatId, name: 'main' });
    await ask(api, 'two');
    assert.deepEqual(await branches(), { main: 2, 'main-v2': 4 });
  });

  it('answers a side question at the same time as the main one', async () => {
    const main = await api.parts.conversations.ask('slow main');
    await server().pauseReached('slow main');
    const side = await api.parts.conversations.askSideQuestion('slow side');
    await server().pauseReached('slow side');
    assert.deepEqual([main.branch, side.branch], ['main', 'main-v2']);
    server().release('slow side');
    await side.done;
    assert.equal(main.status, 'streaming');
    server().release('slow main');
    await main.done;
    assert.deepEqual(await messageText(api), ['slow main', 'slow main begins, and ends']);
    await api.parts.conversations.switchBranch('main-v2');
    assert.deepEqual(await messageText(api), ['slow main', 'slow side', 'slow side begins, and ends']);
  });

  it('keeps an answer with its branch when one rewinds while it streams', async () => {
    await ask(api, 'one');
    const [first] = await path();
    assert.ok(first);
    const run = await api.parts.conversations.ask('slow two');
    await server().pauseReached('slow two');
    await api.parts.conversations.rewind(first.id);
    server().release('slow two');
    await run.done;
    assert.deepEqual(await messageText(api), ['one']);
    assert.deepEqual(await branches(), { main: 4, 'main-v2': 1 });
  });

  it('keeps what had arrived when it is stopped', async () => {
    const run = await api.parts.conversations.ask('slow stop');
    await server().pauseReached('slow stop');
    await untilChanged(api, () => run.message().parts.length > 0);
    await vscode.commands.executeCommand('offshoot.stop');
    await run.done;
    assert.equal(run.status, 'interrupted');
    assert.deepEqual(await messageText(api), ['slow stop', 'slow stop begins']);
  });

  it('answers again on a new branch', async () => {
    await ask(api, 'one');
    const texts = await path();
    const before = server().requests.length;
    await vscode.commands.executeCommand('offshoot.regenerate', { messageId: texts.at(-1)?.id });
    await untilChanged(api, async () => (await branches())['main-v2'] === 2);
    assert.equal(server().requests.length, before + 1);
    assert.deepEqual(await branches(), { main: 2, 'main-v2': 2 });
  });

  it('keeps keys out of settings and of the database, and sends them to their server only', async () => {
    const key = 'sk-integration-secret';
    await api.parts.keys.set(new URL(server().baseUrl).origin, key);
    await ask(api, 'with a key');
    assert.equal(server().requests.at(-1)?.headers['authorization'], `Bearer ${key}`);

    const other = await startOpenAiServer({ script: () => answer('other') });
    try {
      await setSetting('openaiCompatible.baseUrl', other.baseUrl);
      await ask(api, 'without a key');
      assert.ok(!String(other.requests.at(-1)?.headers['authorization']).includes(key));
    } finally {
      await setSetting('openaiCompatible.baseUrl', server().baseUrl);
      await other[Symbol.asyncDispose]();
    }
    const configuration = JSON.stringify(vscode.workspace.getConfiguration('offshoot'));
    assert.ok(!configuration.includes(key));
    const kept = await journals(api);
    assert.ok(kept.includes('INSERT'));
    assert.ok(!kept.includes(key));
  });

  it('has every saved message on the disk when the answer is done', async () => {
    await ask(api, 'is it there?');
    assert.match(await journals(api), /You said is it there\?/);
  });

  it('says what to do when the chosen model is gone, and saves nothing', async () => {
    await setSetting('model', 'vscode:nobody/nothing');
    try {
      await assert.rejects(api.parts.conversations.ask('hello?'), { code: 'model-unavailable' });
      assert.deepEqual(await messageText(api), []);
    } finally {
      await setSetting('model', undefined);
    }
  });
});

/** What the journals hold, which are text. */
async function journals({ parts }: Offshoot): Promise<string> {
  const { host } = parts;
  const { files } = host;
  const folder = host.pathOf(parts.folder.toString());
  const names = (await files.list(folder))
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.journal'));
  const all = await Promise.all(names.map((name) => files.read(files.join(folder, name))));
  return all.map((bytes) => new TextDecoder().decode(bytes)).join('');
}
