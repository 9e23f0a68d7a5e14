import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import type { StoreChange } from '../../../../src/engine/graph.ts';
import { textMessage, textOf } from '../../../../src/engine/uiMessage.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';
import { PostgresProxy } from '../../../fixtures/postgres/proxy.ts';
import { until } from '../../../fixtures/until.ts';

describe('what others do in a store on a PostgreSQL server', () => {
  let url: (role?: string) => string;
  let proxy: PostgresProxy;
  let ana: PostgresContextStore;
  let bob: PostgresContextStore;
  let heard: StoreChange[];
  before(() => databases.addPeople('ana', 'bob'));
  beforeEach(async () => {
    url = await databases.create();
    proxy = await PostgresProxy.before((await databases.started()).folder);
    ana = new PostgresContextStore({ connectionString: url('ana') });
    bob = new PostgresContextStore({ connectionString: proxy.url(url('bob')) });
    await ana.createChat({ id: 'chat', userId: 'ana' });
    await ana.shareChat('chat', 'write');
    heard = [];
    bob.onDidChange((change) => void heard.push(change));
    await bob.listen();
  });
  afterEach(async () => {
    await Promise.all([ana.close(), bob.close()]);
    await proxy.close();
    databases.giveBack(url());
  });
  const say = async (store: PostgresContextStore, userId: string, id: string) => {
    const engine = new ContextEngine({ store, chatId: 'chat', userId, onHeadConflict: 'fork' });
    await engine.set(user(`says ${id}`, { id })).save();
  };
  const saved = (): string[] =>
    heard.flatMap((change) => (change.kind === 'messages' ? change.messageIds : []));

  it('is told within a second, once, and what one does oneself as well', async () => {
    const begun = Date.now();
    await say(ana, 'ana', 'a');
    await until(() => saved().includes('a'), 'what Ana said');
    assert.ok(Date.now() - begun < 1_000);
    await say(bob, 'bob', 'b');
    assert.deepEqual(saved(), ['a', 'b']);
    await ana.setCheckpoint('chat', 'c', 'a');
    await until(() => heard.some(({ kind }) => kind === 'checkpoint'), 'the checkpoint');
    assert.deepEqual(saved(), ['a', 'b'], 'not twice');
  });

  it('includes chats that come to be shared, and that are kept again', async () => {
    await ana.createChat({ id: 'second', userId: 'ana' });
    await ana.shareChat('second', 'read');
    await until(() => heard.some((change) => change.chatId === 'second'), 'the chat that is shared');
    assert.equal((await bob.listChats()).length, 2);
    await ana.shareChat('second', 'private');
    await until(
      () =>
        heard.some(
          (change) => change.chatId === 'second' && change.kind === 'chat' && change.change === 'deleted',
        ),
      'its going',
    );
  });

  it('includes how an answer grows, and who is where', async () => {
    await ana.listen();
    const draft = (text: string) => ({
      chatId: 'chat',
      branch: 'main',
      message: textMessage('d', 'assistant', text),
    });
    await ana.saveDraft(draft('so'));
    await until(
      () => heard.some((change) => change.kind === 'draft' && change.change === 'saved'),
      'the draft',
    );
    await ana.saveDraft(draft('so far'));
    const [seen] = await bob.listOthersDrafts('chat');
    assert.deepEqual([seen && textOf(seen.message), seen?.isBeingWritten], ['so far', true]);
    await ana.deleteDraft('chat', 'main');
    await until(
      () => heard.some((change) => change.kind === 'draft' && change.change === 'removed'),
      'its end',
    );
    const moved: string[] = [];
    bob.onDidChangePresence((chatId) => void moved.push(chatId));
    await ana.setPlace({ chatId: 'chat', branch: 'main' });
    await until(() => moved.includes('chat'), 'Ana to come');
    await bob.setPlace({ chatId: 'chat', branch: 'main' });
    assert.deepEqual(
      (await bob.listPresent('chat')).map(({ userId, branch, isSelf }) => [userId, branch, isSelf]),
      [
        ['ana', 'main', false],
        ['bob', 'main', true],
      ],
    );
    await ana.close();
    await until(async () => (await bob.listPresent('chat')).length === 1, 'Ana to leave');
  });

  it('is caught up with when the connection was lost: calls fail at once until then, and nothing is queued', async () => {
    const states: string[] = [];
    const waits: number[] = [];
    bob.onDidChangeConnection((state) => {
      states.push(state.kind);
      if (state.kind === 'lost') waits.push(state.nextTryAt - Date.now());
    });
    proxy.goDown();
    await until(() => bob.connection.kind === 'lost', 'the loss');
    const begun = Date.now();
    await assert.rejects(bob.listChats(), { code: 'connection-lost' });
    await assert.rejects(bob.createChat({ id: 'late', userId: 'bob' }), { code: 'connection-lost' });
    assert.ok(Date.now() - begun < 500, 'at once');
    for (const id of ['a', 'b', 'c']) await say(ana, 'ana', id);
    await until(() => waits.length === 3, 'two tries in vain');
    proxy.comeBack();
    await until(() => saved().length === 3, 'what was missed');
    assert.deepEqual(saved(), ['a', 'b', 'c']);
    // Each try in vain says again when the next one is.
    assert.deepEqual([states[0], states.at(-1), new Set(states).size], ['lost', 'connected', 2]);
    // Twice as long each time, and not all windows at once.
    for (const [index, wait] of waits.entries()) {
      const planned = 200 * 2 ** index;
      assert.ok(wait > planned * 0.7 && wait < planned * 1.3, `try ${index + 1} after ${wait} ms`);
    }
    assert.equal(await bob.getChat('late'), undefined);
    await say(bob, 'bob', 'd');
  });

  it('notices a connection that is dead without a word, and calls that wait on it fail', async function () {
    this.timeout(40_000);
    // One that listens hears nothing any more; one that does not has only what it asked.
    const quiet = new PostgresContextStore({ connectionString: proxy.url(url('bob')) });
    await quiet.listChats();
    proxy.freeze();
    const begun = Date.now();
    const lost = async (store: PostgresContextStore): Promise<void> => {
      await until(() => store.connection.kind === 'lost', 'the loss', 15_000);
      assert.ok(Date.now() - begun < 15_000);
    };
    const writing = quiet.createChat({ id: 'written once', userId: 'bob' });
    await Promise.all([
      assert.rejects(bob.listChats(), { code: 'connection-lost' }),
      lost(bob),
      lost(quiet),
      say(ana, 'ana', 'a'),
    ]);
    proxy.comeBack();
    await until(() => saved().includes('a'), 'what was missed', 15_000);
    // What was on its way is asked for again, under its id.
    assert.equal((await writing).id, 'written once');
    assert.equal((await quiet.listEvents('written once')).length, 1);
    await quiet.close();
  });
});
