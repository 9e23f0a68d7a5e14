import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import type { DurableContextStore } from '../../../../src/store/durableContextStore.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';
import { anyStep, perform, stepsOf } from '../../../fixtures/randomChat.ts';
import { StoragePlace } from '../../../fixtures/storage/storagePlace.ts';
import { until } from '../../../fixtures/until.ts';

/** What there is, but for the places in the log, which follow those that were there. */
async function allOf(store: DurableContextStore): Promise<unknown> {
  const chats = await store.listChats();
  return {
    chats,
    exported: await Promise.all(chats.map(({ id }) => store.exportChat(id))),
    trash: await store.trash.list(),
  };
}

describe('conversations in the folders of further windows', () => {
  let one: StoragePlace;
  let further: StoragePlace;
  const adopted: number[] = [];

  beforeEach(async () => {
    [one, further] = [await StoragePlace.create(), await StoragePlace.create()];
    adopted.length = 0;
  });
  afterEach(async () => {
    await one[Symbol.asyncDispose]();
    await further[Symbol.asyncDispose]();
    assert.deepEqual([...one.errors, ...one.reports], []);
  });

  const fill = async (
    place: StoragePlace,
    work: (store: DurableContextStore) => Promise<void>,
  ): Promise<void> => {
    await work(place.open());
    await place.closeAll();
  };
  const say = async (store: DurableContextStore, chatId: string, text: string): Promise<void> => {
    const engine = new ContextEngine({ store, chatId, userId: 'ann' });
    await engine.set(user(text)).save();
    await engine.close();
  };
  const openOne = async (): Promise<DurableContextStore> => {
    const store = one.open({
      adoptFrom: [further.folder],
      onDidAdopt: (chats) => adopted.push(chats),
    });
    await store.listChats();
    return store;
  };
  const adopting = async (): Promise<DurableContextStore> => {
    const store = await openOne();
    await until(async () => (await further.names()).includes('offshoot.adopted'), 'them to be adopted');
    return store;
  };
  const idsIn = async (store: DurableContextStore): Promise<string[]> =>
    (await store.listChats()).map(({ id }) => id).sort();

  it('are in the one folder then, as they were, with their bytes, state and trash', async () => {
    const bytes = new TextEncoder().encode('a picture');
    let hash = '';
    await fill(further, async (store) => {
      hash = await store.blobs.put(bytes);
      const engine = new ContextEngine({ store, chatId: 'theirs', userId: 'ann' });
      engine.state.set('user:name', 'Ann');
      await engine.set(user('first')).save();
      await engine.checkpoint('here');
      await engine.set(user('second')).save();
      await engine.restore('here');
      await engine.set(user('needle')).save();
      await engine.close();
      await store.deleteCheckpoint('theirs', 'here');
      await say(store, 'gone', 'deleted');
      await store.deleteChat('gone');
    });
    const reopened = further.open();
    const before = await allOf(reopened);
    await further.closeAll();
    await fill(one, (store) => say(store, 'ours', 'here before'));

    const store = await adopting();
    assert.deepEqual(await idsIn(store), ['ours', 'theirs']);
    assert.deepEqual(await store.blobs.get(hash), bytes);
    const found = await store.searchAllMessages('needle');
    assert.deepEqual(
      found.map(({ message }) => message.chatId),
      ['theirs'],
    );
    assert.deepEqual(
      [...(await store.getSharedState({ scope: 'user', userId: 'ann' }))],
      [['user:name', 'Ann']],
    );
    assert.deepEqual((await store.trash.list()).map(({ kind }) => kind).sort(), ['chat', 'checkpoint']);
    await store.deleteChat('ours');
    await store.trash.empty({ ids: (await store.trash.list()).slice(0, 1).map(({ id }) => id) });
    assert.deepEqual(await allOf(store), before);
    assert.deepEqual(adopted, [1]);
  });

  it('are adopted once', async () => {
    await fill(further, (store) => say(store, 'theirs', 'once'));
    const store = await adopting();
    await store.deleteChat('theirs');
    await one.closeAll();
    await openOne();
    await one.closeAll();
    // Killed before it could leave the marker, it is not done again either.
    await rm(further.file('offshoot.adopted'));
    const again = await adopting();
    assert.deepEqual(await idsIn(again), []);
    assert.deepEqual(adopted, [1]);
  });

  it('are kept next to a chat of the same id that says something else, and left out where it says the same', async () => {
    await fill(further, async (store) => {
      await say(store, 'same', 'in both');
      await say(store, 'other', 'theirs');
    });
    const { id, ...rest } = await (async () => {
      const store = further.open();
      const chat = await store.exportChat('same');
      await further.closeAll();
      return chat;
    })();
    await fill(one, async (store) => {
      await store.importChats('ann', [{ ...rest, id }]);
      await say(store, 'other', 'ours');
    });
    const store = await adopting();
    const ids = await idsIn(store);
    assert.equal(ids.length, 3);
    assert.ok(ids.includes('same') && ids.includes('other'));
    const texts = await Promise.all(['theirs', 'ours', 'both'].map((text) => store.searchAllMessages(text)));
    assert.deepEqual(
      texts.map(({ length }) => length),
      [1, 1, 1],
    );
  });

  it('wait while another process writes to them', async () => {
    const writing = further.open();
    await say(writing, 'theirs', 'one');
    const store = await openOne();
    await say(writing, 'theirs', 'two');
    assert.deepEqual(await idsIn(store), []);
    await further.closeAll();
    await one.closeAll();
    assert.deepEqual(await idsIn(await adopting()), ['theirs']);
  });

  it('stay where they are when they cannot be read, and those of other folders still come', async () => {
    await fill(further, (store) => say(store, 'theirs', 'one'));
    const bytes = await readFile(further.file('offshoot.db'));
    await writeFile(further.file('offshoot.db'), bytes.subarray(0, bytes.byteLength / 2));
    await openOne();
    assert.deepEqual(await readFile(further.file('offshoot.db')), bytes.subarray(0, bytes.byteLength / 2));
  });

  it('are all there or none, wherever a crash comes (fuzz)', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOf(anyStep, 12), async (steps) => {
        await using target = await StoragePlace.create();
        await using source = await StoragePlace.create();
        const store = source.open();
        await store.createChat({ id: 'chat', userId: 'ann' });
        for (const step of steps) await perform(store, step);
        const before = await allOf(store);
        await source.closeAll();
        const adopter = target.open({ adoptFrom: [source.folder] });
        await adopter.listChats();
        // It is closed as if in the middle, at whatever moment this is.
        await target.closeAll();
        const after = target.open({ adoptFrom: [source.folder] });
        await until(async () => (await after.getChat('chat')) !== undefined, 'it to be adopted');
        assert.deepEqual(await allOf(after), before);
        await target.closeAll();
      }),
      { numRuns: fuzzRuns(5) },
    );
  });
});
