import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import { StoragePlace } from '../../../fixtures/storage/storagePlace.ts';
import { until } from '../../../fixtures/until.ts';

describe('what a folder has that is not in the index of words yet', () => {
  const say = async (place: StoragePlace, texts: readonly string[]): Promise<void> => {
    const engine = new ContextEngine({ store: place.open(), chatId: 'chat', userId: 'ann' });
    for (const text of texts) engine.set(user(text));
    await engine.save();
  };
  const texts = Array.from({ length: 200 }, (_, index) => `needle ${index} ${'hay '.repeat(50)}`);

  it('is found at once after opening, by the writer and by a reader', async () => {
    await using place = await StoragePlace.create();
    await say(place, texts);
    await place.crash();
    const writer = place.open();
    const found = await writer.searchMessages('chat', 'needle', { limit: 1_000 });
    assert.equal(found.length, texts.length);
    const reader = place.open();
    assert.equal((await reader.searchMessages('chat', 'needle', { limit: 1_000 })).length, texts.length);
    assert.equal(reader.isWriter, false);
    await new ContextEngine({ store: writer, chatId: 'chat', userId: 'ann' }).set(user('thimble')).save();
    const seen = (): Promise<boolean> =>
      reader.searchMessages('chat', 'thimble').then(({ length }) => length === 1);
    await until(seen, 'the reader to find what the writer saved');
  });

  it('can be deleted for good before', async () => {
    await using place = await StoragePlace.create();
    await say(place, texts);
    await place.crash();
    const store = place.open();
    await store.deleteChat('chat');
    await store.trash.empty();
    assert.deepEqual(await store.searchAllMessages('needle'), []);
    await new ContextEngine({ store, chatId: 'other', userId: 'ann' }).set(user('needle')).save();
    assert.equal((await store.searchAllMessages('needle')).length, 1);
    await store.close();
    assert.equal((await place.open().searchAllMessages('needle')).length, 1);
    assert.deepEqual([place.errors, place.reports], [[], []]);
  });

  it('is brought in while nobody searches', async () => {
    await using place = await StoragePlace.create();
    await say(place, texts);
    await place.crash();
    const store = place.open();
    const size = async (): Promise<number> => (await store.storageReport()).database.bytes;
    const before = await size();
    await until(async () => (await size()) > before, 'the index to grow');
    assert.deepEqual(place.errors, []);
  });
});
