import assert from 'node:assert/strict';
import { copyChat, moveChat, NotMovedError } from '../../../src/conversation/copyChat.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { ContextEngine } from '../../../src/engine/index.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { postgresStore } from '../../fixtures/postgres/databases.ts';
import { memoryStore } from '../../fixtures/memoryStore.ts';

const bytes = new TextEncoder().encode('a picture');

describe('a chat that goes to another store', () => {
  let local: ContextStore;
  let shared: ContextStore;
  beforeEach(async function () {
    this.timeout(60_000);
    local = memoryStore();
    shared = await postgresStore();
  });
  afterEach(async () => {
    await local.close();
    await shared.close();
  });

  /** Two branches, a checkpoint, an artifact, and a picture that a question names. */
  async function filled(store: ContextStore): Promise<string> {
    const chatId = 'chat';
    const hash = await store.blobs.put(bytes);
    const engine = new ContextEngine({ store, chatId, userId: 'me' });
    await engine.set(user('What is this?'), assistant(`offshoot-blob:${hash}`)).save();
    await store.setCheckpoint(chatId, 'here', (await head(store, chatId)) ?? '', {});
    await store.createBranch({ chatId, name: 'aside', headMessageId: await head(store, chatId) });
    await engine.set(user('And that?'), assistant('A heron')).save();
    return chatId;
  }

  async function head(store: ContextStore, chatId: string): Promise<string | null> {
    return (await store.getActiveBranch(chatId))?.headMessageId ?? null;
  }

  async function shape(store: ContextStore, chatId: string): Promise<unknown> {
    const { messages, branches, checkpoints } = await store.exportChat(chatId);
    return { messages, branches, checkpoints };
  }

  for (const [name, way] of [
    ['to the shared store', () => [local, shared]],
    ['back to this machine', () => [shared, local]],
  ] as const) {
    it(`brings all of it ${name}, and stays where it was when it is copied`, async () => {
      const [from, to] = way();
      if (!from || !to) throw new Error('There are two.');
      const chatId = await filled(from);
      const { chatId: id, missing } = await copyChat(from, chatId, { store: to, userId: 'you' });
      assert.deepEqual(missing, []);
      assert.deepEqual(await shape(to, id), await shape(from, chatId));
      assert.equal((await to.getChat(id))?.userId, 'you');
    });
  }

  it('brings the bytes that its messages name', async () => {
    const hash = await local.blobs.put(bytes);
    const engine = new ContextEngine({ store: local, chatId: 'chat', userId: 'me' });
    await engine.set(user('x'), assistant('y')).save();
    const exported = await local.exportChat('chat');
    const named = JSON.parse(
      JSON.stringify(exported).replaceAll('"y"', JSON.stringify(`offshoot-blob:${hash}`)),
    ) as typeof exported;
    const from = { exportChat: () => Promise.resolve(named), blobs: local.blobs };
    await copyChat(from, 'chat', { store: shared, userId: 'you' });
    assert.deepEqual(await shared.blobs.get(hash), bytes);
  });

  it('goes on where bytes are lost already, and says whose', async () => {
    const kept = await local.blobs.put(bytes);
    const lost = (letter: string): string => letter.repeat(64);
    const picture = (hash: string, filename?: string) => ({
      type: 'file',
      mediaType: 'image/png',
      url: `offshoot-blob:${hash}`,
      ...(filename === undefined ? {} : { filename }),
    });
    const engine = new ContextEngine({ store: local, chatId: 'chat', userId: 'me' });
    await engine.set(user('x'), assistant('y')).save();
    const exported = await local.exportChat('chat');
    const [question, answer] = exported.messages;
    assert.ok(question && answer);
    const lostNames = new Map([
      [lost('a'), 'heron.png'],
      [lost('b'), 'plan.md'],
      [lost('c'), undefined],
    ]);
    const artifact = { name: 'plan.md', version: 0, mediaType: 'text/markdown', hash: lost('b'), size: 3 };
    const parts = [picture(kept, 'kept.png'), picture(lost('a'), 'heron.png'), picture(lost('c'))];
    const damaged = {
      ...exported,
      messages: [
        { ...question, data: { id: question.id, role: 'user', parts } },
        { ...answer, effects: { artifacts: [artifact] } },
      ],
    };
    const from = {
      blobs: local.blobs,
      getSkeleton: (id: string) => local.getSkeleton(id),
      exportChat: () => Promise.resolve(damaged),
    };
    const removed: string[] = [];
    const remove = (id: string): Promise<unknown> => Promise.resolve(removed.push(id));
    const target = { store: shared, userId: 'you' };
    const all = [
      await copyChat(from, 'chat', target),
      await moveChat({ store: from, remove }, 'chat', target),
    ];
    for (const { chatId, missing } of all) {
      assert.deepEqual(new Map(missing.map(({ hash, name }) => [hash, name])), lostNames);
      assert.deepEqual(await shape(shared, chatId), {
        messages: damaged.messages,
        branches: exported.branches,
        checkpoints: [],
      });
    }
    assert.deepEqual(removed, ['chat']);
    assert.deepEqual(await shared.blobs.get(kept), bytes);
    assert.equal(await shared.blobs.get(lost('a')), undefined);
  });

  it('leaves a chat that is moved in the trash of where it was', async () => {
    const chatId = await filled(local);
    const before = await shape(local, chatId);
    const from = { store: local, remove: (id: string) => local.deleteChat(id) };
    const { chatId: id } = await moveChat(from, chatId, { store: shared, userId: 'you' });
    assert.equal(await local.getChat(chatId), undefined);
    assert.equal((await local.trash.list({})).length, 1);
    assert.deepEqual(await shape(shared, id), before);
  });

  it('loses nothing when the other store fails, or the chat grows while it is copied', async () => {
    const chatId = await filled(local);
    const before = await shape(local, chatId);
    const from = { store: local, remove: (id: string) => local.deleteChat(id) };
    const failing = {
      blobs: shared.blobs,
      getSkeleton: (id: string) => shared.getSkeleton(id),
      importChats: () => Promise.reject(new Error('The connection is lost.')),
    };
    await assert.rejects(moveChat(from, chatId, { store: failing, userId: 'you' }), /connection is lost/);
    assert.deepEqual(await shape(local, chatId), before);
    assert.deepEqual(await shared.listChats({ details: false }), []);

    const growing = {
      blobs: shared.blobs,
      getSkeleton: (id: string) => shared.getSkeleton(id),
      importChats: async (userId: string, chats: Parameters<ContextStore['importChats']>[1]) => {
        const ids = await shared.importChats(userId, chats);
        const engine = new ContextEngine({ store: local, chatId, userId: 'me' });
        await engine.set(user('One more thing')).save();
        return ids;
      },
    };
    await assert.rejects(moveChat(from, chatId, { store: growing, userId: 'you' }), NotMovedError);
    assert.notEqual(await local.getChat(chatId), undefined);
  });
});
