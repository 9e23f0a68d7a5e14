import assert from 'node:assert/strict';
import type pg from 'pg';
import type { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { asAdmin, databases } from '../../../fixtures/postgres/databases.ts';
import { RoleClients } from '../../../fixtures/postgres/roleClients.ts';

const SECRET = 'a secret of Ana';

const tables =
  'chats messages branches segments checkpoints events trash drafts active_branches message_blobs shared_state ' +
  'shared_artifacts changes blobs blob_puts presence';

/** SQL of a client, each on a connection of its own: it may fail, or do nothing, but not what its name says. */
const attacks: Readonly<Record<string, string>> = {
  'reads as another role': `SET ROLE ana; SELECT * FROM offshoot.messages`,
  'reads as the administrator': `SET ROLE offshoot_admin; SELECT * FROM offshoot.messages`,
  'logs in as another': `SET SESSION AUTHORIZATION ana; SELECT * FROM offshoot.messages`,
  'forges a variable': `SET offshoot.user = 'ana'; SELECT offshoot.get_path('chat', 'a1', NULL)`,
  'forges the role variable': `SELECT set_config('role', 'ana', false); SELECT * FROM offshoot.messages`,
  'forges its session': `SELECT set_config('session_authorization', 'ana', false); SELECT * FROM offshoot.messages`,
  'forges claims': `SET request.jwt.claims = '{"role":"ana"}'; SELECT * FROM offshoot.messages`,
  'turns row security off': `SET row_security = off; SELECT * FROM offshoot.messages`,
  'shadows a table': `SET search_path = pg_temp, offshoot; CREATE TEMP TABLE chats (key bigint, id text, owner text,
    trashed_at bigint, access text); INSERT INTO pg_temp.chats VALUES (1, 'chat', session_user, NULL, 'write');
    SELECT offshoot.get_path('chat', 'a1', NULL)`,
  'shadows a table for a policy': `SET search_path = pg_temp, offshoot; CREATE TEMP TABLE chats (key bigint);
    INSERT INTO pg_temp.chats SELECT generate_series(1, 100); SELECT * FROM offshoot.messages`,
  'shadows a function': `CREATE FUNCTION pg_temp.is_service() RETURNS boolean LANGUAGE sql AS 'SELECT true';
    SET search_path = pg_temp, offshoot; SELECT offshoot.get_path('chat', 'a1', NULL)`,
  'shadows a function of PostgreSQL': `CREATE FUNCTION pg_temp.pg_has_role(name, name, text) RETURNS boolean LANGUAGE sql
    AS 'SELECT true'; SET search_path = pg_temp, pg_catalog; SELECT offshoot.get_path('chat', 'a1', NULL)`,
  'shadows an operator': `CREATE FUNCTION pg_temp.yes(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
    CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.yes);
    SET search_path = pg_temp, pg_catalog, offshoot; SELECT * FROM offshoot.messages`,
  'shadows a type': `CREATE TYPE pg_temp.outcome AS (chat bigint); SET search_path = pg_temp, offshoot;
    SELECT offshoot.perform(gen_random_uuid(), false, 'logEvent', '{"chatId":"chat","kind":"undone"}')`,
  'looks by a cheap function': `CREATE FUNCTION pg_temp.tell(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
    $f$ BEGIN RAISE NOTICE '%', $1;RETURN true;END $f$; SELECT * FROM offshoot.messages WHERE pg_temp.tell(data)`,
  'looks by an error': `SELECT 1 / (CASE WHEN data LIKE '%secret%' THEN 0 ELSE 1 END) FROM offshoot.messages`,
  'looks by a cast': `SELECT data::int FROM offshoot.messages`,
  'looks by a sort': `SELECT data FROM offshoot.messages ORDER BY data COLLATE "C"`,
  'looks by a view': `CREATE TEMP VIEW v AS SELECT * FROM offshoot.messages; SELECT * FROM v`,
  'looks by a cursor': `BEGIN; DECLARE c CURSOR FOR SELECT * FROM offshoot.messages; FETCH ALL FROM c`,
  'looks by a block': `DO $f$ BEGIN RAISE NOTICE '%', (SELECT string_agg(data, '') FROM offshoot.messages);END $f$`,
  'looks by statistics': `SELECT most_common_vals::text, histogram_bounds::text FROM pg_stats WHERE schemaname = 'offshoot'`,
  'looks at what others run': `SELECT query FROM pg_stat_activity WHERE usename <> session_user`,
  'looks into the log': `SELECT pg_read_file('postgresql.log')`,
  'looks at the files': `SELECT pg_ls_dir('base')`,
  'copies to a program': `COPY (SELECT 1) TO PROGRAM 'cat'`,
  'copies from a file': `CREATE TEMP TABLE f (a text); COPY f FROM '/etc/passwd'; SELECT * FROM f`,
  'copies a table': `COPY offshoot.messages TO STDOUT`,
  'reads a large object': `SELECT lo_import('/etc/passwd')`,
  'makes an extension': `CREATE EXTENSION dblink`,
  'makes a language': `CREATE LANGUAGE plpython3u`,
  'loads a library': `LOAD '/tmp/x.so'`,
  'reads a blob by its hash': `SELECT convert_from(offshoot.get_blob('{hash}'), 'UTF8')`,
  'asks for a blob by its hash': `SELECT CASE WHEN offshoot.has_blob('{hash}') THEN '${SECRET}' END`,
  'puts a forged blob': `SELECT offshoot.put_blob('{hash}', '\\x00'); SELECT convert_from(offshoot.get_blob('{hash}'), 'UTF8')`,
  'names a blob in its own chat': `SELECT offshoot.perform(gen_random_uuid(), false, 'upsertChat', '{"id":"mine"}');
    SELECT convert_from(offshoot.get_blob('{hash}'), 'UTF8')`,
  'reads a path': `SELECT offshoot.get_path('chat', 'a1', NULL)`,
  'reads what changed': `SELECT changes::text FROM offshoot.changes_since(1, 0)`,
  'reads who is there': `SELECT * FROM offshoot.list_presence('chat')`,
  'reads the id of a chat': `SELECT CASE WHEN offshoot.chat_id_of(1) = 'chat' THEN '${SECRET}' END`,
  'reads a report of another': `SELECT offshoot.storage_report('ana', 0)::json->'chats'->0->>'chatId' || '${SECRET}'`,
  'reads sizes of another': `SELECT CASE WHEN offshoot.used_bytes() > 0 THEN '${SECRET}' END`,
  'runs an inner function': `SELECT offshoot.readable('chat')`,
  'runs an inner write': `SELECT offshoot.save_messages('{"chatId":"chat"}')`,
  'runs an inner cleaning': `SELECT offshoot.collect_blobs(9000000000000)`,
  purges: `SELECT offshoot.remove_piece(10)`,
  'acts as another': `SELECT offshoot.acting_as('ana', NULL)`,
  'makes a chat for another': `SELECT offshoot.perform(gen_random_uuid(), false, 'createChat', '{"id":"forged","userId":"ana"}')`,
  'titles a chat': `SELECT offshoot.perform(gen_random_uuid(), false, 'updateChat', '{"id":"chat","chatId":"chat","title":"x"}')`,
  'shares a chat': `SELECT offshoot.perform(gen_random_uuid(), false, 'shareChat', '{"chatId":"chat","access":"write"}')`,
  'deletes a chat': `SELECT offshoot.perform(gen_random_uuid(), false, 'deleteChat', '{"chatId":"chat","id":"chat"}')`,
  'deletes a branch': `SELECT offshoot.perform(gen_random_uuid(), false, 'deleteBranch', '{"chatId":"chat","name":"main"}')`,
  'moves a branch': `SELECT offshoot.perform(gen_random_uuid(), false, 'addBranch', '{"chatId":"chat","from":"main","activate":true}')`,
  'sets a checkpoint': `SELECT offshoot.perform(gen_random_uuid(), false, 'setCheckpoint', '{"chatId":"chat","name":"x","messageId":"q1"}')`,
  'forges a draft': `SELECT offshoot.perform(gen_random_uuid(), false, 'saveDraft', '{"chatId":"chat","branch":"main","userId":"ana","message":"{}"}')`,
  'forges the name of a write': `SELECT offshoot.perform(gen_random_uuid(), false, 'x'' THEN v := NULL;--', '{}')`,
  'repeats the write of another': `SELECT offshoot.perform('{request}', true, 'logEvent', '{"chatId":"chat","kind":"undone"}')`,
  'takes the request of another': `SELECT offshoot.perform('{request}', false, 'logEvent', '{"chatId":"chat","kind":"undone"}')`,
  'empties the trash': `SELECT offshoot.perform(gen_random_uuid(), false, 'emptyTrash', '{"userId":"ana"}')`,
  'injects by a name': `SELECT offshoot.get_path('chat'' OR true --', 'a1', NULL)`,
  'changes the schema': `ALTER TABLE offshoot.chats DISABLE ROW LEVEL SECURITY`,
  'makes a policy': `CREATE POLICY all_of_it ON offshoot.messages USING (true)`,
  'makes a trigger': `CREATE FUNCTION pg_temp.t() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL;END';
    CREATE TRIGGER t BEFORE INSERT ON offshoot.messages FOR EACH ROW EXECUTE FUNCTION pg_temp.t()`,
  'makes a rule': `CREATE RULE r AS ON INSERT TO offshoot.messages DO INSTEAD NOTHING`,
  'makes an index': `CREATE INDEX ON offshoot.messages (data)`,
  'makes a table there': `CREATE TABLE offshoot.mine (a int)`,
  'replaces a function': `CREATE OR REPLACE FUNCTION offshoot.is_service() RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
  'drops the schema': `DROP SCHEMA offshoot CASCADE`,
  'drops the database': `DROP DATABASE postgres`,
  'makes itself a member': `GRANT offshoot_admin TO CURRENT_USER`,
  'makes a role': `CREATE ROLE forged SUPERUSER`,
  'changes its own role': `ALTER ROLE CURRENT_USER SUPERUSER`,
  'changes a password': `ALTER ROLE ana PASSWORD 'x'`,
  'takes a sequence': `SELECT nextval(c.oid::regclass) FROM pg_class c WHERE relkind = 'S' AND relnamespace = 'offshoot'::regnamespace`,
  'sets a sequence': `SELECT setval(c.oid::regclass, 1) FROM pg_class c WHERE relkind = 'S' AND relnamespace = 'offshoot'::regnamespace`,
  'ends others': `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ana'`,
  'cancels others': `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'ana'`,
  'locks a table': `BEGIN; LOCK TABLE offshoot.messages IN ACCESS EXCLUSIVE MODE`,
  'locks a row': `BEGIN; SELECT * FROM offshoot.chats FOR UPDATE`,
  'calls wrong channels': `NOTIFY offshoot, '1'';DROP SCHEMA offshoot;--'`,
  'floods a channel': `SELECT pg_notify('offshoot', 'x' || n) FROM generate_series(1, 100) n`,
  analyzes: `ANALYZE offshoot.messages; SELECT most_common_vals::text FROM pg_stats WHERE tablename = 'messages'`,
  'resets statistics': `SELECT pg_stat_reset()`,
  'changes the server': `ALTER SYSTEM SET log_statement = 'all'`,
  ...Object.fromEntries(
    tables.split(' ').flatMap((table) => [
      [`reads ${table}`, `SELECT * FROM offshoot.${table}`],
      [`writes ${table}`, `UPDATE offshoot.${table} SET chat = 1`],
      [`deletes from ${table}`, `DELETE FROM offshoot.${table}`],
      [`empties ${table}`, `TRUNCATE offshoot.${table} CASCADE`],
      [`adds to ${table}`, `INSERT INTO offshoot.${table} DEFAULT VALUES`],
    ]),
  ),
};

const roles = {
  bob: 'a member with whom nothing is shared',
  carol: 'a member with whom another chat is shared',
  eve: 'one who is no member',
} as const;

describe('attack: SQL in a store on a PostgreSQL server', () => {
  let url: (role?: string) => string;
  let ana: PostgresContextStore;
  let admin: pg.Client;
  let facts: Readonly<Record<string, string>> = {};
  let dataBefore = '';
  let rulesBefore = '';
  const clients = new RoleClients((role) => url(role));

  const rowsOf = async (sql: string): Promise<string> =>
    JSON.stringify((await admin.query<Record<string, unknown>>(sql)).rows);

  /** All that Ana has. */
  const whole = () =>
    rowsOf(`SELECT
      (SELECT json_agg(c ORDER BY key) FROM (SELECT key, id, owner, title, access, trashed_at FROM offshoot.chats) c),
      (SELECT json_agg(m ORDER BY m.chat, m.key) FROM offshoot.messages m),
      (SELECT json_agg(b ORDER BY b.chat, b.name) FROM offshoot.branches b),
      (SELECT json_agg(d) FROM offshoot.drafts d WHERE user_id = 'ana'),
      (SELECT json_agg(json_build_array(b.hash, b.bytes) ORDER BY hash) FROM offshoot.blobs b),
      (SELECT count(*) FROM offshoot.events WHERE chat IN (SELECT key FROM offshoot.chats WHERE owner = 'ana')),
      (SELECT count(*) FROM offshoot.checkpoints)`);

  /** What says who may do what. */
  const rules = () =>
    rowsOf(`SELECT
      (SELECT json_agg(p ORDER BY tablename, policyname) FROM pg_policies p WHERE schemaname = 'offshoot'),
      (SELECT json_agg(json_build_array(relname, relrowsecurity, relacl) ORDER BY relname) FROM pg_class
        WHERE relnamespace = 'offshoot'::regnamespace),
      (SELECT json_agg(json_build_array(proname, md5(prosrc), proacl) ORDER BY oid) FROM pg_proc
        WHERE pronamespace = 'offshoot'::regnamespace),
      (SELECT json_agg(json_build_array(rolname, rolsuper, rolcreaterole) ORDER BY oid) FROM pg_roles)`);

  before(async () => {
    await databases.addPeople('ana', 'bob', 'carol');
    url = await databases.create('whole');
    const server = await databases.started();
    await asAdmin(server, 'postgres', async (client) => {
      const { rowCount } = await client.query(`SELECT 1 FROM pg_roles WHERE rolname = 'eve'`);
      if (rowCount === 0) await client.query('CREATE ROLE eve LOGIN');
    });
    ana = clients.store('ana');
    const engine = (chatId: string) => new ContextEngine({ store: ana, chatId, userId: 'ana' });
    const hash = await ana.blobs.put(new TextEncoder().encode(SECRET));
    await engine('chat')
      .set(user(`${SECRET} offshoot-blob:${hash}`, { id: 'q1' }), assistant('kept', { id: 'a1' }))
      .save();
    await engine('shared')
      .set(user('for all', { id: 's1' }))
      .save();
    await ana.shareChat('shared', 'read');
    const message = textMessage('d', 'assistant', SECRET);
    await ana.saveDraft({ chatId: 'chat', branch: 'main', message });
    admin = await clients.client('offshoot_admin');
    const { rows } = await admin.query<{ request: string }>(
      'SELECT request FROM offshoot.changes WHERE request IS NOT NULL LIMIT 1',
    );
    facts = { hash, request: rows[0]?.request ?? assert.fail('a write has an id') };
    dataBefore = await whole();
    rulesBefore = await rules();
  });
  after(async () => {
    await clients.close();
    databases.giveBack(url());
  });

  for (const [role, who] of Object.entries(roles)) {
    describe(`of ${who}`, () => {
      let client: pg.Client | undefined;
      const seen: unknown[] = [];
      /** With a session as new as that of a connection. */
      const session = async (): Promise<pg.Client> => {
        if (client) {
          await client.query('ROLLBACK');
          await client.query('DISCARD ALL');
          return client;
        }
        client = await clients.client(role);
        client.on('notice', ({ message }) => seen.push(message));
        return client;
      };

      for (const [what, text] of Object.entries(attacks)) {
        it(`comes to nothing when it ${what}`, async () => {
          seen.length = 0;
          const { query } = await session().then((opened) => ({ query: opened.query.bind(opened) }));
          for (const each of text.split(/;\s+/u)) {
            const sql = each.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '');
            // What follows one that fails is tried as well.
            await query<Record<string, unknown>>(sql).then(
              ({ rows }) => seen.push(rows),
              (error: unknown) => seen.push(String(error)),
            );
          }
          assert.ok(!JSON.stringify(seen).includes(SECRET), JSON.stringify(seen));
          assert.equal(await whole(), dataBefore);
        });
      }
    });
  }

  it('leaves everything to her as it was, and the rules', async () => {
    assert.equal(await rules(), rulesBefore);
    assert.equal((await ana.getPath('chat', 'a1')).length, 2);
  });

  it('holds up nothing of hers by a lock that anybody may take', async () => {
    const { chatId, ...more } = {
      chatId: 'locked',
      branch: 'main',
      expectedHead: null,
      onHeadConflict: 'error',
      newBranchAt: undefined,
      activate: true,
      messages: [],
    } as const;
    const artifact = { name: 'user:f', version: 0, mediaType: 'text/plain', hash: 'h', size: 1 };
    const shared = { userId: 'ana', user: new Map(), app: new Map(), artifacts: [artifact, artifact] };
    await ana.createChat({ id: chatId, userId: 'ana' });
    const client = await clients.client('bob');
    for (const name of ['offshoot artifacts ana', 'ana', 'locked', 'chat', 'offshoot']) {
      await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    }
    await ana.saveMessages({ chatId, ...more, shared });
    await ana.saveMessages({ chatId, ...more, shared });
    assert.deepEqual(
      (await ana.getSharedArtifacts('ana')).get('user:f')?.map(({ version }) => version),
      [0, 1, 2, 3],
    );
  });

  it('would come to something as her', async () => {
    const client = await clients.client('ana');
    for (const what of [
      'reads messages',
      'reads a path',
      'looks by a view',
      'reads a blob by its hash',
    ] as const) {
      const rows: unknown[] = [];
      for (const each of (attacks[what] ?? '').split(/;\s+/u)) {
        rows.push((await client.query(each.replace('{hash}', facts['hash'] ?? ''))).rows);
      }
      assert.ok(JSON.stringify(rows).includes(SECRET), what);
    }
  });
});
