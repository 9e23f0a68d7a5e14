import assert from 'node:assert/strict';
import pg from 'pg';
import type { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { textMessage, textOf } from '../../../../src/engine/uiMessage.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';
import { RoleClients } from '../../../fixtures/postgres/roleClients.ts';

for (const layout of ['whole', 'partitioned'] as const) {
  describe(`people in a store on a PostgreSQL server, its tables ${layout}`, () => {
    let url: (role?: string) => string;
    let ana: PostgresContextStore;
    let bob: PostgresContextStore;
    const clients = new RoleClients((role) => url(role));
    const storeOf = (role: string): PostgresContextStore => clients.store(role);
    /** What a user can ask with a client of their own. */
    const sqlOf = async (role: string) => {
      const client = await clients.client(role);
      return (sql: string, values: unknown[] = []) => client.query<Record<string, unknown>>(sql, values);
    };
    before(() => databases.addPeople('ana', 'bob', 'carol'));
    beforeEach(async () => {
      url = await databases.create(layout);
      [ana, bob] = [storeOf('ana'), storeOf('bob')];
      await engineOf(ana, 'ana')
        .set(user('a secret of Ana', { id: 'q1' }), assistant('kept', { id: 'a1' }))
        .save();
    });
    afterEach(async () => {
      await clients.close();
      databases.giveBack(url());
    });
    const engineOf = (store: PostgresContextStore, userId: string) =>
      new ContextEngine({ store, chatId: 'chat', userId });

    it('are whom the server knows them as, and act as nobody else', async () => {
      assert.deepEqual([(await ana.open()).user, (await ana.open()).isService], ['ana', false]);
      await assert.rejects(ana.createChat({ id: 'x', userId: 'bob' }), { code: 'not-allowed' });
      await assert.rejects(ana.activateBranch('chat', 'main', { userId: 'bob' }), { code: 'not-allowed' });
      await assert.rejects(ana.getSharedState({ scope: 'user', userId: 'bob' }), { code: 'not-allowed' });
      assert.deepEqual([...(await ana.getAuthors('chat', ['q1', 'a1']))].sort(), [
        ['a1', 'ana'],
        ['q1', 'ana'],
      ]);
    });

    it('see nothing of a private chat of others', async () => {
      assert.equal(await bob.getChat('chat'), undefined);
      assert.deepEqual(await bob.listChats(), []);
      assert.deepEqual(await bob.searchAllMessages('secret'), []);
      assert.equal(await bob.isMessageElsewhere('other', 'q1'), false);
      assert.equal(await bob.deleteChat('chat'), false);
      for (const call of [
        () => bob.getPath('chat', 'a1'),
        () => bob.getGraph('chat'),
        () => bob.exportChat('chat'),
        () => bob.searchMessages('chat', 'secret'),
        () => bob.upsertChat({ id: 'chat', userId: 'bob' }),
        () =>
          bob.addBranch({ chatId: 'chat', from: 'main', messageId: null, activate: true, event: 'rewound' }),
        () => bob.logEvent({ chatId: 'chat', kind: 'rewind-report' }),
        () => bob.shareChat('chat', 'write'),
        () => bob.listPresent('chat'),
      ]) {
        await assert.rejects(call, { code: 'chat-not-found' });
      }
      assert.deepEqual((await bob.storageReport()).chats, []);
    });

    it('read what is shared for reading, and be where they like in it, but write only where they may', async () => {
      await assert.rejects(bob.shareChat('chat', 'read'), { code: 'chat-not-found' });
      await ana.shareChat('chat', 'read');
      assert.deepEqual((await bob.getPath('chat', 'a1')).length, 2);
      assert.equal((await bob.listChats({ userId: 'bob' }))[0]?.userId, 'ana');
      assert.deepEqual(await bob.getSharing('chat'), { access: 'read', owner: 'ana', canWrite: false });
      assert.equal(
        (await bob.upsertChat({ id: 'chat', userId: 'bob', metadata: { mine: 1 } })).metadata['mine'],
        undefined,
      );
      await ana.addBranch({
        chatId: 'chat',
        from: 'main',
        messageId: 'q1',
        activate: false,
        event: 'rewound',
      });
      await bob.activateBranch('chat', 'main-v2');
      assert.deepEqual(
        [(await ana.getActiveBranch('chat'))?.name, (await bob.getActiveBranch('chat'))?.name],
        ['main', 'main-v2'],
      );
      await assert.rejects(engineOf(bob, 'bob').set(user('mine')).save(), { code: 'not-allowed' });
      await assert.rejects(bob.deleteBranch('chat', 'main-v2'), { code: 'not-allowed' });
      await assert.rejects(bob.updateChat('chat', { title: 'mine' }), { code: 'not-allowed' });
      await ana.shareChat('chat', 'write');
      const saved = engineOf(bob, 'bob');
      await saved.set(user('of Bob', { id: 'b1' })).save();
      assert.equal((await ana.getAuthors('chat', ['b1'])).get('b1'), 'bob');
      await assert.rejects(bob.shareChat('chat', 'private'), { code: 'not-allowed' });
      assert.equal(await bob.deleteChat('chat'), false);
      await ana.shareChat('chat', 'private');
      assert.equal(await bob.getChat('chat'), undefined);
    });

    it('have drafts of their own, which others see grow only where they may read', async () => {
      const draft = (text: string) => ({
        chatId: 'chat',
        branch: 'main',
        message: textMessage('d', 'assistant', text),
      });
      await ana.saveDraft(draft('so far'));
      assert.deepEqual(await bob.listDrafts(), []);
      await assert.rejects(bob.saveDraft(draft('forged')), { code: 'chat-not-found' });
      assert.deepEqual(await bob.listOthersDrafts('chat'), []);
      await ana.shareChat('chat', 'write');
      const [seen] = await bob.listOthersDrafts('chat');
      assert.deepEqual([seen?.userId, seen && textOf(seen.message)], ['ana', 'so far']);
      await bob.deleteDraft('chat', 'main');
      await bob.saveDraft(draft('of Bob'));
      assert.deepEqual(
        (await ana.listDrafts('chat')).map(({ message }) => textOf(message)),
        ['so far'],
      );
      assert.deepEqual(
        (await bob.listDrafts('chat')).map(({ message }) => textOf(message)),
        ['of Bob'],
      );
    });

    it('read bytes only through a message they may read, and cannot name what they never had', async () => {
      const hash = await ana.blobs.put(Uint8Array.from([1, 2, 3]));
      await engineOf(ana, 'ana')
        .set(user(`see offshoot-blob:${hash}`, { id: 'q2' }))
        .save();
      assert.equal(await bob.blobs.get(hash), undefined);
      assert.equal(await bob.blobs.has(hash), false);
      // To name it in a chat of one's own gives nothing.
      await new ContextEngine({ store: bob, chatId: 'own', userId: 'bob' })
        .set(user(`offshoot-blob:${hash}`))
        .save();
      assert.equal(await bob.blobs.get(hash), undefined);
      await ana.shareChat('chat', 'read');
      assert.deepEqual([...((await bob.blobs.get(hash)) ?? [])], [1, 2, 3]);
      await ana.shareChat('chat', 'private');
      assert.equal(await bob.blobs.get(hash), undefined);
      const sql = await sqlOf('bob');
      await assert.rejects(sql(`SELECT offshoot.put_blob($1, '\\x00')`, [hash]), /wrong-hash/);
      assert.deepEqual([...((await ana.blobs.get(hash)) ?? [])], [1, 2, 3]);
    });

    it('change and see nothing more with SQL of their own', async () => {
      await ana.saveDraft({
        chatId: 'chat',
        branch: 'main',
        message: textMessage('d', 'assistant', 'draft of Ana'),
      });
      const hash = await ana.blobs.put(Uint8Array.from([9]));
      const sql = await sqlOf('bob');
      for (const forged of [
        `SET offshoot.user = 'ana'`,
        `SET request.jwt.claims = '{"sub":"ana"}'`,
        `SELECT set_config('role', 'offshoot_member', false)`,
        `SET search_path = pg_temp, offshoot`,
        `CREATE TEMP TABLE chats (key bigint, id text, owner text, trashed_at bigint, access text)`,
        `INSERT INTO pg_temp.chats VALUES (1, 'chat', 'bob', NULL, 'write')`,
        `CREATE FUNCTION pg_temp.is_service() RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
      ]) {
        await sql(forged).catch(() => undefined);
      }
      for (const table of [
        ...['chats', 'messages', 'branches', 'segments', 'checkpoints', 'events', 'trash', 'drafts'],
        ...[
          'active_branches',
          'message_blobs',
          'shared_artifacts',
          'changes',
          'blobs',
          'blob_puts',
          'presence',
        ],
      ]) {
        assert.equal((await sql(`SELECT * FROM offshoot.${table}`)).rows.length, 0, table);
        for (const attack of [
          `UPDATE offshoot.${table} SET chat = 1`,
          `DELETE FROM offshoot.${table}`,
          `TRUNCATE offshoot.${table}`,
        ]) {
          await assert.rejects(sql(attack), /permission denied|does not exist/, attack);
        }
        await assert.rejects(sql(`INSERT INTO offshoot.${table} DEFAULT VALUES`), /permission denied/, table);
      }
      for (const attack of [
        `SET ROLE ana`,
        `SET ROLE offshoot_admin`,
        `SET SESSION AUTHORIZATION ana`,
        `RESET SESSION AUTHORIZATION; SELECT offshoot.get_blob('${hash}') || '\\x00'::bytea || (1/0)::text::bytea`,
        `SELECT offshoot.save_messages('{"chatId":"chat"}')`,
        `SELECT offshoot.writable('chat')`,
        `SELECT offshoot.remove_piece(10)`,
        `SELECT offshoot.collect_blobs(9000000000000)`,
        `SELECT offshoot.perform(gen_random_uuid(), false, 'deleteBranch', '{"chatId":"chat","name":"main"}')`,
        `SELECT offshoot.perform(gen_random_uuid(), false, 'setCheckpoint', '{"chatId":"chat","name":"x","messageId":"q1"}')`,
        `SELECT offshoot.perform(gen_random_uuid(), false, 'saveTitle', '{"chatId":"chat","title":"x","userId":"ana"}')`,
        `SELECT offshoot.get_path('chat', 'a1', NULL)`,
        `ALTER TABLE offshoot.chats DISABLE ROW LEVEL SECURITY`,
        `CREATE POLICY all_of_it ON offshoot.messages USING (true)`,
        `CREATE OR REPLACE FUNCTION offshoot.is_service() RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
        `CREATE TABLE offshoot.mine (a int)`,
        `GRANT offshoot_admin TO bob`,
      ]) {
        await assert.rejects(sql(attack), attack);
      }
      const { rows } = await sql(
        `SELECT offshoot.get_blob($1) AS bytes, (SELECT count(*) FROM offshoot.changes_since(1, 0)) AS changes`,
        [hash],
      );
      assert.deepEqual(rows, [{ bytes: null, changes: '0' }]);
      // Nor as a reply to a write of another's, nor in another's name where people are.
      const { rows: ids } = await (
        await sqlOf('offshoot_admin')
      )('SELECT request FROM offshoot.changes WHERE request IS NOT NULL');
      for (const { request } of ids) {
        await assert.rejects(
          sql(`SELECT offshoot.perform($1, true, 'logEvent', '{"chatId":"chat","kind":"undone"}')`, [
            request,
          ]),
          /chat-not-found/,
        );
      }
      assert.deepEqual(
        [
          (await ana.getPath('chat', 'a1')).length,
          (await ana.listDrafts()).length,
          [...((await ana.blobs.get(hash)) ?? [])],
        ],
        [2, 1, [9]],
      );
    });

    it('are not let in when they are no members', async () => {
      const server = await databases.started();
      const admin = new pg.Client({ connectionString: server.url('postgres') });
      await admin.connect();
      try {
        await admin.query(`CREATE ROLE stranger_${layout} LOGIN`);
      } finally {
        await admin.end();
      }
      await assert.rejects(storeOf(`stranger_${layout}`).listChats(), { code: 'not-allowed' });
      await assert.rejects(
        (await sqlOf(`stranger_${layout}`))('SELECT * FROM offshoot.chats'),
        /permission denied/,
      );
    });
  });
}
