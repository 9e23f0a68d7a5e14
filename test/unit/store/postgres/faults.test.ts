import assert from 'node:assert/strict';
import { OffshootError } from '../../../../src/engine/errors.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import { PostgresContextStore } from '../../../../src/postgres/postgresContextStore.ts';
import { setUp } from '../../../../src/postgres/setUp.ts';
import { asAdmin, databases, postgresStore } from '../../../fixtures/postgres/databases.ts';
import { PostgresProxy } from '../../../fixtures/postgres/proxy.ts';
import { checkSaved, startSavers } from '../../../fixtures/postgres/savers.ts';
import { startPostgres } from '../../../fixtures/postgres/server.ts';
import { checkWhole } from '../../../fixtures/postgres/wholeChat.ts';
import { until } from '../../../fixtures/until.ts';

describe('what can go wrong with a PostgreSQL server', () => {
  const say = async (store: PostgresContextStore, id: string): Promise<void> => {
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    await engine.set(user(`says ${id}`, { id })).save();
  };
  const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

  it('loses an answer after the commit: the save is asked for again, and is not done twice', async () => {
    const url = await databases.create();
    const proxy = await PostgresProxy.before((await databases.started()).folder);
    const store = new PostgresContextStore({ connectionString: proxy.url(url()) });
    await say(store, 'a');
    for (const [what, text, work] of [
      ['a turn', 'saveMessages', () => say(store, 'b')],
      ['an entry of the log', 'logEvent', () => store.logEvent({ chatId: 'chat', kind: 'undone' })],
      ['a new chat', 'createChat', () => store.createChat({ id: 'second', userId: 'ann' })],
    ] as const) {
      proxy.cutAnswerTo(text);
      await work();
      assert.equal(proxy.cuts > 0, true, what);
    }
    assert.equal(proxy.cuts, 3);
    assert.deepEqual(
      (await store.getPath('chat', 'b')).map(({ id }) => id),
      ['a', 'b'],
    );
    const kinds = (await store.listEvents('chat')).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['chat-created', 'messages-saved', 'messages-saved', 'undone']);
    assert.equal((await store.listEvents('second')).length, 1);
    await store.close();
    await proxy.close();
    databases.giveBack(url());
  });

  it('is killed under load and started again: no acknowledged save is lost or doubled', async function () {
    this.timeout(90_000);
    const server = await startPostgres();
    try {
      await asAdmin(server, 'postgres', (client) => setUp(client));
      const store = new PostgresContextStore({ connectionString: server.url('postgres') });
      await store.createChat({ id: 'chat', userId: 'ann' });
      const { acknowledged, ended } = startSavers(server.url('postgres'), { processes: 3, count: 100 });
      await until(() => acknowledged.length > 60, 'some saves', 30_000);
      await server.kill();
      await server.start();
      await ended;
      await until(() => store.connection.kind === 'connected', 'the server', 30_000);
      await checkSaved(store, acknowledged, 3 * 100);
      await asAdmin(server, 'postgres', (client) => checkWhole(client, 'chat'));
      await store.close();
    } finally {
      await server.stop();
    }
  });

  it('keeps no bytes that are more than it takes, and says how many these are', async () => {
    const url = await databases.create();
    const store = new PostgresContextStore({ connectionString: url(), maxBlobBytes: 1024 ** 2 });
    await assert.rejects(store.blobs.put(new Uint8Array(1024 ** 2 + 1)), (error: unknown) => {
      assert.ok(error instanceof OffshootError);
      assert.equal(error.code, 'blob-too-large');
      assert.match(error.message, /of 2 MB is larger .* \(1 MB\)/u);
      return true;
    });
    const hash = await store.blobs.put(new Uint8Array(1024 ** 2));
    assert.equal((await store.blobs.get(hash))?.byteLength, 1024 ** 2);
    await store.close();
    databases.giveBack(url());
  });

  it('has no room left: nothing of the save is kept, and the next goes through when there is', async () => {
    const url = await databases.create();
    const store = new PostgresContextStore({ connectionString: url() });
    await say(store, 'a');
    const server = await databases.started();
    // What the server says when a file can't grow, in the midst of the transaction.
    await asAdmin(server, nameOf(url()), (client) =>
      client.query(`CREATE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file: No space left on device'; END $$;
        CREATE TRIGGER full_disk AFTER INSERT ON offshoot.events FOR EACH ROW EXECUTE FUNCTION public.full_disk()`),
    );
    await assert.rejects(say(store, 'b'), { code: 'storage-full' });
    assert.equal(await store.getMessage('chat', 'b'), undefined);
    await asAdmin(server, nameOf(url()), (client) =>
      client.query('DROP FUNCTION public.full_disk() CASCADE'),
    );
    await say(store, 'b');
    await asAdmin(server, nameOf(url()), (client) => checkWhole(client, 'chat'));
    await store.close();
    databases.giveBack(url());
  });

  it('only takes serializable transactions: those that fail for it are done again', async () => {
    const url = await databases.create();
    const server = await databases.started();
    const database = nameOf(url());
    const isolate = (level: string) =>
      asAdmin(server, database, (client) =>
        client.query(`ALTER DATABASE ${database} SET default_transaction_isolation = '${level}'`),
      );
    await isolate('serializable');
    const stores = [1, 2, 3].map(
      () => new PostgresContextStore({ connectionString: url(), maxConnections: 2 }),
    );
    await stores[0]?.createChat({ id: 'chat', userId: 'ann' });
    await Promise.all(
      stores.flatMap((store, index) =>
        Array.from({ length: 15 }, (_, at) =>
          store.logEvent({ chatId: 'chat', kind: 'undone', details: { index, at } }),
        ),
      ),
    );
    assert.equal((await stores[0]?.listEvents('chat', { kind: 'undone' }))?.length, 45);
    await Promise.all(stores.map((store) => store.close()));
    await isolate('read committed');
    databases.giveBack(url());
  });

  it('is a replica: it is read, and says that it is no more', async function () {
    this.timeout(60_000);
    const server = await startPostgres();
    let replica: Awaited<ReturnType<typeof startPostgres>> | undefined;
    try {
      await asAdmin(server, 'postgres', (client) => setUp(client));
      const first = new PostgresContextStore({ connectionString: server.url('postgres') });
      await say(first, 'a');
      await first.close();
      await server.kill();
      replica = await startPostgres({ replicaOf: server.data });
      const store = new PostgresContextStore({ connectionString: replica.url('postgres') });
      assert.equal((await store.getPath('chat', 'a')).length, 1);
      assert.equal(store.isReadOnly, true);
      await assert.rejects(say(store, 'b'), { code: 'read-only' });
      // Who is there and what arrives of answers is in tables that a replica does not have.
      await store.setPlace({ chatId: 'chat', branch: 'main' });
      assert.deepEqual(await store.listPresent('chat'), []);
      assert.deepEqual(await store.listDrafts(), []);
      assert.deepEqual(await store.listOthersDrafts('chat'), []);
      assert.equal(store.connection.kind, 'connected');
      await store.close();
    } finally {
      await replica?.stop();
      await server.stop();
    }
  });

  it('has another time than this machine: its own decides', async () => {
    const store = await postgresStore();
    const real = Date.now;
    const before = real();
    Date.now = () => 86_400_000;
    try {
      await say(store, 'a');
    } finally {
      Date.now = real;
    }
    const at = (await store.getMessage('chat', 'a'))?.createdAt ?? 0;
    assert.ok(at >= before - 1_000 && at <= real() + 1_000, String(at));
    await store.close();
  });

  it('has the tables of a later version, which this one uses; of an earlier one only their owner brings up to date', async () => {
    const url = await databases.create();
    const server = await databases.started();
    await databases.addPeople('ana');
    const database = nameOf(url());
    await asAdmin(server, database, (client) =>
      client.query(
        `ALTER TABLE offshoot.messages ADD COLUMN later text; INSERT INTO offshoot.schema_versions VALUES (99, now())`,
      ),
    );
    const [older, owner] = ['ana', undefined].map(
      (role) => new PostgresContextStore({ connectionString: url(role) }),
    );
    assert.ok(older && owner);
    await older.createChat({ id: 'own', userId: 'ana' });
    await say(owner, 'a');
    assert.equal((await owner.open()).version, 99);
    await Promise.all([older.close(), owner.close()]);
    await asAdmin(server, database, (client) =>
      client.query(
        `ALTER TABLE offshoot.messages DROP COLUMN later; DELETE FROM offshoot.schema_versions WHERE version = 99`,
      ),
    );
    const bare = `earlier_${process.pid}`;
    await asAdmin(server, 'postgres', (client) => client.query(`CREATE DATABASE ${bare}`));
    const person = new PostgresContextStore({ connectionString: server.url(bare, 'ana') });
    await assert.rejects(person.listChats(), { code: 'store-not-set-up' });
    await asAdmin(server, bare, (client) => setUp(client));
    assert.deepEqual(await person.listChats(), []);
    await person.close();
    databases.giveBack(url());
  });

  it('is not reached, or not in the way that was asked for, and says so', async () => {
    const open = (connectionString: string, more: object = {}) =>
      new PostgresContextStore({ connectionString, ...more });
    assert.throws(() => open('not an address'), { code: 'connection-string' });
    assert.throws(() => open('mysql://a@b/c'), { code: 'connection-string' });
    assert.throws(
      () => open('postgres://ana:secret@db.example.com/x?sslmode=disable'),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'plain-connection');
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
    open('postgres://ana@db.example.com/x?sslmode=disable', { allowPlainConnection: true });
    const server = await databases.started();
    const nobody = open(server.url('no_such_database'));
    await assert.rejects(nobody.listChats(), { code: 'sign-in-failed' });
    const away = open(`postgres://ana@${encodeURIComponent('/nowhere')}/x`);
    await assert.rejects(away.listChats(), { code: 'connection-lost' });
    await Promise.all([nobody.close(), away.close()]);
  });
});
