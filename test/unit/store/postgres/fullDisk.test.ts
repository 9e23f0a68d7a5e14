import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { OffshootError } from '../../../../src/engine/errors.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { setUp } from '../../../../src/store/postgres/setUp.ts';
import { asAdmin, databases } from '../../../fixtures/postgres/databases.ts';
import { littleRooms } from '../../../fixtures/postgres/littleRoom.ts';
import { serverVersion, startPostgres, unprivileged } from '../../../fixtures/postgres/server.ts';
import { checkWhole } from '../../../fixtures/postgres/wholeChat.ts';
import { until } from '../../../fixtures/until.ts';

const rooms = littleRooms(unprivileged(), serverVersion());
const missing = rooms.some(({ isDisk }) => isDisk)
  ? ''
  : ' (mounting is not permitted here, so not on a full disk)';

describe(`a PostgreSQL server that has no room left${missing}`, () => {
  const say = async (store: PostgresContextStore, id: string, text: string): Promise<void> => {
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    await engine.set(user(text, { id })).save();
  };
  const idsOf = async (store: PostgresContextStore): Promise<string[]> => {
    const head = (await store.getBranch('chat', 'main'))?.headMessageId;
    return (await store.getPath('chat', head ?? '')).map(({ id }) => id);
  };

  for (const way of rooms) {
    it(`refuses a save whole, is read, and saves again once there is room: with ${way.name}`, async function () {
      this.timeout(60_000);
      // Room for an empty store of some 8 MB, of which no file is larger than 1 MB.
      const server = await startPostgres({ room: { way, bytes: way.isDisk ? 20_000_000 : 3_000_000 } });
      const store = new PostgresContextStore({ connectionString: server.url('small') });
      try {
        await asAdmin(server, 'postgres', async (client) => {
          await client.query(`CREATE TABLESPACE small LOCATION '${server.room}'`);
          await client.query('CREATE DATABASE small TABLESPACE small');
        });
        await asAdmin(server, 'small', (client) => setUp(client));
        await say(store, 'first', 'a heron');
        const filler = (command: string): Promise<unknown> =>
          asAdmin(server, 'postgres', (client) => client.query(`COPY (SELECT 1) TO PROGRAM '${command}'`));
        if (way.isDisk)
          await filler(`dd if=/dev/zero of=${server.room}/filler bs=4k 2>${server.folder}/dd.log; true`);

        const kept = ['first'];
        let refusal: unknown;
        for (let count = 0; count < 200 && refusal === undefined; count++) {
          const id = `m${count}`;
          await say(store, id, randomBytes(50_000).toString('base64')).then(
            () => kept.push(id),
            (error: unknown) => (refusal = error),
          );
        }
        assert.ok(refusal instanceof OffshootError, String(refusal));
        assert.equal(refusal.code, 'storage-full');
        assert.equal((refusal.cause as { code?: unknown }).code, '53100', 'the server says so itself');

        const refused = `m${kept.length - 1}`;
        assert.equal(await store.getMessage('chat', refused), undefined);
        assert.deepEqual(await idsOf(store), kept);
        assert.equal((await store.listEvents('chat', { kind: 'messages-saved' })).length, kept.length);
        assert.equal((await store.searchMessages('chat', 'heron')).length, 1);
        assert.equal((await store.exportChat('chat')).messages.length, kept.length);
        await assert.rejects(say(store, refused, randomBytes(50_000).toString('base64')), {
          code: 'storage-full',
        });
        if (way.isDisk)
          await assert.rejects(store.blobs.put(randomBytes(1_000_000)), { code: 'storage-full' });

        if (way.isDisk) await filler(`rm ${server.room}/filler`);
        else {
          await server.kill();
          await server.start();
          await until(() => store.listChats().catch(() => undefined), 'the server');
        }
        await say(store, refused, randomBytes(50_000).toString('base64'));
        assert.deepEqual(await idsOf(store), [...kept, refused]);
        await store.blobs.put(randomBytes(1_000_000));
        await asAdmin(server, 'small', (client) => checkWhole(client, 'chat'));
      } finally {
        await store.close();
        await server.stop();
      }
    });
  }

  // What a server says of it, wherever in a save it comes, and on every machine.
  it('keeps nothing of a save in whose midst it says so', async () => {
    const url = await databases.create();
    const store = new PostgresContextStore({ connectionString: url() });
    await say(store, 'a', 'says a');
    const onServer = async (sql: string): Promise<void> => {
      const database = url().slice(url().lastIndexOf('/') + 1);
      await asAdmin(await databases.started(), database, (client) => client.query(sql));
    };
    await onServer(`CREATE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file: No space left on device'; END $$`);
    for (const table of ['messages', 'branches', 'events', 'changes']) {
      await onServer(`CREATE TRIGGER full_disk AFTER INSERT OR UPDATE ON offshoot.${table}
        FOR EACH ROW EXECUTE FUNCTION public.full_disk()`);
      await assert.rejects(say(store, 'b', 'says b'), { code: 'storage-full' }, table);
      assert.equal(await store.getMessage('chat', 'b'), undefined);
      await onServer(`DROP TRIGGER full_disk ON offshoot.${table}`);
    }
    await onServer('DROP FUNCTION public.full_disk()');
    await say(store, 'b', 'says b');
    assert.deepEqual(await idsOf(store), ['a', 'b']);
    await asAdmin(await databases.started(), url().slice(url().lastIndexOf('/') + 1), (client) =>
      checkWhole(client, 'chat'),
    );
    await store.close();
    databases.giveBack(url());
  });
});
