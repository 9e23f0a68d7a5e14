import assert from 'node:assert/strict';
import { JoinedStore } from '../../../../src/store/projects/joinedStore.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/conversationFragments.ts';
import type { StoreChange } from '../../../../src/engine/graph.ts';
import { oddClock } from '../../../fixtures/clocks.ts';
import { memoryStore } from '../../../fixtures/memoryStore.ts';
import { specifyStore } from '../contract/everyStore.ts';

specifyStore('joined with another one', (clock) => {
  const now = clock && oddClock(clock);
  const store = new JoinedStore(memoryStore(now));
  store.join(memoryStore(now));
  return store;
});

describe('several stores as one', () => {
  const userId = 'ana';

  /** Each with a chat of one question. */
  async function make(): Promise<{
    joined: JoinedStore;
    own: ReturnType<typeof memoryStore>;
    other: typeof own;
  }> {
    const [own, other] = [memoryStore(() => 1_000), memoryStore(() => 2_000)];
    for (const [store, id] of [
      [own, 'here'],
      [other, 'there'],
    ] as const) {
      await store.createChat({ id, userId, title: id });
    }
    const joined = new JoinedStore(own);
    joined.join(other);
    return { joined, own, other };
  }

  it('have the chats of all, the last used first', async () => {
    const { joined } = await make();
    const ids = async (options = {}): Promise<string[]> =>
      (await joined.listChats(options)).map(({ id }) => id);
    assert.deepEqual(await ids(), ['there', 'here']);
    assert.deepEqual(await ids({ limit: 1, details: false }), ['there']);
    assert.deepEqual(await ids({ limit: 1, offset: 1 }), ['here']);
    await joined.close();
  });

  it('change each chat where it is, tell of it, and make new ones in the first', async () => {
    const { joined, own, other } = await make();
    const changes: StoreChange[] = [];
    joined.onDidChange((change) => changes.push(change));
    await joined.updateChat('there', { title: 'moved on' });
    await joined.createChat({ id: 'new', userId });
    assert.equal((await other.getChat('there'))?.title, 'moved on');
    assert.ok(await own.getChat('new'));
    assert.equal(await other.getChat('new'), undefined);
    assert.deepEqual(
      changes.map(({ chatId }) => chatId),
      ['there', 'new'],
    );
    await joined.close();
  });

  it('delete and restore a chat where it is', async () => {
    const { joined, other } = await make();
    await joined.deleteChat('there');
    const [entry] = await joined.trash.list();
    assert.ok(entry);
    assert.equal((await other.trash.list()).length, 1);
    await joined.trash.restore(entry.id);
    assert.ok(await other.getChat('there'));
    await joined.close();
  });

  it('take bytes to where a message names them', async () => {
    const { joined, own, other } = await make();
    const hash = await joined.blobs.put(new Uint8Array([1, 2, 3]));
    assert.deepEqual([await own.blobs.has(hash), await other.blobs.has(hash)], [true, false]);
    const engine = new ContextEngine({ store: joined, chatId: 'there', userId });
    await engine.set(user(`offshoot-blob:${hash}`)).save();
    assert.ok(await other.blobs.has(hash));
    const alone = await other.blobs.put(new Uint8Array([4]));
    assert.deepEqual(await joined.blobs.get(alone), new Uint8Array([4]));
    await joined.close();
  });

  it('count the chat of the first where two have one id', async () => {
    const { joined, own } = await make();
    await own.createChat({ id: 'there', userId, title: 'mine' });
    assert.deepEqual((await joined.listChats({ userId })).map(({ title }) => title).sort(), ['here', 'mine']);
    assert.equal((await joined.getChat('there'))?.title, 'mine');
    await joined.close();
  });
});
