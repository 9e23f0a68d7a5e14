import assert from 'node:assert/strict';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { storeActions, type OpenStore } from './actions.ts';

/** What every store refuses, and how. @param open makes an empty one */
export function specifyRefusals(place: string, open: OpenStore): void {
  describe(`refusing a call, a store ${place}`, () => {
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const { started, save } = storeActions(() => store);

    it('says of a chat that is not there that it is not found', async () => {
      for (const call of [
        () => store.getPath('none', 'x'),
        () => store.listBranches('none'),
        () => store.getActiveBranch('none'),
        () => store.listCheckpoints('none'),
        () => store.getGraph('none'),
        () => store.searchMessages('none', 'x'),
        () => store.listEvents('none'),
        () => save(['a'], { chatId: 'none' }),
        () => store.activateBranch('none', 'main'),
        () => store.setCheckpoint('none', 'c', 'x'),
        () => store.logEvent({ chatId: 'none', kind: 'rewind-report' }),
      ]) {
        await assert.rejects(call, { code: 'chat-not-found', message: 'Chat "none" not found' });
      }
    });

    it('refuses every call once it is closed', async () => {
      await started();
      await store.close();
      await assert.rejects(store.listChats(), { code: 'closed' });
      await assert.rejects(save(['a']), { code: 'closed' });
    });
  });
}
