import assert from 'node:assert/strict';
import { HeadConflictError } from '../../../src/engine/errors.ts';
import { assistant, everyNTurns, reminder, user } from '../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { modelTextOf } from '../../../src/engine/uiMessage.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { useEngines } from '../../fixtures/useEngines.ts';

describe('an engine whose chat others change', () => {
  const { store, engine, texts, begun } = useEngines(memoryStore);

  it('saves on its branch under the name that has now', async () => {
    const context = await begun();
    await store().renameBranch('chat', 'main', 'trunk');
    const saved = await context.set(user('q2', { id: 'q2' })).save();
    assert.deepEqual([saved.branch, saved.headMessageId, context.branch], ['trunk', 'q2', 'trunk']);
    assert.deepEqual(await texts(context), ['q1', 'a1', 'q2']);
  });

  it('rewinds, edits and goes aside from a branch that was renamed', async () => {
    const context = await begun();
    await store().renameBranch('chat', 'main', 'trunk');
    assert.equal((await context.rewind('q1')).name, 'trunk-v2');
    await store().renameBranch('chat', 'trunk-v2', 'twig');
    assert.equal((await context.btw()).name, 'twig-v2');
    await store().renameBranch('chat', 'twig', 'leaf');
    assert.equal((await context.set(user('uno', { id: 'q1' })).save()).branch, 'leaf-v2');
  });

  it('stays with its branch when another gets the name it had', async () => {
    await begun();
    const first = engine();
    assert.equal((await first.rewind('q1')).name, 'main-v2');
    await store().renameBranch('chat', 'main-v2', 'mine');
    const second = engine({ branch: 'main' });
    assert.equal((await second.rewind('a1')).name, 'main-v2');
    await second.set(user('of the other')).save();
    assert.deepEqual(await texts(first), ['q1']);
    assert.equal((await first.set(assistant('mine')).save()).branch, 'mine');
    assert.deepEqual(await texts(second), ['q1', 'a1', 'of the other']);
  });

  it('keeps what is shared though its branch has moved on, without a branch of its own', async () => {
    const other = await begun();
    for (const onHeadConflict of ['error', 'fork'] as const) {
      const context = engine({ onHeadConflict });
      await context.resolve();
      await other.set(user('more')).save();
      context.state.set('user:k', onHeadConflict);
      await context.save();
      assert.equal(await other.state.get('user:k'), onHeadConflict);
    }
    assert.equal((await store().listBranches('chat')).length, 1);
  });

  it('goes on in a chat that was deleted and begun again', async () => {
    const context = await begun();
    await store().deleteChat('chat');
    await assert.rejects(context.resolve(), { code: 'chat-not-found' });
    await engine()
      .set(user('new', { id: 'n1' }))
      .save();
    assert.deepEqual(await texts(context), ['new']);
    await context.set(assistant('go on')).save();
    assert.deepEqual(await texts(engine()), ['new', 'go on']);
  });

  it('reads what others added, and what they edited stays as it was', async () => {
    const [context, other] = [await begun(), engine()];
    await other.set(user('q2', { id: 'q2' })).save();
    assert.deepEqual(await texts(context), ['q1', 'a1', 'q2']);
    await other.set(user('other q2', { id: 'q2' })).save();
    assert.deepEqual(await texts(context), ['q1', 'a1', 'q2']);
  });

  it('grafts a turn as it is there, reminders and edits included', async () => {
    const other = await begun();
    const context = engine({ onHeadConflict: 'graft' });
    await context.set(reminder('third', { when: everyNTurns(3) })).resolve();
    await other.set(user('q2')).save();
    const saved = await context.set(user('q3', { id: 'q3' })).save();
    const { messages } = await context.resolve();
    assert.deepEqual([saved.branch, messages.length], ['main', 4]);
    assert.match(modelTextOf(messages.at(-1) ?? { parts: [] }), /third/);
    await other.resolve();
    await other.set(user('q4')).save();
    assert.equal((await context.set(user('q3 again', { id: 'q3' })).save()).branch, 'main-v2');
    assert.deepEqual(await texts(context), ['q1', 'a1', 'q2', 'q3 again']);
    assert.deepEqual(await texts(other), ['q1', 'a1', 'q2', 'q3', 'q4']);
  });

  it('gives a turn up after many races, and loses nothing of it', async () => {
    const other = await begun();
    let isRacing = true;
    const race = async (): Promise<void> => {
      await other.resolve();
      if (isRacing) await other.set(user('faster')).save();
    };
    const context = engine({ store: raced(store(), race), onHeadConflict: 'graft' });
    context.set(user('mine', { id: 'mine' })).state.set('k', 1);
    await assert.rejects(context.save(), HeadConflictError);
    assert.deepEqual(
      [context.pending.list().map(({ id }) => id), context.pendingEffects()],
      [['mine'], { state: { set: { k: 1 } } }],
    );
    isRacing = false;
    assert.deepEqual((await context.save()).messageIds, ['mine']);
    assert.equal((await store().listBranches('chat')).length, 1);
    assert.equal(await other.state.get('k'), 1);
  });
});

/** The store, on which another engine does something right before each save. */
function raced(store: ContextStore, race: () => Promise<void>): ContextStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...given: unknown[]) => unknown;
      if (name !== 'saveMessages') return call;
      return async (...given: unknown[]) => {
        await race();
        return call(...given);
      };
    },
  });
}
