import assert from 'node:assert/strict';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { asAdmin, databases } from '../../../fixtures/postgres/databases.ts';
import { checkSaved, startSavers } from '../../../fixtures/postgres/savers.ts';
import { checkWhole } from '../../../fixtures/postgres/wholeChat.ts';
import { checkTurns, saveTurns } from '../contract/grafts.ts';

describe('eight processes that save to one chat of a PostgreSQL server', () => {
  it('lose nothing that was acknowledged, and agree on one order', async function () {
    this.timeout(60_000);
    const url = await databases.create();
    const store = new PostgresContextStore({ connectionString: url() });
    await store.createChat({ id: 'chat', userId: 'ann' });
    const { acknowledged, ended } = startSavers(url(), { processes: 8, count: 60 });
    await ended;
    assert.equal(acknowledged.length, 8 * 60);
    await checkSaved(store, acknowledged, 8 * 60);
    await asAdmin(await databases.started(), url().slice(url().lastIndexOf('/') + 1), (client) =>
      checkWhole(client, 'chat'),
    );
    await store.close();
    databases.giveBack(url());
  });

  it('have the turns of their engines on one path', async function () {
    this.timeout(60_000);
    const url = await databases.create();
    const names = Array.from({ length: 8 }, (_, index) => `engine${index}`);
    const stores = names.map(() => new PostgresContextStore({ connectionString: url(), maxConnections: 2 }));
    await Promise.all(stores.map((store, index) => saveTurns(store, names[index] ?? '', 5)));
    const [store] = stores;
    if (store) await checkTurns(store, names, 5);
    await Promise.all(stores.map((each) => each.close()));
    databases.giveBack(url());
  });

  it('make a chat once, no matter which is first', async () => {
    const url = await databases.create();
    const stores = Array.from(
      { length: 8 },
      () => new PostgresContextStore({ connectionString: url(), maxConnections: 1 }),
    );
    const chats = await Promise.all(stores.map((store) => store.upsertChat({ id: 'chat', userId: 'ann' })));
    assert.equal(new Set(chats.map(({ createdAt }) => createdAt)).size, 1);
    const made = await Promise.allSettled(
      stores.map((store) => store.createChat({ id: 'second', userId: 'ann' })),
    );
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await stores[0]?.listBranches('chat'))?.length, 1);
    await Promise.all(stores.map((store) => store.close()));
    databases.giveBack(url());
  });

  it('bring a database up to date once', async () => {
    const server = await databases.started();
    const name = `bare_${process.pid}`;
    await asAdmin(server, 'postgres', (client) => client.query(`CREATE DATABASE ${name}`));
    const stores = Array.from(
      { length: 6 },
      () => new PostgresContextStore({ connectionString: server.url(name), maxConnections: 1 }),
    );
    await Promise.all(stores.map((store, index) => store.createChat({ id: `chat ${index}`, userId: 'ann' })));
    assert.equal((await stores[0]?.listChats())?.length, 6);
    await Promise.all(stores.map((store) => store.close()));
  });
});
