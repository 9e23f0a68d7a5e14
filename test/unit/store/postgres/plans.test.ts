import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PostgresContextStore } from '../../../../src/postgres/postgresContextStore.ts';
import { turnOf } from '../../../../src/postgres/wire.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';
import { message } from '../contract/actions.ts';

for (const layout of ['whole', 'partitioned'] as const) {
  describe(`a save to a new store on a PostgreSQL server, its tables ${layout}`, () => {
    it('reads a few rows however long the chat has become, in a connection that has planned for an empty one', async function () {
      this.timeout(20_000);
      const url = await databases.create(layout);
      const store = new PostgresContextStore({ connectionString: url() });
      await store.createChat({ id: 'chat', userId: 'ann' });
      await store.close();
      const client = new pg.Client({ connectionString: url() });
      await client.connect();
      let head: string | null = null;
      const save = async (id: string): Promise<void> => {
        const args = {
          ...{ chatId: 'chat', branch: 'main', expectedHead: head, onHeadConflict: 'error', activate: false },
          ...{ newBranchAt: null, shared: null, event: null, ...turnOf([message(id)]) },
        };
        await client.query({
          name: 'save',
          text: `SELECT offshoot.perform($1, false, 'saveMessages', $2)`,
          values: [randomUUID(), JSON.stringify(args)],
        });
        head = id;
      };
      for (let count = 0; count < 300; count++) await save(`m${count}`);
      // What a connection has read is kept there until its transaction ends.
      const read = async (): Promise<number> => {
        const { rows } = await client.query<{ read: number }>(
          `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_xact_user_tables
            WHERE schemaname = 'offshoot' AND relname LIKE 'messages%'`,
        );
        return rows[0]?.read ?? Number.NaN;
      };
      await client.query('BEGIN');
      const before = await read();
      await save('last');
      const took = (await read()) - before;
      await client.query('COMMIT');
      await client.end();
      assert.ok(took > 0 && took < 20, `${took} messages were read`);
      databases.giveBack(url());
    });
  });
}
