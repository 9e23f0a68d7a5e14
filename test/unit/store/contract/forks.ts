import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { idsOf, message, storeActions, type OpenStore } from './actions.ts';

/** Which branches every store knows to lead to a message, and the ways that part at one. @param open makes an empty one */
export function specifyForks(place: string, open: OpenStore): void {
  describe(`the forks of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);

    it('says which branch leads to a message: the active one, else the newest that is visible', async () => {
      await started();
      await save(['a', 'b', 'c']);
      await branchAt('b');
      await branchAt('b');
      const leadingTo = async (id: string): Promise<string | undefined> =>
        (await store.findBranchWith('chat', id))?.name;
      assert.deepEqual(
        [await leadingTo('a'), await leadingTo('b'), await leadingTo('c')],
        ['main-v3', 'main-v3', 'main'],
      );
      await store.activateBranch('chat', 'main');
      assert.equal(await leadingTo('a'), 'main');
      await branchAt(null);
      assert.equal(await leadingTo('a'), 'main-v3');
      await store.archiveBranch('chat', 'main-v3');
      assert.equal(await leadingTo('a'), 'main-v2');
      await assert.rejects(store.findBranchWith('chat', 'x'), { code: 'message-not-found' });
    });

    it('says that a conversation leads to a message before what was explored for it does', async () => {
      await started();
      await save(['q', message('a', { name: 'assistant' })]);
      await store.saveMessages({
        chatId: 'chat',
        branch: 'main',
        expectedHead: 'a',
        onHeadConflict: 'error',
        activate: false,
        newBranchAt: { messageId: 'q', why: 'explore' },
        messages: [message('task')],
      });
      const { name: edited } = await branchAt(null);
      await store.activateBranch('chat', edited);
      const leadingTo = async (id: string): Promise<string | undefined> =>
        (await store.findBranchWith('chat', id))?.name;
      assert.deepEqual([await leadingTo('q'), await leadingTo('task')], ['main', 'main-v2']);
      await store.archiveBranch('chat', 'main');
      assert.equal(await leadingTo('q'), 'main-v2');
    });

    it('are no ways to choose from between a question and an answer', async () => {
      await started();
      await save(['q', message('a', { name: 'assistant' })]);
      await branchAt('q');
      await save(['aside'], { branch: 'main-v2', expectedHead: 'q' });
      assert.deepEqual([...(await store.getSiblings('chat', ['q', 'a', 'aside']))], []);
    });

    it('lead from a fork to the branch that was used last, and name the ways there', async () => {
      await started();
      await save(['q', 'a']);
      await branchAt('q');
      await save(['b', 'b2'], { branch: 'main-v2', expectedHead: 'q' });
      await branchAt('b', 'main-v2');
      await save(['c'], { branch: 'main-v2-v2', expectedHead: 'b' });
      const siblings = await store.getSiblings('chat', ['q', 'a', 'b', 'c', 'nobody']);
      assert.deepEqual(
        [...siblings],
        [
          ['a', ['a', 'b']],
          ['b', ['a', 'b']],
          ['c', ['b2', 'c']],
        ],
      );
      assert.deepEqual(idsOf(await store.getChildren('chat', 'q')), ['a', 'b']);
      const usedWith = async (id: string): Promise<string | undefined> =>
        (await store.findBranchUsedWith('chat', id))?.name;
      assert.equal(await usedWith('b'), 'main-v2-v2');
      await store.activateBranch('chat', 'main-v2');
      await store.activateBranch('chat', 'main');
      assert.deepEqual([await usedWith('b'), await usedWith('a')], ['main-v2', 'main']);
      await store.archiveBranch('chat', 'main-v2');
      assert.equal(await usedWith('b'), 'main-v2-v2');
    });

    it('hide from a fork what only archived branches lead to', async () => {
      await started();
      await save(['q', 'a']);
      await branchAt('q');
      await save(['b'], { branch: 'main-v2', expectedHead: 'q' });
      await branchAt('q', 'main-v2');
      await save(['c'], { branch: 'main-v2-v2', expectedHead: 'q' });
      await store.archiveBranch('chat', 'main');
      assert.deepEqual((await store.getSiblings('chat', ['c'])).get('c'), ['b', 'c']);
      await store.archiveBranch('chat', 'main-v2');
      assert.equal((await store.getSiblings('chat', ['c'])).size, 0);
    });
  });
}
