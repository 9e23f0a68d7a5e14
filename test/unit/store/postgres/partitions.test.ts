import assert from 'node:assert/strict';
import type pg from 'pg';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { asAdmin, databases, partitionSql, postgresStore } from '../../../fixtures/postgres/databases.ts';
import { RoleClients } from '../../../fixtures/postgres/roleClients.ts';
import { checkSaved, startSavers } from '../../../fixtures/postgres/savers.ts';
import { checkWhole } from '../../../fixtures/postgres/wholeChat.ts';
import { specifyStore } from '../contract/everyStore.ts';

specifyStore('on a PostgreSQL server with partitioned tables', (clock) =>
  postgresStore({}, 'partitioned', clock),
);

const tables = ['segments', 'messages', 'branches', 'events', 'changes', 'message_blobs'];

describe('tables of a shared store that are partitioned by chat', () => {
  /** A store that a role which is no superuser set up, as the documentation says. */
  const OWNER = 'partitions_owner';
  const DATABASE = `owned_${process.pid}`;
  let url: (role: string) => string;
  const clients = new RoleClients((role) => url(role));
  const storeOf = (role: string): PostgresContextStore => clients.store(role);
  const sqlOf = async (role: string) => {
    const client = await clients.client(role);
    return async <T extends object = Record<string, unknown>>(sql: string) =>
      (await client.query<T & pg.QueryResultRow>(sql)).rows as readonly T[];
  };
  beforeEach(async () => {
    const server = await databases.started();
    await databases.addPeople('ana', 'bob');
    await asAdmin(server, 'postgres', async (client) => {
      await client.query(`CREATE ROLE ${OWNER} LOGIN`);
      await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
    });
    url = (role) => server.url(DATABASE, role);
    await storeOf(OWNER).open();
  });
  afterEach(async () => {
    await clients.close();
    await asAdmin(await databases.started(), 'postgres', async (client) => {
      await client.query(`DROP DATABASE ${DATABASE} WITH (FORCE)`);
      await client.query(`DROP ROLE ${OWNER}`);
    });
  });

  const chatIds = Array.from({ length: 24 }, (_, index) => `chat ${index}`);
  const fill = async (store: PostgresContextStore): Promise<void> => {
    const hash = await store.blobs.put(Uint8Array.from([1, 2, 3]));
    for (const chatId of chatIds) {
      const engine = new ContextEngine({ store, chatId, userId: 'ana' });
      await engine.set(user('a heron', { id: 'q' }), assistant(`offshoot-blob:${hash}`, { id: 'a' })).save();
      await engine.set(user('and an egret', { id: 'r' })).save();
      await store.addBranch({ chatId, from: 'main', messageId: 'q', activate: true, event: 'rewound' });
      await store.setCheckpoint(chatId, 'here', 'a');
    }
    await store.saveDraft({
      chatId: 'chat 1',
      branch: 'main',
      message: textMessage('d', 'assistant', 'so far'),
    });
    await store.deleteBranch('chat 2', 'main');
    await store.deleteChat('chat 3');
    await store.shareChat('chat 4', 'read');
  };
  const everythingOf = async (store: PostgresContextStore): Promise<unknown> => ({
    chats: await store.listChats(),
    exported: await Promise.all((await store.listChats()).map(({ id }) => store.exportChat(id))),
    graphs: await Promise.all((await store.listChats()).map(({ id }) => store.getGraph(id))),
    paths: await Promise.all(['q', 'a', 'r'].map((id) => store.getPath('chat 5', id))),
    found: (await store.searchAllMessages('heron')).map(({ message }) => message),
    both: (await store.searchAllMessages('heron a')).length,
    drafts: (await store.listDrafts()).map((draft) => ({ ...draft, isBeingWritten: undefined })),
    trash: await store.trash.list(),
    report: { ...(await store.storageReport()), database: undefined },
    names: (await store.tableSizes()).map(({ name }) => name).sort(),
  });

  it('hold what was there, also for programs that were connected, and go on', async function () {
    this.timeout(30_000);
    const [ana, bob] = [storeOf('ana'), storeOf('bob')];
    await fill(ana);
    assert.equal((await bob.listChats()).length, 1);
    const before = await everythingOf(ana);
    const owner = await sqlOf(OWNER);
    await owner(partitionSql());
    assert.deepEqual(await everythingOf(ana), before);
    assert.deepEqual(await everythingOf(storeOf('ana')), before);
    assert.deepEqual(
      (await bob.listChats()).map(({ id }) => id),
      ['chat 4'],
    );
    for (const table of tables) {
      const [rows] = await owner<{ used: number; all: number }>(
        `SELECT count(DISTINCT tableoid)::int AS used, count(*)::int AS all FROM offshoot.${table}`,
      );
      assert.ok(rows && rows.used > 8 && rows.all >= 24, `${table}: ${JSON.stringify(rows)}`);
      const [plan] = await owner<{ 'QUERY PLAN': object }>(
        `EXPLAIN (FORMAT JSON) SELECT * FROM offshoot.${table} WHERE chat = 5`,
      );
      const touched = JSON.stringify(plan).match(new RegExp(String.raw`"${table}_\d+"`, 'gu'));
      assert.equal(new Set(touched).size, 1, `${table}: the statements of a chat touch one partition`);
    }

    const engine = new ContextEngine({ store: ana, chatId: 'chat 5', userId: 'ana' });
    await engine.set(user('one more', { id: 'more' })).save();
    const [entry] = await ana.trash.list({ chatId: 'chat 2' });
    await ana.trash.restore(entry?.id ?? '');
    assert.equal((await ana.trash.empty({ blobGrace: 0 })).entries, 1);
    assert.equal((await ana.listBranches('chat 2')).length, 2);
    await asAdmin(await databases.started(), DATABASE, async (client) => {
      for (const chatId of chatIds) await checkWhole(client, chatId);
    });
  });

  it('let nobody in by way of a partition, also where a later version grants reading of all tables', async function () {
    this.timeout(30_000);
    await fill(storeOf('ana'));
    const owner = await sqlOf(OWNER);
    await owner(partitionSql());
    const bob = await sqlOf('bob');
    const partitions = tables.flatMap((table) =>
      Array.from({ length: 16 }, (_, index) => `offshoot.${table}_${index}`),
    );
    for (const partition of partitions) {
      await assert.rejects(bob(`SELECT * FROM ${partition}`), /permission denied/u);
      await assert.rejects(bob(`DELETE FROM ${partition}`), /permission denied/u);
    }
    await owner('GRANT SELECT ON ALL TABLES IN SCHEMA offshoot TO offshoot_member');
    for (const partition of partitions)
      assert.deepEqual(await bob(`SELECT * FROM ${partition}`), [], partition);
    const visible = await bob<{ id: string }>(
      'SELECT DISTINCT c.id FROM offshoot.messages m JOIN offshoot.chats c ON c.key = m.chat',
    );
    assert.deepEqual(visible, [{ id: 'chat 4' }]);
    // Functions have the rights of the owner, who is no superuser, and nobody else's.
    const odd =
      await owner(`SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'offshoot'::regnamespace
      AND (proowner <> '${OWNER}'::regrole OR has_function_privilege('bob', oid, 'EXECUTE') <> prosecdef)`);
    assert.deepEqual(odd, []);
  });

  it('are made by the owner only, once, and whole or not at all', async function () {
    this.timeout(30_000);
    const ana = storeOf('ana');
    await fill(ana);
    const before = await everythingOf(ana);
    await assert.rejects((await sqlOf('bob'))(partitionSql()), /permission denied/u);
    const owner = await sqlOf(OWNER);
    // Someone's view holds on to a table: nothing is taken from under it.
    await owner('CREATE VIEW public.held AS SELECT id FROM offshoot.messages');
    await assert.rejects((await sqlOf(OWNER))(partitionSql()), /other objects depend/u);
    assert.deepEqual(await everythingOf(ana), before);
    await owner('DROP VIEW public.held');
    await owner(partitionSql());
    await assert.rejects((await sqlOf(OWNER))(partitionSql()), /partitioned already/u);
    assert.deepEqual(await everythingOf(ana), before);
  });

  it('take the saves of several processes in one order', async function () {
    this.timeout(30_000);
    const whole = await databases.create('partitioned');
    const store = new PostgresContextStore({ connectionString: whole() });
    clients.closeLater(store);
    await store.createChat({ id: 'chat', userId: 'ann' });
    const { acknowledged, ended } = startSavers(whole(), { processes: 3, count: 40, writers: 4 });
    await ended;
    await checkSaved(store, acknowledged, 3 * 40);
    await asAdmin(await databases.started(), whole().slice(whole().lastIndexOf('/') + 1), (client) =>
      checkWhole(client, 'chat'),
    );
  });
});
