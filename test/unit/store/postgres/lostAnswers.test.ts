import assert from 'node:assert/strict';
import pg from 'pg';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { asAdmin, databases } from '../../../fixtures/postgres/databases.ts';
import { PostgresProxy } from '../../../fixtures/postgres/proxy.ts';
import { checkWhole } from '../../../fixtures/postgres/wholeChat.ts';
import { until } from '../../../fixtures/until.ts';

for (const layout of ['whole', 'partitioned'] as const) {
  describe(`a save whose answer is lost, to tables that are ${layout}`, () => {
    let url: (role?: string) => string;
    let proxy: PostgresProxy;
    let store: PostgresContextStore;
    beforeEach(async () => {
      url = await databases.create(layout);
      proxy = await PostgresProxy.before((await databases.started()).folder);
      store = new PostgresContextStore({ connectionString: proxy.url(url()) });
      await say('a');
    });
    afterEach(async () => {
      await store.close();
      await proxy.close();
      databases.giveBack(url());
    });
    const say = async (id: string): Promise<void> => {
      const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
      await engine.set(user(`says ${id}`, { id })).save();
    };
    const checkSaid = async (...ids: string[]): Promise<void> => {
      const path = await store.getPath('chat', ids.at(-1) ?? '');
      assert.deepEqual(
        path.map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        (await store.listBranches('chat')).map(({ name }) => name),
        ['main'],
      );
      const saved = await store.listEvents('chat', { kind: 'messages-saved' });
      assert.equal(saved.length, ids.length);
      const database = url().slice(url().lastIndexOf('/') + 1);
      await asAdmin(await databases.started(), database, (client) => checkWhole(client, 'chat'));
    };

    it('after the commit: it is asked for again, and is not done twice', async () => {
      for (const [what, text, work] of [
        ['a turn', 'saveMessages', () => say('b')],
        ['an entry of the log', 'logEvent', () => store.logEvent({ chatId: 'chat', kind: 'undone' })],
        ['a new chat', 'createChat', () => store.createChat({ id: 'second', userId: 'ann' })],
      ] as const) {
        const before = proxy.cuts;
        proxy.cutAnswerTo(text);
        await work();
        assert.equal(proxy.cuts, before + 1, what);
      }
      await checkSaid('a', 'b');
      const kinds = (await store.listEvents('chat')).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['chat-created', 'messages-saved', 'messages-saved', 'undone']);
      assert.equal((await store.listEvents('second')).length, 1);
    });

    it('while the server is still at it: the repeat waits for that, and gets its answer', async () => {
      const [other, watcher] = [1, 2].map(() => new pg.Client({ connectionString: url() }));
      assert.ok(other && watcher);
      await Promise.all([other.connect(), watcher.connect()]);
      const waiting = async (): Promise<number | null> => {
        const sql = `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%perform%'`;
        // Not by the other: what a transaction sees of this stays as it is until it ends.
        return (await watcher.query(sql)).rowCount;
      };
      try {
        await other.query(`BEGIN; SELECT 1 FROM offshoot.chats WHERE id = 'chat' FOR UPDATE`);
        const saving = say('b');
        await until(async () => (await waiting()) === 1, 'the save to wait for the chat');
        proxy.goDown();
        proxy.comeBack();
        await until(async () => (await waiting()) === 2, 'its repeat to wait');
        await other.query('COMMIT');
        await saving;
      } finally {
        await Promise.all([other.end(), watcher.end()]);
      }
      await checkSaid('a', 'b');
    });
  });
}
