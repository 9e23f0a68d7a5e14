import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import type { OpenStore } from './actions.ts';

/** What every store keeps of how a chat began, wherever one goes back to. @param open makes an empty one */
export function specifyBeginnings(place: string, open: OpenStore): void {
  describe(`what a chat began with in a store ${place}`, () => {
    let store: ContextStore;
    let session: ContextEngine;
    beforeEach(async () => {
      store = await open();
      session = engine();
      session.state.set('tenant', { id: 't1', tags: ['a'] });
      session.state.set('color', 'white');
      session.state.set('user:theme', 'dark');
      await session.artifacts.save('plan', Uint8Array.of(0), { mediaType: 'a/b' });
      await session.save();
    });
    afterEach(() => store.close());

    const engine = (chatId = 'chat'): ContextEngine => new ContextEngine({ store, chatId, userId: 'ann' });
    const turn = async (invocationId: string): Promise<void> => {
      session.set(user(`question ${invocationId}`), assistant(`answer ${invocationId}`));
      session.state.set('color', invocationId);
      session.state.set(`only ${invocationId}`, true);
      session.state.delete('missing');
      await session.artifacts.save('plan', Uint8Array.of(1), { mediaType: 'a/b' });
      await session.artifacts.save(`only ${invocationId}`, Uint8Array.of(1), { mediaType: 'a/b' });
      await session.save({ invocationId });
    };
    const seen = async (context: ContextEngine) => ({
      messages: (await context.resolve()).messages.length,
      state: Object.fromEntries(await context.state.entries()),
      artifacts: (await context.artifacts.list()).map(({ name, version }) => `${name} ${version}`),
      plan: [...((await context.artifacts.load('plan'))?.data ?? [])],
    });
    const begun = {
      messages: 0,
      state: { color: 'white', tenant: { id: 't1', tags: ['a'] }, 'user:theme': 'dark' },
      artifacts: ['plan 0'],
      plan: [0],
    };

    it('is there again before the first turn, for who is there and for who comes', async () => {
      assert.deepEqual(await seen(session), begun);
      await turn('red');
      await turn('blue');
      await session.rewindBefore({ invocationId: 'red' });
      assert.deepEqual(await seen(session), begun);
      assert.deepEqual(await seen(engine()), begun);
      await turn('green');
      await session.rewindBefore({ invocationId: 'green' });
      assert.deepEqual(await seen(session), begun);
      await session.rewindBefore({ invocationId: 'red' });
      assert.deepEqual(await seen(engine()), begun);
    });

    it('stays what no turn changed, before a later turn', async () => {
      await turn('red');
      const afterRed = await seen(session);
      assert.deepEqual(afterRed.state['tenant'], begun.state.tenant);
      await turn('blue');
      await session.rewindBefore({ invocationId: 'blue' });
      assert.deepEqual(await seen(session), afterRed);
      assert.deepEqual(await seen(engine()), afterRed);
    });

    it('is there before the first message, and by way of a checkpoint', async () => {
      await session.checkpoint('beginning');
      await session.set(user('question', { id: 'q1' })).save();
      session.state.set('color', 'red');
      await session.save();
      await session.rewindBefore('q1');
      assert.deepEqual(await seen(engine()), begun);
      await session.switchBranch('main');
      await session.restore('beginning');
      assert.deepEqual(await seen(engine()), begun);
    });

    it('is there again in a chat that was exported and imported', async () => {
      await turn('red');
      const [id = ''] = await store.importChats('ann', [await store.exportChat('chat')]);
      const imported = engine(id);
      await imported.rewindBefore({ invocationId: 'red' });
      assert.deepEqual(await seen(imported), begun);
    });
  });
}
