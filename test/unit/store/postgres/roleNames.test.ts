import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';

/** Names of roles as PostgreSQL takes them: up to 63 bytes of anything but NUL. */
const names = [
  ...['rosa', 'Rosa', 'ROSA', 'rosa ', ' rosa', 'ro sa'],
  // Composed, and the same to the eye in two code points; Latin and Cyrillic; one that turns the text around.
  ...['Zo\u00eb', 'Zoe\u0308', '\u0440\u043e\u0455\u0430', 'ro\u202esa', '用户 一', 'ﷺ'],
  ...[
    'O"Brien',
    '""',
    `d'Arc`,
    `'; DROP ROLE rosa; --`,
    'back\\slash',
    'a/b@c:d?e#f',
    '%41na',
    '{"a":1}',
    'a,b',
  ],
  ...['session_user', 'null', 'undefined', '__proto__', 'offshoot_members', 'tab\tand\nline'],
  // 63 bytes each: letters, one of which is another, two bytes and four bytes a character.
  ...['x'.repeat(63), `${'x'.repeat(62)}y`, 'x'.repeat(62), `${'é'.repeat(31)}e`, `${'🦢'.repeat(15)}abc`],
];

describe('people whose names are alike, or hostile, in a store on a PostgreSQL server', () => {
  const opened: PostgresContextStore[] = [];
  let url: (role?: string) => string;
  let stores: ReadonlyMap<string, PostgresContextStore>;

  before(() => databases.addPeople(...names));
  beforeEach(async () => {
    url = await databases.create();
    stores = new Map(
      names.map((name) => [
        name,
        new PostgresContextStore({ connectionString: url(name), maxConnections: 1 }),
      ]),
    );
    opened.push(...stores.values());
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    databases.giveBack(url());
  });
  const each = <T>(
    work: (store: PostgresContextStore, name: string, index: number) => Promise<T>,
  ): Promise<T[]> => Promise.all([...stores].map(([name, store], index) => work(store, name, index)));
  const say = async (
    store: PostgresContextStore,
    name: string,
    chatId: string,
    id: string,
  ): Promise<void> => {
    await new ContextEngine({ store, chatId, userId: name }).set(user('a heron', { id })).save();
  };

  it('are each known by theirs, and see what is theirs and nothing of the others', async () => {
    assert.equal(new Set(names).size, names.length);
    await each(async (store, name, index) => {
      assert.equal((await store.open()).user, name);
      await say(store, name, `of ${index}`, 'm');
      const hash = await store.blobs.put(new TextEncoder().encode(name));
      await store.saveDraft({
        chatId: `of ${index}`,
        branch: 'main',
        message: textMessage(hash, 'assistant', name),
      });
    });
    await each(async (store, name, index) => {
      assert.deepEqual(
        (await store.listChats()).map(({ id, userId }) => [id, userId]),
        [[`of ${index}`, name]],
        name,
      );
      assert.deepEqual(
        (await store.searchAllMessages('heron')).map(({ message }) => message.chatId),
        [`of ${index}`],
      );
      assert.deepEqual(
        (await store.listDrafts()).map(({ userId, chatId }) => [userId, chatId]),
        [[name, `of ${index}`]],
      );
      assert.equal(await store.blobs.usedBytes(), Buffer.byteLength(name));
      const other = names[(index + 1) % names.length] ?? '';
      assert.equal(await store.getChat(`of ${(index + 1) % names.length}`), undefined);
      await assert.rejects(store.createChat({ id: randomUUID(), userId: other }), { code: 'not-allowed' });
      await assert.rejects(store.getSharedState({ scope: 'user', userId: other }), { code: 'not-allowed' });
    });
  });

  it('share a chat: each on a branch of their own, with drafts, presence and messages under their name', async () => {
    const [owner = ''] = names;
    const first = stores.get(owner);
    assert.ok(first);
    await say(first, owner, 'chat', 'first');
    await first.shareChat('chat', 'write');
    await each(async (store, name, index) => {
      await store.addBranch({
        chatId: 'chat',
        from: 'main',
        messageId: 'first',
        activate: true,
        event: 'rewound',
      });
      await say(store, name, 'chat', `by ${index}`);
      const branch = (await store.getActiveBranch('chat'))?.name ?? '';
      await store.saveDraft({ chatId: 'chat', branch, message: textMessage(`d${index}`, 'assistant', name) });
      await store.setPlace({ chatId: 'chat', branch });
    });
    const authors = await first.getAuthors('chat', ['first', ...names.map((_, index) => `by ${index}`)]);
    assert.deepEqual(
      authors,
      new Map([['first', owner], ...names.map((name, index) => [`by ${index}`, name] as const)]),
    );
    const sorted = (list: readonly string[]): string[] => [...list].sort();
    await each(async (store, name, index) => {
      const active = await store.getActiveBranch('chat');
      assert.equal(active?.headMessageId, `by ${index}`, name);
      assert.deepEqual(
        (await store.listDrafts('chat')).map(({ userId, message }) => [userId, message.id]),
        [[name, `d${index}`]],
      );
      const drafts = (await store.listOthersDrafts('chat')).map(({ userId }) => userId);
      assert.deepEqual(sorted(drafts), sorted(names.filter((other) => other !== name)));
      const present = await store.listPresent('chat');
      assert.deepEqual(sorted(present.map(({ userId }) => userId)), sorted(names));
      assert.deepEqual(
        present.filter(({ isSelf }) => isSelf).map(({ userId, branch }) => [userId, branch]),
        [[name, active.name]],
      );
      if (name !== owner) await assert.rejects(store.shareChat('chat', 'private'), { code: 'not-allowed' });
      // And so to SQL of their own.
      const client = new pg.Client({ connectionString: url(name) });
      await client.connect();
      const { rows } = await client.query<{ user_id: string }>(
        'SELECT user_id FROM offshoot.active_branches UNION ALL SELECT user_id FROM offshoot.drafts',
      );
      await client.end();
      assert.deepEqual(
        rows.map(({ user_id: id }) => id),
        [name, name],
      );
    });
    await first.shareChat('chat', 'private');
    await each(async (store, name) => {
      assert.equal((await store.listChats()).length, name === owner ? 1 : 0, name);
    });
  });
});
