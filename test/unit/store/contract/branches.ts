import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { idsOf, namesOf, storeActions, type OpenStore } from './actions.ts';

/** What every store does with branches. @param open makes an empty one */
export function specifyBranches(place: string, open: OpenStore): void {
  describe(`the branches of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);

    beforeEach(async () => {
      await started();
      await save(['a', 'b']);
    });

    it('are listed in the order they were made, one of them active', async () => {
      const second = await branchAt('a');
      const third = await branchAt(null, 'main', false);
      assert.deepEqual([second.name, second.messageCount, second.forkMessageId], ['main-v2', 1, 'a']);
      assert.deepEqual([third.name, third.headMessageId, third.isActive], ['main-v3', null, false]);
      assert.equal(third.parentBranch, 'main');
      const all = await store.listBranches('chat');
      assert.deepEqual(namesOf(all), ['main', 'main-v2', 'main-v3']);
      assert.deepEqual(
        all.map(({ isActive }) => isActive),
        [false, true, false],
      );
      await assert.rejects(branchAt('x'), { code: 'message-not-found' });
      await assert.rejects(branchAt('a', 'none'), { code: 'branch-not-found' });
      assert.equal((await store.listBranches('chat')).length, 3);
    });

    it('are made under a name of the caller, at any message or none, and only made active when asked', async () => {
      const made = await store.createBranch({ chatId: 'chat', name: ' idea ', headMessageId: 'a' });
      assert.deepEqual(
        [made.name, made.headMessageId, made.forkMessageId, made.messageCount, made.isActive],
        ['idea', 'a', 'a', 1, false],
      );
      assert.equal(made.parentBranch, undefined);
      const request = { chatId: 'chat', name: 'empty', headMessageId: null, from: 'idea', activate: true };
      const empty = await store.createBranch(request);
      assert.deepEqual([empty.parentBranch, empty.messageCount, empty.isActive], ['idea', 0, true]);
      assert.deepEqual(namesOf(await store.listBranches('chat')), ['main', 'idea', 'empty']);
      assert.equal((await store.getActiveBranch('chat'))?.name, 'empty');
      assert.equal((await store.listEvents('chat', { limit: 1 }))[0]?.kind, 'branch-created');
      for (const [bad, code] of [
        [{ name: 'idea' }, 'branch-exists'],
        [{ headMessageId: 'x' }, 'message-not-found'],
        [{ from: 'none' }, 'branch-not-found'],
        [{ name: '\n' }, 'invalid-name'],
        [{ chatId: 'none' }, 'chat-not-found'],
      ] as const) {
        await assert.rejects(store.createBranch({ ...request, name: 'new', ...bad }), { code });
      }
      assert.equal((await store.listBranches('chat')).length, 3);
    });

    it('are activated, one at a time', async () => {
      await branchAt('a');
      assert.equal((await store.activateBranch('chat', 'main')).isActive, true);
      assert.equal((await store.getActiveBranch('chat'))?.name, 'main');
      await assert.rejects(store.activateBranch('chat', 'none'), { code: 'branch-not-found' });
      assert.equal((await store.getActiveBranch('chat'))?.name, 'main');
    });

    it('are renamed to a name that is free', async () => {
      await branchAt('a');
      const renamed = await store.renameBranch('chat', 'main', '  trunk ');
      assert.equal(renamed.name, 'trunk');
      assert.equal((await store.getBranch('chat', 'trunk'))?.id, renamed.id);
      assert.equal(await store.getBranch('chat', 'main'), undefined);
      await assert.rejects(store.renameBranch('chat', 'trunk', 'main-v2'), { code: 'branch-exists' });
      assert.equal((await store.renameBranch('chat', 'trunk', 'trunk')).name, 'trunk');
      await assert.rejects(store.renameBranch('chat', 'main', 'x'), { code: 'branch-not-found' });
    });

    it('are archived out of the list and back, except the active one', async () => {
      await branchAt('a');
      await assert.rejects(store.archiveBranch('chat', 'main-v2'), { code: 'branch-active' });
      assert.ok((await store.archiveBranch('chat', 'main')).archivedAt !== undefined);
      assert.deepEqual(namesOf(await store.listBranches('chat')), ['main-v2']);
      assert.equal((await store.listBranches('chat', { includeArchived: true })).length, 2);
      assert.deepEqual(idsOf((await store.getGraph('chat')).nodes), ['a', 'b']);
      assert.equal((await store.unarchiveBranch('chat', 'main')).archivedAt, undefined);
      assert.equal((await store.listBranches('chat')).length, 2);
    });
  });
}
