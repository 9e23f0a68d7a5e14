import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { until } from '../fixtures/until.ts';
import { useOpenedStorage } from './openedStorage.ts';

describe('storage on the disk', () => {
  const storage = useOpenedStorage();

  it('only shows what there is where nothing can be written, says why, and works once it can', async function () {
    this.timeout(20_000);
    const { banners, path, open } = storage();
    // A folder stands where a file has to be.
    await mkdir(path('offshoot.db.0.journal'));
    const store = open();
    assert.deepEqual(await store.listChats(), []);
    assert.match(banners.all()[0]?.text ?? '', /cannot be written to/);
    await assert.rejects(store.createChat({ id: 'new', userId: 'local' }), { code: 'read-only' });
    await rm(path('offshoot.db.0.journal'), { recursive: true });
    await until(() => !store.isReadOnly, 'it to be tried again');
    assert.deepEqual(banners.all(), []);
    await store.createChat({ id: 'new', userId: 'local' });
  });
});
