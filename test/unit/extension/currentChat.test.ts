import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { CurrentChat } from '../../../src/extension/commands/currentChat.ts';
import { newWorld } from '../../worlds/agentWorld.ts';

describe('the chat in use', () => {
  it('is that of the tab used last, or else that of the side bar', async () => {
    await using world = await opened();
    const { current, changes } = world;
    const tab = { chatId: 'in a tab' };
    await current.open('in the side bar');
    current.use(tab);
    assert.equal(await current.chatId(), 'in a tab');
    assert.equal(await current.sideBar.chatId(), 'in the side bar');
    current.use(undefined);
    assert.equal(await current.chatId(), 'in the side bar');
    assert.equal(changes(), 3);
  });

  it('opens another chat in the side bar, and leaves a tab with its own', async () => {
    await using world = await opened();
    const { current } = world;
    const tab = { chatId: 'in a tab' };
    current.use(tab);
    await current.open('in a tab');
    assert.equal(current.tabInUse, tab);
    await current.open('another');
    assert.equal(current.tabInUse, undefined);
    assert.equal(await current.chatId(), 'another');
    current.use(tab);
    await current.startNew();
    assert.equal(current.tabInUse, undefined);
    assert.notEqual(await current.chatId(), 'another');
  });

  it('is not moved by what the side bar opens while the user is in a tab', async () => {
    await using world = await opened();
    const { current } = world;
    current.use({ chatId: 'in a tab' });
    await current.sideBar.open('answered late');
    assert.equal(await current.chatId(), 'in a tab');
  });

  it('leaves a deleted chat wherever it is open, and says so to its tab', async () => {
    await using world = await opened();
    const { current } = world;
    const left: string[] = [];
    current.onDidLeave((chatId) => left.push(chatId));
    await current.open('deleted');
    const tab = { chatId: 'stays' };
    current.use(tab);
    await current.leave('deleted');
    assert.notEqual(await current.sideBar.chatId(), 'deleted');
    assert.equal(current.tabInUse, tab);
    await current.leave('stays');
    assert.equal(current.tabInUse, undefined);
    assert.deepEqual(left, ['deleted', 'stays']);
  });

  it('has the side bar on the chat of the last time, and no tab in use', async () => {
    await using world = await opened();
    const { current, again, store } = world;
    await store.upsertChat({ id: 'kept', userId: 'local' });
    await current.open('kept');
    current.use({ chatId: 'in a tab' });
    assert.equal(await again().chatId(), 'kept');
  });

  it('is looked for once the stores of all folders are there, unless one is opened before', async () => {
    await using world = await opened();
    const { current, again, store } = world;
    await current.open('kept');
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const [waiting, opening] = [again(() => promise), again(() => promise)];
    const chats = [waiting.chatId(), opening.chatId()];
    await opening.open('opened');
    await current.open('kept');
    await store.upsertChat({ id: 'kept', userId: 'local' });
    resolve(undefined);
    assert.deepEqual(await Promise.all(chats), ['kept', 'opened']);
  });

  it('has the side bar on a new chat that nothing was asked in', async () => {
    await using world = await opened();
    const { current, again, store } = world;
    await store.upsertChat({ id: 'kept', userId: 'local' });
    await current.startNew();
    const fresh = await current.chatId();
    assert.notEqual(fresh, 'kept');
    assert.equal(await again().chatId(), fresh);
    await current.leave(fresh);
    assert.equal(await again().chatId(), 'kept');
  });

  it('opens the chat used last where the one of the last time is gone', async () => {
    await using world = await opened();
    const { current, again, store } = world;
    await store.upsertChat({ id: 'kept', userId: 'local' });
    await current.open('gone');
    assert.equal(await again().chatId(), 'kept');
  });
});

async function opened() {
  const world = await newWorld({ script: [] });
  const kept = new Map<string, unknown>();
  const memory = {
    get: (key: string) => kept.get(key),
    keys: () => [...kept.keys()],
    update: (key: string, value: unknown) => {
      kept.set(key, value);
      return Promise.resolve();
    },
  } as vscode.Memento;
  const again = (complete?: () => Promise<undefined>): CurrentChat =>
    new CurrentChat(world.store, 'local', memory, complete);
  const current = again();
  let count = 0;
  current.onDidChange(() => (count += 1));
  return {
    current,
    again,
    store: world.store,
    changes: () => count,
    [Symbol.asyncDispose]: async () => {
      current.dispose();
      await world[Symbol.asyncDispose]();
    },
  };
}
