import assert from 'node:assert/strict';
import { nextBranchName } from '../../../src/engine/branchNames.ts';
import { ContextEngine, type ContextEngineOptions } from '../../../src/engine/contextEngine.ts';
import { DamagedDataError, InvalidNameError } from '../../../src/engine/errors.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { visualizeGraph } from '../../../src/engine/visualizeGraph.ts';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, MemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

describe('what other systems get wrong', () => {
  let time: number;
  let connection: Connection;
  let store: SqlContextStore;

  beforeEach(async () => {
    time = 1_000;
    connection = new Connection(await loadSqlite(sqliteWasm));
    migrate(connection);
    store = new SqlContextStore({
      open: () => Promise.resolve(new MemoryDatabase(connection)),
      blobs: new MemoryBlobStore(),
      now: () => time,
    });
  });
  afterEach(() => store.close());

  const engine = (options: Partial<ContextEngineOptions> = {}): ContextEngine =>
    new ContextEngine({ store, chatId: 'chat', userId: 'ann', ...options });
  const texts = async (context: ContextEngine): Promise<string[]> =>
    (await context.resolve()).messages.map(textOf);
  const pathOf = async (branch: string): Promise<string[]> => texts(engine({ branch }));
  const talked = async (): Promise<ContextEngine> => {
    const context = engine().set(
      user('one', { id: 'q1' }),
      assistant('1', { id: 'a1' }),
      user('two', { id: 'q2' }),
      assistant('2', { id: 'a2' }),
    );
    await context.save();
    return context;
  };

  it('editing the first message leaves it and all that follows as they were', async () => {
    const context = await talked();
    await context.set(user('uno', { id: 'q1' })).save();
    assert.deepEqual(await texts(context), ['uno']);
    assert.deepEqual(await pathOf('main'), ['one', '1', 'two', '2']);
  });

  it('editing in the middle cuts nothing off', async () => {
    const context = await talked();
    await context.set(assistant('I', { id: 'a1' })).save();
    assert.deepEqual(await texts(context), ['one', 'I']);
    assert.deepEqual(await pathOf('main'), ['one', '1', 'two', '2']);
  });

  it('several edits in one save land on one new branch, in order, and none in the old one', async () => {
    const context = await talked();
    context.set(user('uno', { id: 'q1' }), assistant('I', { id: 'a1' }), user('dos', { id: 'q2' }));
    await context.save();
    assert.deepEqual(await texts(context), ['uno', 'I', 'dos']);
    assert.deepEqual(await pathOf('main'), ['one', '1', 'two', '2']);
    assert.deepEqual(
      (await store.listBranches('chat')).map(({ name }) => name),
      ['main', 'main-v2'],
    );
  });

  it('the same id twice before a save says the message again, once', async () => {
    const context = engine().set(user('draft', { id: 'x' }), assistant('a'), user('final', { id: 'x' }));
    await context.save();
    assert.deepEqual(await texts(context), ['final', 'a']);
  });

  it('the same id in two chats is two messages', async () => {
    await talked();
    const other = engine({ chatId: 'other' }).set(user('mine', { id: 'q1' }));
    await other.save();
    assert.deepEqual(await texts(other), ['mine']);
    assert.deepEqual(await pathOf('main'), ['one', '1', 'two', '2']);
  });

  it('a save that fails leaves no message, no branch and no event, and keeps what is pending', async () => {
    const context = await talked();
    const events = (await context.events()).length;
    context.set(user('uno', { id: 'q1' }), user({ role: 'user', parts: [{ type: 'data', at: 1n }] }));
    await assert.rejects(context.save(), { code: 'not-storable' });
    assert.equal((await store.getGraph('chat')).nodes.length, 4);
    assert.equal((await store.listBranches('chat')).length, 1);
    assert.equal((await context.events()).length, events);
    assert.equal((await context.rewind('q1')).clearedPending, 2);
  });

  it('metadata that two engines change is merged', async () => {
    const [first, second] = [await talked(), engine()];
    await second.resolve();
    await first.updateChat({ title: 'Title', metadata: { a: 1 } });
    await second.updateChat({ metadata: { b: 2 } });
    const chat = await store.getChat('chat');
    assert.deepEqual([chat?.title, chat?.metadata], ['Title', { a: 1, b: 2 }]);
  });

  it('usage that two engines track is added up', async () => {
    const [first, second] = [await talked(), engine()];
    await first.trackUsage({ inputTokens: 10, outputTokens: 1, raw: { any: 'thing' } });
    await second.trackUsage({ inputTokens: 5 });
    assert.deepEqual((await store.getChat('chat'))?.metadata, {
      usage: { inputTokens: 15, outputTokens: 1 },
    });
  });

  it("another user neither reads, finds nor deletes one's chat", async () => {
    await talked();
    assert.equal(await store.getChat('chat', { userId: 'bob' }), undefined);
    assert.deepEqual(await store.listChats({ userId: 'bob' }), []);
    assert.equal(await store.deleteChat('chat', { userId: 'bob' }), false);
    await assert.rejects(engine({ userId: 'bob' }).save(), { code: 'chat-not-found' });
  });

  it('a checkpoint has the id that is stored, also when it is moved', async () => {
    const context = await talked();
    const first = await context.checkpoint('here', { messageId: 'q1' });
    const moved = await context.checkpoint(' here ');
    assert.equal(moved.id, first.id);
    assert.deepEqual(await store.getCheckpoint('chat', 'here'), moved);
    assert.equal(moved.messageId, 'a2');
  });

  it('what was pending when one left is counted, never silently gone', async () => {
    const context = await talked();
    context.set(user('pending'));
    context.state.set('k', 1);
    assert.equal((await context.rewind('a1')).clearedPending, 2);
    context.set(user('pending'));
    assert.equal((await context.switchBranch('main')).clearedPending, 1);
    await context.checkpoint('c');
    assert.equal((await context.restore('c')).clearedPending, 0);
  });

  it('a taken name is skipped', async () => {
    const context = await talked();
    await context.rewind('q1');
    await store.renameBranch('chat', 'main-v2', 'main-v7');
    await context.switchBranch('main');
    assert.equal((await context.rewind('q1')).name, 'main-v8');
  });

  it('only exact versions count', () => {
    const taken = ['main', 'main-vacation', 'main-v2x', 'main-v2-v9', 'main-v02', 'mainly-v5'];
    assert.equal(nextBranchName('main', taken), 'main-v2');
    assert.equal(nextBranchName('main-v2', taken), 'main-v2-v10');
  });

  it('switching to a branch there is not leaves the active one active', async () => {
    const context = await talked();
    await assert.rejects(context.switchBranch('nowhere'), { message: 'Branch "nowhere" not found' });
    assert.equal((await store.getActiveBranch('chat'))?.name, 'main');
  });

  it('a cycle cannot be written', async () => {
    await talked();
    assert.throws(() =>
      connection.transact((transaction) => {
        transaction.run('UPDATE messages SET parentKey = (SELECT max(key) FROM messages) WHERE id = ?', [
          'q1',
        ]);
      }),
    );
  });

  it('a file damaged into a cycle is reported and hangs nothing', async () => {
    await talked();
    connection.execute('PRAGMA ignore_check_constraints = ON');
    connection.execute("UPDATE messages SET parentKey = (SELECT max(key) FROM messages) WHERE id = 'q2'");
    await assert.rejects(store.getPath('chat', 'a2'), DamagedDataError);
    await assert.rejects(engine().resolve(), DamagedDataError);
  });

  it('a conversation of more than 100,000 messages comes back whole, and is deleted whole', async function () {
    this.timeout(60_000);
    const context = engine();
    context.set(...Array.from({ length: 100_001 }, (_, index) => user(`m${index}`, { id: `m${index}` })));
    await context.save();
    const { messages } = await engine().resolve();
    assert.equal(messages.length, 100_001);
    assert.equal(messages.at(-1)?.id, 'm100000');
    const picture = visualizeGraph(await store.getGraph('chat'));
    assert.equal(picture.split('\n').length, 100_001);
    assert.ok(picture.length < 100_001 * 40, 'the picture grows with the chat, not with its square');
    assert.equal(await store.deleteChat('chat'), true);
    assert.equal(await store.getChat('chat'), undefined);
    assert.equal((await store.trash.empty()).messages, 100_001);
    assert.equal(connection.get('SELECT count(*) AS n FROM messages')?.['n'], 0);
    assert.equal(connection.get('SELECT count(*) AS n FROM messageTexts_docsize')?.['n'], 0);
  });

  it('lists have an order also within one millisecond', async () => {
    for (const id of ['a', 'b', 'c']) await engine({ chatId: id }).set(user(id)).save();
    assert.deepEqual(
      (await store.listChats()).map(({ id }) => id),
      ['c', 'b', 'a'],
    );
    const context = await talked();
    for (const name of ['x', 'y', 'z']) await context.checkpoint(name);
    assert.deepEqual(
      (await store.listCheckpoints('chat')).map(({ name }) => name),
      ['x', 'y', 'z'],
    );
  });

  it('a save is seen in the time of the last change', async () => {
    const context = await talked();
    time = 5_000;
    await context.set(user('later')).save();
    assert.equal((await store.getChat('chat'))?.updatedAt, 5_000);
    assert.equal(context.chat?.updatedAt, 5_000);
  });

  it('a clock that gives no time is refused, and what is pending stays', async () => {
    const context = await talked();
    context.set(user('later', { id: 'q3' }));
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY, -1, 8.64e15 + 1_000]) {
      time = none;
      await assert.rejects(context.save(), { code: 'invalid-argument', message: /clock/ });
      await assert.rejects(context.checkpoint('here'), { code: 'invalid-argument' });
    }
    time = 5_000.9;
    await context.save();
    assert.equal((await store.getMessage('chat', 'q3'))?.createdAt, 5_000);
    await store.importChats('ann', [await store.exportChat('chat')]);
  });

  it('search reads what people wrote, not how it is stored, and takes any punctuation', async () => {
    const context = engine().set(
      user("what's a foo-bar?", { id: 'q' }),
      assistant('A *prefix* is found, "quoted" or not.', { id: 'a' }),
    );
    await context.save();
    const found = async (query: string, roles?: string[]): Promise<string[]> =>
      (await store.searchMessages('chat', query, roles ? { roles } : {})).map(({ message }) => message.id);
    for (const query of ["what's", 'foo-bar', 'FOO', '"a foo"', 'foo OR', 'NOT foo', 'foo*', 'wha']) {
      assert.deepEqual(await found(query), ['q'], query);
    }
    assert.deepEqual(await found('prefix found'), ['a']);
    assert.deepEqual(await found('pre'), ['a']);
    for (const query of ['', '   ', '"', '***', '(', 'parts', 'type text', 'role']) {
      assert.deepEqual(await found(query), [], query);
    }
    assert.deepEqual(await found('a', ['assistant']), ['a']);
    const [hit] = await store.searchMessages('chat', 'quoted');
    assert.match(hit?.snippet ?? '', /\[quoted\]/);
  });

  it('an engine and a store that were closed say so, and closing twice does no harm', async () => {
    const context = await talked();
    await context.close();
    await context.close();
    await assert.rejects(context.resolve(), { code: 'closed' });
    await store.close();
    await store.close();
    await assert.rejects(store.listChats(), { code: 'closed' });
  });

  it('names and ids are stored as they are, or refused with a reason', async () => {
    const odd = ["it's", '"quoted"', 'emoji 👩‍👩‍👧', 'a/b\\c', '%_*', ' padded '];
    for (const id of odd) {
      const context = engine({ chatId: `chat ${id}` }).set(user('x', { id }));
      await context.save();
      assert.equal((await context.rewind(id)).headMessageId, id);
      assert.equal((await context.checkpoint(id)).name, id.trim());
    }
    const context = await talked();
    for (const name of ['', '   ', 'x'.repeat(201), 'a\nb', 'a\0b', 'half \uD83D']) {
      await assert.rejects(context.checkpoint(name), InvalidNameError, JSON.stringify(name));
      await assert.rejects(store.renameBranch('chat', 'main', name), InvalidNameError, JSON.stringify(name));
    }
    for (const id of ['', 'x'.repeat(1_001), 'a\0b', 'half \uD83D']) {
      assert.throws(() => engine({ chatId: id }), InvalidNameError);
      await assert.rejects(
        async () => engine().set(user('x', { id })).save(),
        InvalidNameError,
        JSON.stringify(id),
      );
    }
  });

  it('what JSON cannot hold is refused before anything is stored, with the path to it', async () => {
    const own: Record<string, unknown> = {};
    own['self'] = own;
    const culprits: [unknown, string][] = [
      [() => 1, 'message.parts[0].x'],
      [1n, 'message.parts[0].x'],
      [own, 'message.parts[0].x.self'],
      [[1, undefined], 'message.parts[0].x[1]'],
      [Number.NaN, 'message.parts[0].x'],
      ['half \uD83D', 'message.parts[0].x'],
      [new Map(), 'message.parts[0].x'],
      [Symbol('s'), 'message.parts[0].x'],
    ];
    for (const [x, path] of culprits) {
      const context = engine().set(user({ role: 'user', parts: [{ type: 'data', x }] }));
      await assert.rejects(context.save(), { code: 'not-storable', path });
      assert.equal((await store.getGraph('chat')).nodes.length, 0);
    }
  });
});
