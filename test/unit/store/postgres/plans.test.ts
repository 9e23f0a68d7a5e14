import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { PortableChat } from '../../../../src/engine/portableChat.ts';
import { portableRow } from '../../../../src/store/postgres/portableRows.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { turnOf } from '../../../../src/store/postgres/wire.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';
import { checkWhole } from '../../../fixtures/postgres/wholeChat.ts';
import { message } from '../contract/actions.ts';

/** What a connection has read of a table since its transaction began; it is kept there until that ends. */
async function rowsRead(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_xact_user_tables
      WHERE schemaname = 'offshoot' AND relname LIKE $1`,
    [`${table}%`],
  );
  return rows[0]?.read ?? Number.NaN;
}

/** A write as a store sends it, in a connection that keeps its plan. */
async function perform(client: pg.Client, what: string, args: object): Promise<void> {
  await client.query({
    name: what,
    text: `SELECT offshoot.perform($1, false, '${what}', $2)`,
    values: [randomUUID(), JSON.stringify(args)],
  });
}

/** A chat of so many messages. Every tenth follows what the one before it follows; a branch and a checkpoint end there. */
function forked(length: number): PortableChat {
  const ids = Array.from({ length }, (_, at) => `m${at}`);
  const ends = ids.filter((_, at) => at % 10 === 9 && at < length - 1);
  return {
    id: 'forked',
    metadata: {},
    createdAt: 1,
    updatedAt: 1,
    messages: ids.map((id, at) => ({
      id,
      parentId: ids[at - (at % 10 === 0 ? 2 : 1)] ?? null,
      name: 'user',
      type: 'message',
      data: { id, role: 'user', parts: [{ type: 'text', text: `says ${id}` }] },
      invocationId: id,
      createdAt: at,
    })),
    branches: [ids.at(-1) ?? null, ...ends].map((headMessageId, at) => ({
      name: at === 0 ? 'main' : `main-v${at + 1}`,
      headMessageId,
      forkMessageId: null,
      isActive: at === 0,
      createdAt: 1,
    })),
    checkpoints: ends.map((messageId) => ({ name: `at ${messageId}`, messageId, createdAt: 1 })),
    events: [{ kind: 'messages-saved', branch: 'main', details: { messageIds: ids }, createdAt: 1 }],
  };
}

for (const layout of ['whole', 'partitioned'] as const) {
  describe(`a store on a PostgreSQL server, its tables ${layout}, in a connection that planned when it was empty`, () => {
    let url: (role?: string) => string;
    let client: pg.Client;
    beforeEach(async () => {
      url = await databases.create(layout);
      const store = new PostgresContextStore({ connectionString: url() });
      await store.createChat({ id: 'chat', userId: 'ann' });
      await store.close();
      client = new pg.Client({ connectionString: url() });
      await client.connect();
    });
    afterEach(async () => {
      await client.end();
      databases.giveBack(url());
    });

    /** How many rows of a table a step reads. */
    const readBy = async (table: string, step: () => Promise<void>): Promise<number> => {
      await client.query('BEGIN');
      const before = await rowsRead(client, table);
      await step();
      const read = (await rowsRead(client, table)) - before;
      await client.query('COMMIT');
      return read;
    };

    it('reads a few messages for a save, however long the chat has become', async function () {
      this.timeout(20_000);
      let head: string | null = null;
      const save = async (id: string): Promise<void> => {
        await perform(client, 'saveMessages', {
          chatId: 'chat',
          branch: 'main',
          expectedHead: head,
          onHeadConflict: 'error',
          activate: false,
          newBranchAt: null,
          shared: null,
          event: null,
          ...turnOf([message(id)]),
        });
        head = id;
      };
      for (let count = 0; count < 300; count++) await save(`m${count}`);
      const read = await readBy('messages', () => save('last'));
      assert.ok(read > 0 && read < 20, `${read} messages were read`);
    });

    it('reads no message for an import, however many come, and each once for what is added to it', async function () {
      this.timeout(30_000);
      const chats = [portableRow(forked(2_000))];
      const imported = await readBy('messages', () =>
        perform(client, 'importChats', { userId: 'ann', chats }),
      );
      assert.ok(imported < 20, `${imported} messages were read to import 2000`);
      await checkWhole(client, 'forked');
      const added = await readBy('messages', () =>
        perform(client, 'extendChat', { chatId: 'forked', userId: 'ann', chat: portableRow(forked(2_100)) }),
      );
      assert.ok(added < 3_000, `${added} messages were read to add 100`);
      await checkWhole(client, 'forked');
      const store = new PostgresContextStore({ connectionString: url() });
      const ids = (await store.getPath('forked', 'm2099')).map(({ id }) => id);
      const skipped = (at: number): boolean => at % 10 === 9 && at < 2_099;
      const expected = forked(2_100).messages.flatMap(({ id }, at) => (skipped(at) ? [] : [id]));
      assert.deepEqual(ids, expected);
      assert.equal((await store.listCheckpoints('forked')).length, 209);
      assert.equal((await store.searchMessages('forked', 'm2050')).length, 1);
      await store.close();
    });

    it('reads a few entries of the log to go to a branch and to make one, however often one went to and fro', async function () {
      this.timeout(20_000);
      const details = JSON.stringify({ provisional: true });
      const make = (more: object): Promise<void> =>
        perform(client, 'addBranch', {
          chatId: 'chat',
          from: 'main',
          messageId: null,
          naming: 'flat',
          event: 'rewound',
          details,
          ...more,
        });
      const goTo = (name: string): Promise<void> =>
        perform(client, 'activateBranch', { chatId: 'chat', name });
      // By its new name it is kept, and the log has to be looked into for that.
      await make({ activate: true });
      await perform(client, 'renameBranch', { chatId: 'chat', name: 'main-v2', newName: 'kept' });
      await goTo('main');
      await client.query(`
        INSERT INTO offshoot.events (chat, sequence, user_id, kind, branch, details, created_at)
          SELECT key, last_event + n, 'ann', 'switched', CASE n % 2 WHEN 0 THEN 'main' ELSE 'kept' END, '{}', n
          FROM offshoot.chats, generate_series(1, 5000) n;
        UPDATE offshoot.chats SET last_event = last_event + 5000;
        ANALYZE offshoot.events`);
      await goTo('kept');
      const went = await readBy('events', () => goTo('main'));
      const made = await readBy('events', () => make({ activate: false }));
      assert.ok(went < 10, `${went} entries were read to go`);
      assert.ok(made < 10, `${made} entries were read to make one`);
    });
  });
}
