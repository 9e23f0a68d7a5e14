import assert from 'node:assert/strict';
import type { PortableChat } from '../../../../src/engine/portableChat.ts';
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

    /** The chat after it went to another program and came back. */
    const exportedAgain = async (): Promise<PortableChat> => {
      const written = JSON.stringify(await store.exportChat('chat'));
      const [id = ''] = await store.importChats('ann', [JSON.parse(written) as PortableChat]);
      return store.exportChat(id);
    };

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

    it('are named after one another while that fits into a name, so that the log grows by as much with each', async () => {
      const expected = ['main'];
      let version = 2;
      for (let from = 'main'; expected.length <= 140; from = expected.at(-1) ?? from) {
        const nested = `${from}-v2`;
        if (nested.length > 200) version += 1;
        expected.push(nested.length > 200 ? `main-v${version}` : nested);
        await branchAt('a', from);
      }
      assert.deepEqual(namesOf(await store.listBranches('chat')), expected);
      const sizes = (await store.listEvents('chat')).map((event) => JSON.stringify(event).length);
      assert.ok(Math.max(...sizes) < 1_000, 'no entry of the log is longer for those before it');
      assert.deepEqual(namesOf((await exportedAgain()).branches), expected);
    });

    it('are named by the length that a name may have, whatever its characters', async () => {
      await store.renameBranch('chat', 'main', '🌲'.repeat(98));
      assert.equal((await branchAt('a', '🌲'.repeat(98))).name, `${'🌲'.repeat(98)}-v2`);
      assert.equal((await branchAt('a', `${'🌲'.repeat(98)}-v2`)).name, 'main-v2');
      await store.renameBranch('chat', 'main-v2', 'x'.repeat(197));
      assert.equal((await branchAt('a', 'x'.repeat(197))).name, `${'x'.repeat(197)}-v2`);
      // The log knows a branch of the name that is free again.
      assert.equal((await branchAt('a', `${'x'.repeat(197)}-v2`)).name, 'main-v3');
      await exportedAgain();
    });

    it('skip a name that is taken, also where its number is too large to count', async () => {
      await branchAt('a');
      await store.renameBranch('chat', 'main-v2', 'main-v999999999999999');
      assert.equal((await branchAt('a')).name, 'main-v1000000000000000');
      assert.equal((await branchAt('a')).name, 'main-v1000000000000001');
    });

    it('are imported with the longer names of earlier versions, and are not named after them', async () => {
      const long = `main${'-v2'.repeat(80)}`;
      const exported = await store.exportChat('chat');
      const [chatId = ''] = await store.importChats('ann', [
        { ...exported, branches: exported.branches.map((branch) => ({ ...branch, name: long })) },
      ]);
      const request = { chatId, from: long, messageId: 'a', activate: true, event: 'rewound' } as const;
      assert.equal((await store.addBranch(request)).name, 'main-v2');
      const spoilt = exported.branches.map((branch) => ({ ...branch, name: `${long}!` }));
      const importing = store.importChats('ann', [{ ...exported, branches: spoilt }]);
      await assert.rejects(importing, { code: 'import-failed' });
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
