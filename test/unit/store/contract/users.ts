import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { textMessage, textOf } from '../../../../src/engine/uiMessage.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';
import { message, storeActions, type OpenStore } from './actions.ts';

const ANN = { userId: 'ann' };
const BOB = { userId: 'bob' };

interface Step {
  readonly do: 'switch' | 'branch' | 'archive' | 'unarchive' | 'delete' | 'restore';
  readonly by: { readonly userId: string };
  readonly at: number;
}

/** Ann archives both branches, that on which Bob begins as the last. */
const allArchivedBeneathBob: Step[] = [
  { do: 'branch', by: ANN, at: 0 },
  { do: 'archive', by: ANN, at: 0 },
  { do: 'switch', by: ANN, at: 1 },
  { do: 'archive', by: ANN, at: 0 },
];

/** What every store keeps apart for two users of one chat, of whom Ann is the owner. @param open makes an empty one */
export function specifyUsers(place: string, open: OpenStore): void {
  describe(`two users in one chat of a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save, branchAt } = storeActions(() => store);

    beforeEach(async () => {
      await started();
      await save(['a', 'b']);
      await branchAt('a');
    });
    const activeOf = async (by: { userId: string }): Promise<string | undefined> =>
      (await store.getActiveBranch('chat', by))?.name;
    const places = async (): Promise<(string | undefined)[]> => [await activeOf(ANN), await activeOf(BOB)];
    const branchOf = (by: { userId: string }, messageId: string | null, from = 'main') =>
      store.addBranch({ chatId: 'chat', from, messageId, activate: true, event: 'rewound', ...by });

    it('are each on a branch of their own, from the oldest one on', async () => {
      assert.deepEqual(await places(), ['main-v2', 'main']);
      await branchAt('a');
      assert.deepEqual(await places(), ['main-v3', 'main'], 'where Ann went');
      assert.equal((await store.activateBranch('chat', 'main-v2', BOB)).isActive, true);
      assert.deepEqual(await places(), ['main-v3', 'main-v2']);
      assert.equal((await store.getActiveBranch('chat'))?.name, 'main-v3', 'the owner is the default');
      for (const [by, active] of [
        [ANN, 'main-v3'],
        [BOB, 'main-v2'],
      ] as const) {
        const isActive = ({ name }: { name: string }): boolean => name === active;
        for (const branches of [
          await store.listBranches('chat', by),
          (await store.getGraph('chat', by)).branches,
          (await store.exportChat('chat', by)).branches,
        ]) {
          assert.deepEqual(
            branches.map((each) => each.isActive),
            branches.map(isActive),
          );
        }
        for (const name of ['main', 'main-v2', 'main-v3']) {
          assert.equal((await store.getBranch('chat', name, by))?.isActive, name === active);
        }
      }
      const [listed] = await store.listChats();
      assert.deepEqual(
        [listed?.userId, listed?.lastMessage?.text],
        ['ann', 'says a'],
        'as its owner sees it',
      );
    });

    it('go to the branches they make, and to no others', async () => {
      assert.equal((await branchOf(BOB, 'b')).isActive, true);
      assert.deepEqual(await places(), ['main-v2', 'main-v3']);
      await store.createBranch({
        chatId: 'chat',
        name: 'idea',
        headMessageId: null,
        activate: true,
        ...BOB,
      });
      assert.deepEqual(await places(), ['main-v2', 'idea']);
      const { branch } = await store.saveMessages({
        chatId: 'chat',
        branch: 'main',
        expectedHead: null,
        onHeadConflict: 'fork',
        activate: true,
        newBranchAt: undefined,
        messages: [message('c')],
        ...BOB,
      });
      assert.deepEqual([branch.name, branch.isActive], ['main-v4', true]);
      assert.deepEqual(await places(), ['main-v2', 'main-v4']);
      assert.equal((await store.getBranch('chat', 'main-v4'))?.isActive, false);
    });

    it('are led to a message by the branches they used themselves', async () => {
      await branchOf(ANN, 'a');
      await branchOf(BOB, null);
      const used = async (by: { userId: string }) =>
        (await store.findBranchUsedWith('chat', 'a', by))?.name ?? '';
      assert.deepEqual([await used(ANN), await used(BOB)], ['main-v3', 'main-v3']);
      await store.activateBranch('chat', 'main-v2', BOB);
      await store.activateBranch('chat', 'main-v4', BOB);
      assert.deepEqual([await used(ANN), await used(BOB)], ['main-v3', 'main-v2']);
      await store.activateBranch('chat', 'main', BOB);
      const leading = async (by: { userId: string }) =>
        (await store.findBranchWith('chat', 'a', by))?.name ?? '';
      assert.deepEqual([await leading(ANN), await leading(BOB)], ['main-v3', 'main']);
    });

    it('are brought to another branch when theirs is deleted or archived by the other', async () => {
      await branchOf(BOB, 'a', 'main-v2');
      await assert.rejects(store.archiveBranch('chat', 'main-v2-v2', BOB), { code: 'branch-active' });
      await assert.rejects(store.deleteBranch('chat', 'main-v2-v2', BOB), { code: 'branch-active' });
      const { id } = await store.deleteBranch('chat', 'main-v2-v2', ANN);
      assert.deepEqual(await places(), ['main-v2', 'main-v2'], 'to the one it was made from');
      await store.trash.restore(id, ANN);
      assert.deepEqual(await places(), ['main-v2', 'main-v2'], 'and nobody goes back for that');

      await store.activateBranch('chat', 'main-v2-v2', BOB);
      await store.activateBranch('chat', 'main', ANN);
      await store.archiveBranch('chat', 'main-v2', ANN);
      await store.archiveBranch('chat', 'main-v2-v2', ANN);
      assert.deepEqual(await places(), ['main', 'main'], 'not to one that is archived, but to the oldest');

      await branchOf(ANN, 'b');
      await store.activateBranch('chat', 'main', BOB);
      await store.deleteBranch('chat', 'main', ANN);
      assert.deepEqual(await places(), ['main-v3', 'main-v3'], 'nor to one that is gone');
      await branchOf(BOB, null, 'main-v3');
      await store.deleteBranch('chat', 'main-v3', BOB);
      assert.deepEqual(await places(), ['main-v3-v2', 'main-v3-v2'], 'the owner as everybody else');
    });

    it('have their branches again when the chat comes back from the trash', async () => {
      await branchOf(BOB, 'b');
      await store.deleteChat('chat');
      const [entry] = await store.trash.list();
      await store.trash.restore(entry?.id ?? '');
      assert.deepEqual(await places(), ['main-v2', 'main-v3']);
      await store.deleteChat('chat');
      await store.trash.empty();
      await started();
      assert.deepEqual(await places(), ['main', 'main']);
    });

    it('begin on the owner’s branch in a copy, which names no users', async () => {
      await store.activateBranch('chat', 'main', BOB);
      const exported = await store.exportChat('chat');
      assert.ok(!JSON.stringify(exported).includes('userId'));
      const [chatId = ''] = await store.importChats('carol', [exported]);
      assert.equal((await store.getActiveBranch(chatId))?.name, 'main-v2');
      const users = new Set((await store.listEvents(chatId)).map(({ userId }) => userId));
      assert.deepEqual([...users], ['carol']);
    });

    it('have a draft each on the same branch', async () => {
      const saveDraft = (text: string, by: object) =>
        store.saveDraft({
          chatId: 'chat',
          branch: 'main',
          message: textMessage('d', 'assistant', text),
          ...by,
        });
      await saveDraft('of Ann', {});
      await saveDraft('of Bob', BOB);
      await saveDraft('of Bob, longer', BOB);
      const drafts = async (...given: Parameters<ContextStore['listDrafts']>) =>
        (await store.listDrafts(...given)).map(({ userId, message: read }) => [userId, textOf(read)]);
      assert.deepEqual(await drafts(), [['ann', 'of Ann']]);
      assert.deepEqual(await drafts('chat', BOB), [['bob', 'of Bob, longer']]);
      await store.deleteDraft('chat', 'main', BOB);
      assert.deepEqual(await drafts(undefined, BOB), []);
      assert.deepEqual(await drafts('chat'), [['ann', 'of Ann']]);
    });

    it('are named by what they did in the log, which holds what both did', async () => {
      await branchOf(BOB, 'a');
      await store.setCheckpoint('chat', 'c', 'a', BOB);
      await store.renameCheckpoint('chat', 'c', 'd', ANN);
      await store.deleteCheckpoint('chat', 'd', BOB);
      const [entry] = await store.trash.list();
      await store.trash.restore(entry?.id ?? '', BOB);
      await store.activateBranch('chat', 'main', BOB);
      await store.renameBranch('chat', 'main-v3', 'third', ANN);
      await store.archiveBranch('chat', 'third', BOB);
      await store.unarchiveBranch('chat', 'third', ANN);
      const deleted = await store.deleteBranch('chat', 'third', BOB);
      await store.trash.restore(deleted.id, ANN);
      await store.logEvent({ chatId: 'chat', kind: 'files-restored', ...BOB });
      await store.saveTitle({ chatId: 'chat', messageId: 'a', title: 'A', ...BOB });
      const all = await store.listEvents('chat');
      assert.deepEqual(
        all.slice(3).map(({ kind, userId }) => `${userId}: ${kind}`),
        [
          'bob: rewound',
          'bob: checkpoint-set',
          'ann: checkpoint-renamed',
          'bob: checkpoint-deleted',
          'bob: checkpoint-undeleted',
          'bob: switched',
          'ann: branch-renamed',
          'bob: branch-archived',
          'ann: branch-unarchived',
          'bob: branch-deleted',
          'ann: branch-undeleted',
          'bob: files-restored',
          'bob: titled',
        ],
      );
      for (const { userId } of [ANN, BOB]) {
        const own = all.filter((event) => event.userId === userId);
        assert.deepEqual(await store.listEvents('chat', { userId }), own);
        const before = own.at(-1)?.sequence ?? 0;
        const page = { userId, before, limit: 2, kinds: own.map(({ kind }) => kind) };
        assert.deepEqual(await store.listEvents('chat', page), own.slice(-3, -1));
      }
    });

    it('are refused under an id that is none', async () => {
      const by = { userId: 'b\0b' };
      await assert.rejects(store.activateBranch('chat', 'main', by), { code: 'invalid-name' });
      await assert.rejects(store.getBranch('chat', 'main', by), { code: 'invalid-name' });
      await assert.rejects(store.setCheckpoint('chat', 'c', 'a', by), { code: 'invalid-name' });
      await assert.rejects(store.listDrafts('chat', by), { code: 'invalid-name' });
    });

    it('fuzz: never move each other but off a branch that is archived or deleted', async function () {
      this.timeout(60_000);
      const users = [ANN, BOB, { userId: 'carol' }];
      const step: fc.Arbitrary<Step> = fc.record({
        do: fc.constantFrom('switch', 'switch', 'branch', 'archive', 'unarchive', 'delete', 'restore'),
        by: fc.constantFrom(...users),
        at: fc.nat(),
      });
      let chats = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
          const chatId = `fuzz-${chats++}`;
          await store.createChat({ id: chatId, ...ANN });
          await save(['a', 'b'], { chatId });
          const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % (items.length || 1)];
          const settled = new Set([ANN]);
          const activeIds = async () =>
            Promise.all(users.map(async (by) => (await store.getActiveBranch(chatId, by))?.id));
          for (const { do: what, by, at } of steps) {
            const before = await activeIds();
            const branches = await store.listBranches(chatId, { includeArchived: true, ...by });
            const branch = pick(branches, at);
            const inactive = pick(
              branches.filter(({ isActive }) => !isActive),
              at,
            );
            let gone: string | undefined;
            switch (what) {
              case 'switch':
                if (branch) await store.activateBranch(chatId, branch.name, by);
                settled.add(by);
                break;
              case 'branch': {
                const wanted = pick([null, 'a', 'b'], at) ?? null;
                // It may have gone to the trash with its branch.
                const isThere = wanted !== null && (await store.getMessage(chatId, wanted)) !== undefined;
                const messageId = isThere ? wanted : null;
                const request = { chatId, from: branch?.name ?? 'main', messageId, ...by };
                const activate = at % 3 > 0;
                await store.addBranch({ ...request, activate, event: 'rewound' });
                if (activate) settled.add(by);
                break;
              }
              case 'archive':
                gone = inactive?.id;
                if (inactive) await store.archiveBranch(chatId, inactive.name, by);
                break;
              case 'unarchive':
                if (branch) await store.unarchiveBranch(chatId, branch.name, by);
                break;
              case 'delete':
                gone = inactive?.id;
                if (inactive) await store.deleteBranch(chatId, inactive.name, by);
                break;
              case 'restore': {
                const entry = pick(await store.trash.list({ chatId }), at);
                if (entry) await store.trash.restore(entry.id, by);
              }
            }
            const after = await activeIds();
            for (const [index, user] of users.entries()) {
              const all = await store.listBranches(chatId, { includeArchived: true, ...user });
              assert.deepEqual(
                all.filter(({ isActive }) => isActive).map(({ id }) => id),
                [after[index]],
                'exactly one is theirs',
              );
              if (user === by) continue;
              // Who has never gone anywhere is on the oldest visible one, whichever that is.
              const isMoved = !settled.has(user) || before[index] === gone;
              if (!isMoved) assert.equal(after[index], before[index], what);
              // When everything is archived, who has never gone anywhere stays on the oldest.
              const canLeave = settled.has(user) || what === 'delete' || all.some((each) => !each.archivedAt);
              if (gone !== undefined && gone === before[index] && canLeave) {
                assert.notEqual(after[index], gone, what);
              }
            }
          }
        }),
        { numRuns: fuzzRuns(15), examples: [[allArchivedBeneathBob]] },
      );
    });
  });
}
