import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { setUp } from '../../../../src/store/postgres/setUp.ts';
import { ADMIN, startPostgres, type PostgresServer } from '../../../fixtures/postgres/server.ts';
import { asAdmin } from '../../../fixtures/postgres/databases.ts';
import { until } from '../../../fixtures/until.ts';

describe('a replica of a PostgreSQL server', () => {
  let server: PostgresServer;
  let replica: PostgresServer;
  before('a server and one that follows it', async function () {
    this.timeout(60_000);
    server = await startPostgres();
    await asAdmin(server, 'postgres', (client) => setUp(client));
    await server.kill();
    const settings = {
      primary_conninfo: `'host=${server.folder} user=${ADMIN}'`,
      wal_retrieve_retry_interval: 100,
    };
    replica = await startPostgres({ replicaOf: server.data, settings });
    await server.start();
  });
  after(async () => {
    await replica.stop();
    await server.stop();
  });

  const storeOn = (at: PostgresServer) => new PostgresContextStore({ connectionString: at.url('postgres') });
  const say = async (store: PostgresContextStore, id: string): Promise<void> => {
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    await engine.set(user(`says ${id}`, { id })).save();
  };
  const onReplica = <T extends object>(sql: string): Promise<T | undefined> =>
    asAdmin(replica, 'postgres', async (client) => (await client.query<T & object>(sql)).rows[0]);
  const pathOf = async (store: PostgresContextStore): Promise<string[]> => {
    const head = (await store.getBranch('chat', 'main'))?.headMessageId;
    return (await store.getPath('chat', head ?? '')).map(({ id }) => id);
  };

  it('is read all over and refuses every write; what it has not got yet comes late, whole and in order', async function () {
    this.timeout(60_000);
    const [writer, reader] = [storeOn(server), storeOn(replica)];
    try {
      await say(writer, 'a');
      await writer.saveDraft({
        chatId: 'chat',
        branch: 'main',
        message: textMessage('d', 'assistant', 'so'),
      });
      const hash = await writer.blobs.put(Uint8Array.from([1, 2, 3]));
      const saved: string[] = [];
      await until(() => reader.getMessage('chat', 'a'), 'the first to arrive');
      reader.onDidChange((change) => {
        if (change.kind === 'messages') saved.push(...change.messageIds);
      });
      await reader.listen();

      assert.equal(reader.isReadOnly, true);
      assert.deepEqual(await pathOf(reader), ['a']);
      assert.equal((await reader.searchAllMessages('says')).length, 1);
      await until(async () => (await reader.listDrafts('chat', { userId: 'ann' })).length === 1, 'the draft');
      const [draft] = await reader.listOthersDrafts('chat');
      assert.deepEqual([draft?.userId, draft?.isBeingWritten], ['ann', false]);
      await until(() => reader.blobs.get(hash), 'the bytes');
      await reader.setPlace({ chatId: 'chat', branch: 'main' });
      assert.deepEqual(await reader.listPresent('chat'), [], 'it can be told by nobody where they are');
      assert.equal(reader.connection.kind, 'connected');
      for (const write of [
        () => say(reader, 'x'),
        () => reader.createChat({ id: 'x', userId: 'ann' }),
        () => reader.shareChat('chat', 'write'),
        () => reader.blobs.put(Uint8Array.from([4])),
        () => reader.trash.empty(),
      ]) {
        await assert.rejects(write, { code: 'read-only' });
      }

      await onReplica('SELECT pg_wal_replay_pause()');
      for (const id of ['b', 'c']) await say(writer, id);
      const hasMore = 'SELECT pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn() AS more';
      await until(
        async () => (await onReplica<{ more: boolean }>(hasMore))?.more,
        'what is not replayed yet',
      );
      assert.deepEqual(await pathOf(reader), ['a']);
      assert.equal(await reader.getMessage('chat', 'b'), undefined);
      assert.deepEqual(saved, []);
      await onReplica('SELECT pg_wal_replay_resume()');
      await until(() => saved.length >= 2, 'what was missed');
      assert.deepEqual(saved, ['b', 'c']);
      assert.deepEqual(await pathOf(reader), ['a', 'b', 'c']);

      await server.kill();
      assert.deepEqual(await pathOf(reader), ['a', 'b', 'c'], 'also without the server it follows');
      await server.start();
    } finally {
      await Promise.all([writer.close(), reader.close()]);
    }
  });
});
