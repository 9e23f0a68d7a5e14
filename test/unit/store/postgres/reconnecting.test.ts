import assert from 'node:assert/strict';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';
import { PostgresProxy } from '../../../fixtures/postgres/proxy.ts';
import { until } from '../../../fixtures/until.ts';

describe('a PostgreSQL server that was away', () => {
  it('is tried at once when the user asks for that, once for all who ask', async () => {
    const url = await databases.create();
    const proxy = await PostgresProxy.before((await databases.started()).folder);
    const store = new PostgresContextStore({ connectionString: proxy.url(url()) });
    const states: string[] = [];
    store.onDidChangeConnection(({ kind }) => void states.push(kind));
    try {
      proxy.goDown();
      await assert.rejects(store.listChats(), { code: 'connection-lost' });
      await store.reconnect();
      assert.equal(store.connection.kind, 'lost');
      // Automatic tries come later and later.
      await until(
        () => store.connection.kind === 'lost' && store.connection.nextTryAt - Date.now() > 1_500,
        'a long wait',
        20_000,
      );
      proxy.comeBack();
      await Promise.all([store.reconnect(), store.reconnect()]);
      assert.equal(store.connection.kind, 'connected');
      assert.equal(states.filter((kind) => kind === 'connected').length, 1);
      assert.deepEqual(await store.listChats(), []);
      await store.reconnect();
      assert.equal(states.at(-1), 'connected');
    } finally {
      await store.close();
      await proxy.close();
      databases.giveBack(url());
    }
  });
});
