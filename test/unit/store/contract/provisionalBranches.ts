import assert from 'node:assert/strict';
import type { BranchData, StoreChange } from '../../../../src/engine/graph.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { textMessage } from '../../../../src/engine/uiMessage.ts';
import { namesOf, storeActions, type OpenStore } from './actions.ts';

/** What every store does with the numbers of branches, and with those made by a click. @param open makes an empty one */
export function specifyProvisionalBranches(place: string, open: OpenStore): void {
  describe(`the branches of a store ${place} that nobody named`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);
    const provisional = (messageId: string | null, from = 'main'): Promise<BranchData> =>
      store.addBranch({
        chatId: 'chat',
        from,
        messageId,
        activate: true,
        event: 'rewound',
        naming: 'flat',
        isProvisional: true,
      });
    const names = async (): Promise<string[]> =>
      namesOf(await store.listBranches('chat', { includeArchived: true }));

    beforeEach(async () => {
      await started();
      await save(['a', 'b']);
    });

    it('are numbered in one row where that is asked for, also below one with a name', async () => {
      const flat = {
        chatId: 'chat',
        messageId: 'a',
        activate: true,
        event: 'rewound',
        naming: 'flat',
      } as const;
      assert.equal((await store.addBranch({ ...flat, from: 'main' })).name, 'main-v2');
      assert.equal((await store.addBranch({ ...flat, from: 'main-v2' })).name, 'main-v3');
      await store.renameBranch('chat', 'main-v3', 'idea');
      assert.equal((await store.addBranch({ ...flat, from: 'idea' })).name, 'main-v4');
      assert.equal((await branchAt('a', 'main-v2')).name, 'main-v2-v2', 'nested is the default');
      const edited = await store.saveMessages({
        chatId: 'chat',
        branch: 'main-v2-v2',
        expectedHead: 'a',
        onHeadConflict: 'error',
        activate: true,
        newBranchAt: { messageId: null },
        naming: 'flat',
        messages: [],
      });
      assert.equal(edited.branch.name, 'main-v2-v2', 'nothing to save makes no branch');
    });

    it('never get a number of that row that another had, whatever became of that one', async () => {
      const flat = { messageId: 'a', activate: false, event: 'rewound', naming: 'flat' } as const;
      const next = async (): Promise<string> =>
        (await store.addBranch({ chatId: 'chat', from: 'main', ...flat })).name;
      assert.deepEqual([await next(), await next()], ['main-v2', 'main-v3']);
      const entry = await store.deleteBranch('chat', 'main-v3');
      assert.equal(await next(), 'main-v4');
      await store.trash.empty({ ids: [entry.id] });
      await store.renameBranch('chat', 'main-v4', 'idea');
      assert.equal(await next(), 'main-v5');
    });

    it('are dropped with the step that leaves them, which tells of it', async () => {
      const changes: StoreChange[] = [];
      assert.equal((await provisional('a')).name, 'main-v2');
      const subscription = store.onDidChange((change) => changes.push(change));
      await store.activateBranch('chat', 'main');
      subscription.dispose();
      assert.deepEqual(await names(), ['main']);
      assert.deepEqual(changes, [
        { kind: 'branch', chatId: 'chat', branch: 'main', change: 'switched' },
        { kind: 'branch', chatId: 'chat', branch: 'main-v2', change: 'dropped' },
      ]);
      const [dropped] = await store.listEvents('chat', { kind: 'branch-dropped' });
      assert.deepEqual(
        [dropped?.branch, dropped?.messageId, dropped?.details],
        ['main-v2', 'a', { from: 'main' }],
      );
    });

    it('leave what was made from them where they came from', async () => {
      await provisional('b');
      const next = await provisional('a', 'main-v2');
      assert.equal(next.name, 'main-v3');
      assert.deepEqual(await names(), ['main', 'main-v3']);
      assert.equal((await store.getBranch('chat', 'main-v3'))?.parentBranch, 'main');
    });

    it('come back under their name, and go again', async () => {
      await provisional(null);
      await store.activateBranch('chat', 'main');
      const request = { chatId: 'chat', name: 'main-v2', headMessageId: null, from: 'main' };
      await store.createBranch({ ...request, activate: true, isProvisional: true });
      await store.logEvent({ chatId: 'chat', kind: 'undone', branch: 'main-v2' });
      assert.deepEqual(await names(), ['main', 'main-v2']);
      await store.activateBranch('chat', 'main');
      assert.deepEqual(await names(), ['main']);
    });

    const holding: [string, () => Promise<unknown>][] = [
      ['something was said', () => save(['c'], { branch: 'main-v2', expectedHead: 'a' })],
      ['it got a name', () => store.renameBranch('chat', 'main-v2', 'idea')],
      ['a checkpoint was set on it', () => store.setCheckpoint('chat', 'here', 'a')],
      ['it was kept', () => store.logEvent({ chatId: 'chat', kind: 'branch-kept', branch: 'main-v2' })],
      [
        'an answer is on its way',
        () =>
          store.saveDraft({
            chatId: 'chat',
            branch: 'main-v2',
            message: textMessage('d', 'assistant', 'so far'),
          }),
      ],
    ];
    for (const [what, hold] of holding) {
      it(`stay where ${what}`, async () => {
        await provisional('a');
        await hold();
        await store.activateBranch('chat', 'main');
        assert.equal((await names()).length, 2);
      });
    }

    it('stay where another user is on them, and go with the last who leaves', async () => {
      await provisional('a');
      await store.activateBranch('chat', 'main-v2', { userId: 'bob' });
      await store.activateBranch('chat', 'main');
      assert.deepEqual(await names(), ['main', 'main-v2']);
      await store.activateBranch('chat', 'main', { userId: 'bob' });
      assert.deepEqual(await names(), ['main']);
      await provisional('a');
      await store.activateBranch('chat', 'main-v3', { userId: 'bob' });
      await store.activateBranch('chat', 'main', { userId: 'bob' });
      assert.deepEqual(await names(), ['main', 'main-v3'], 'the owner is still on it');
    });

    it('stay where nobody said that they were made by a click', async () => {
      await branchAt('a');
      await store.activateBranch('chat', 'main');
      assert.deepEqual(await names(), ['main', 'main-v2']);
    });
  });
}
