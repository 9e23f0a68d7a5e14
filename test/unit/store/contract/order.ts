import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { oddClocks } from '../../../fixtures/clocks.ts';
import { namesOf, storeActions, type OpenStore } from './actions.ts';

/** In which order every store lists what it has, whatever its clock says. @param open makes an empty one */
export function specifyOrder(place: string, open: OpenStore): void {
  for (const clock of oddClocks) {
    describe(`a store ${place} whose clock ${clock === 'still' ? 'stands still' : 'goes back'} lists`, () => {
      let store: ContextStore;
      beforeEach(async () => {
        store = await open(clock);
      });
      afterEach(() => store.close());
      const { started, save } = storeActions(() => store);
      const make = (name: string) =>
        store.createBranch({ chatId: 'chat', name, headMessageId: 'a', from: 'main' });

      beforeEach(async () => {
        await started();
        await save(['a', 'b']);
      });

      it('checkpoints in the order they were last set in', async () => {
        const names = async () => namesOf(await store.listCheckpoints('chat'));
        for (const name of ['x', 'y', 'z']) await store.setCheckpoint('chat', name, 'a');
        assert.deepEqual(await names(), ['x', 'y', 'z']);
        const moved = await store.setCheckpoint('chat', 'y', 'b');
        assert.deepEqual(await names(), ['x', 'z', 'y']);
        await store.setCheckpoint('chat', 'x', 'a');
        await store.setCheckpoint('chat', 'x', 'a');
        await store.setCheckpoint('chat', 'w', 'b');
        assert.deepEqual(await names(), ['z', 'y', 'x', 'w']);
        assert.deepEqual(await store.getCheckpoint('chat', 'y'), moved);
      });

      it('branches in the order they were made in, and has others begin on the first', async () => {
        for (const name of ['one', 'two', 'three']) await make(name);
        assert.deepEqual(namesOf(await store.listBranches('chat')), ['main', 'one', 'two', 'three']);
        assert.equal((await store.getActiveBranch('chat', { userId: 'bob' }))?.name, 'main');
        await store.activateBranch('chat', 'three');
        await store.archiveBranch('chat', 'main');
        assert.equal((await store.getActiveBranch('chat', { userId: 'bob' }))?.name, 'one');
      });

      it('what was deleted, the last first', async () => {
        for (const id of ['second', 'third']) await started(id);
        for (const name of ['one', 'two']) await make(name);
        await store.setCheckpoint('chat', 'x', 'a');
        await store.deleteChat('third');
        await store.deleteBranch('chat', 'two');
        await store.deleteCheckpoint('chat', 'x');
        await store.deleteBranch('chat', 'one');
        await store.deleteChat('second');
        assert.deepEqual(
          (await store.trash.list()).map(({ chatId, name }) => name ?? chatId),
          ['second', 'one', 'x', 'two', 'third'],
        );
      });

      it('the log as it was written', async () => {
        for (const name of ['one', 'two']) await make(name);
        await store.renameBranch('chat', 'one', 'three');
        assert.deepEqual(
          (await store.listEvents('chat')).map(({ kind }) => kind),
          ['chat-created', 'messages-saved', 'branch-created', 'branch-created', 'branch-renamed'],
        );
      });
    });
  }
}
