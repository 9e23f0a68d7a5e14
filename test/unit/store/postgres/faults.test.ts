import assert from 'node:assert/strict';
import pg from 'pg';
import { OffshootError } from '../../../../src/engine/errors.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import { tidyTrash } from '../../../../src/conversation/deleteToTrash.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { SCHEMA_VERSION } from '../../../../src/store/postgres/schema/migrations.ts';
import { setUp } from '../../../../src/store/postgres/setUp.ts';
import { asAdmin, databases } from '../../../fixtures/postgres/databases.ts';
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

  it('is killed under load and started again: no acknowledged save is lost or doubled', async function () {
    this.timeout(90_000);
    const server = await startPostgres();
    try {
      await asAdmin(server, 'postgres', (client) => setUp(client));
      const store = new PostgresContextStore({ connectionString: server.url('postgres') });
      await store.createChat({ id: 'chat', userId: 'ann' });
      const { acknowledged, ended } = startSavers(server.url('postgres'), { processes: 3, count: 100 });
      const hasBegun = (name: string): boolean => acknowledged.some((id) => id.startsWith(name));
      await until(
        () => acknowledged.length > 60 && ['p0', 'p1', 'p2'].every(hasBegun),
        'some saves of each',
        30_000,
      );
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

  it('is asked again and again where others always come between, and at last says so', async function () {
    this.timeout(15_000);
    const url = await databases.create();
    const store = new PostgresContextStore({ connectionString: url() });
    await say(store, 'a');
    const onServer = async (sql: string) =>
      asAdmin(await databases.started(), nameOf(url()), (client) => client.query<{ tries: number }>(sql));
    // What a sequence gives is not taken back with the transaction.
    await onServer(`CREATE SEQUENCE public.tries; GRANT USAGE ON SEQUENCE public.tries TO PUBLIC;
      CREATE FUNCTION public.collide() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('public.tries'); RAISE EXCEPTION USING ERRCODE = '40P01', MESSAGE = 'deadlock detected'; END $$;
      CREATE TRIGGER collide AFTER INSERT ON offshoot.changes FOR EACH ROW EXECUTE FUNCTION public.collide()`);
    await assert.rejects(say(store, 'b'), { code: 'store-busy' });
    const { rows } = await onServer('SELECT last_value::int AS tries FROM public.tries');
    assert.deepEqual(rows, [{ tries: 10 }]);
    assert.equal(await store.getMessage('chat', 'b'), undefined);
    await onServer('DROP FUNCTION public.collide() CASCADE; DROP SEQUENCE public.tries');
    await say(store, 'b');
    await store.close();
    databases.giveBack(url());
  });

  it('has another time than the machines of its users: its own decides', async () => {
    const real = Date.now;
    const begun = real();
    const day = 24 * 60 * 60 * 1_000;
    const url = await databases.create();
    const [first, second] = [
      new PostgresContextStore({ connectionString: url() }),
      new PostgresContextStore({ connectionString: url() }),
    ];
    /** Does something on a machine whose clock is so far ahead. */
    const ahead = async <T>(by: number, work: () => Promise<T>): Promise<T> => {
      Date.now = () => real() + by;
      try {
        return await work();
      } finally {
        Date.now = real;
      }
    };
    await ahead(400 * day, () => say(first, 'a'));
    await ahead(-400 * day, () => say(second, 'b'));
    const path = await first.getPath('chat', 'b');
    const times = path.map(({ createdAt }) => createdAt);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    for (const at of [...times, (await first.getChat('chat'))?.updatedAt ?? 0])
      assert.ok(at >= begun - 1_000 && at <= real() + 1_000, String(at));

    await ahead(400 * day, () => first.setPlace({ chatId: 'chat', branch: 'main' }));
    assert.equal((await ahead(-400 * day, () => second.listPresent('chat'))).length, 1, 'who is there is');

    // What was deleted a moment ago is no year old, whatever a clock says, and what is old goes.
    await first.deleteChat('chat');
    const kept = await ahead(400 * day, () => tidyTrash(first, Date.now()));
    assert.equal(kept?.entries, 0);
    await asAdmin(await databases.started(), nameOf(url()), (client) =>
      client.query(`UPDATE offshoot.trash SET deleted_at = deleted_at - ${31 * day}`),
    );
    const tidied = await ahead(-400 * day, () => tidyTrash(second, Date.now()));
    assert.equal(tidied?.entries, 1);
    await Promise.all([first.close(), second.close()]);
    databases.giveBack(url());
  });

  it('is brought to a later version while this one is at work, which goes on; of an earlier one only their owner brings up to date', async () => {
    const url = await databases.create();
    const server = await databases.started();
    await databases.addPeople('ana');
    const database = nameOf(url());
    const [older, owner] = ['ana', undefined].map(
      (role) => new PostgresContextStore({ connectionString: url(role), maxConnections: 1 }),
    );
    assert.ok(older && owner);
    const use = async (id: string): Promise<void> => {
      const engine = new ContextEngine({ store: older, chatId: 'own', userId: 'ana' });
      await engine.set(user(`says ${id}`, { id })).save();
      const last = `${id} follows`;
      await engine.set(user(`says ${last}`, { id: last })).save();
      await older.addBranch({
        chatId: 'own',
        from: 'main',
        messageId: id,
        activate: false,
        event: 'rewound',
      });
      await older.setCheckpoint('own', `at ${id}`, id);
      await older.deleteBranch('own', (await older.listBranches('own')).at(-1)?.name ?? '');
      await older.saveDraft({ chatId: 'own', branch: 'main', message: textMessage('d', 'assistant', id) });
      assert.equal((await older.getPath('own', last)).at(-1)?.id, last);
      assert.ok((await older.searchAllMessages(id)).length > 0);
      assert.ok((await older.listChats()).length > 0);
      assert.equal((await older.listDrafts('own')).length, 1);
    };
    const changed = ['chats', 'messages', 'branches', 'events', 'changes', 'drafts', 'trash'];
    const alter = (change: string): string =>
      changed.map((table) => `ALTER TABLE offshoot.${table} ${change};`).join(' ');
    await use('before');
    // As a later version's migration would: columns, and functions that are replaced.
    await asAdmin(server, database, (client) =>
      client.query(`BEGIN; SET LOCAL search_path = offshoot, pg_temp; SET LOCAL check_function_bodies = off;
        ${alter(`ADD COLUMN later text DEFAULT 'x'`)}
        DO $$ DECLARE f text; BEGIN
          FOR f IN SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'offshoot'::regnamespace LOOP EXECUTE f; END LOOP;
        END $$;
        INSERT INTO offshoot.schema_versions VALUES (99, now()); COMMIT`),
    );
    await use('after');
    assert.equal((await older.exportChat('own')).messages.length, 4);
    assert.equal((await owner.open()).version, 99);
    await Promise.all([older.close(), owner.close()]);
    await asAdmin(server, database, (client) =>
      client.query(`${alter('DROP COLUMN later')} DELETE FROM offshoot.schema_versions WHERE version = 99`),
    );
    const bare = `earlier_${process.pid}`;
    await asAdmin(server, 'postgres', (client) => client.query(`CREATE DATABASE ${bare}`));
    const person = new PostgresContextStore({ connectionString: server.url(bare, 'ana') });
    await assert.rejects(person.listChats(), { code: 'store-not-set-up' });
    await asAdmin(server, bare, (client) => setUp(client));
    assert.deepEqual(await person.listChats(), []);
    // A program of the next version, as a person and as the owner; then both versions are at work.
    const next = new pg.Client({ connectionString: server.url(bare, 'ana') });
    await next.connect();
    await assert.rejects(setUp(next, SCHEMA_VERSION + 1), {
      code: 'store-not-set-up',
      message: /older version/u,
    });
    await asAdmin(server, bare, (client) => setUp(client, SCHEMA_VERSION + 1));
    await setUp(next, SCHEMA_VERSION + 1);
    await next.end();
    await person.createChat({ id: 'by the older one', userId: 'ana' });
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
