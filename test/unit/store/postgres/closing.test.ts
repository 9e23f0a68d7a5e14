import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig } from '../../../../src/store/postgres/connectionConfig.ts';
import { Connections } from '../../../../src/store/postgres/connections.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';
import { until } from '../../../fixtures/until.ts';

describe('calls to a PostgreSQL server that are under way', () => {
  let url: (role?: string) => string;
  beforeEach(async () => {
    url = await databases.create();
  });
  afterEach(() => databases.giveBack(url()));

  it('are done when their store is closed, however few connections it has, and none is begun after', async () => {
    const kept = new PostgresContextStore({ connectionString: url() });
    await kept.createChat({ id: 'chat', userId: 'ann' });
    for (const isOpen of [true, false]) {
      for (const turns of [0, 1, 2, 5]) {
        const store = new PostgresContextStore({ connectionString: url(), maxConnections: 1 });
        if (isOpen) await store.open();
        const log = () => store.logEvent({ chatId: 'chat', kind: 'undone' });
        const before = (await kept.listEvents('chat')).length;
        const calls = Promise.all([log(), log(), store.listBranches('chat'), log()]);
        for (let count = 0; count < turns; count++) await nextTurn();
        const closing = store.close();
        await assert.rejects(log(), { code: 'closed' });
        await closing;
        await calls;
        assert.equal((await kept.listEvents('chat')).length, before + 3);
      }
    }
    await kept.close();
  });

  it('are told when the server is lost while they wait for a connection', async () => {
    const connections = new Connections(connectionConfig({ connectionString: url() }), 1, false);
    const other = new pg.Client({ connectionString: url() });
    await other.connect();
    try {
      await other.query('SELECT pg_advisory_lock(1)');
      const held = assert.rejects(connections.query('SELECT pg_advisory_lock(1)'));
      const locked = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%pg_advisory_lock%'`;
      await until(async () => (await other.query(locked)).rowCount === 1, 'the only connection to be in use');
      const waiting = connections.query('SELECT 1');
      await nextTurn();
      connections.lose(new Error('The server is gone.'));
      await assert.rejects(waiting, { code: 'connection-lost' });
      await held;
    } finally {
      await connections.close();
      await other.end();
    }
  });
});
