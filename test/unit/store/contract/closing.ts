import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OffshootError } from '../../../../src/engine/errors.ts';
import { storeActions, type OpenStore } from './actions.ts';

/** After how many microtasks, and after how many turns of the loop, a store is closed while a call is under way. */
const moments = [
  ...[0, 1, 2, 3, 4, 6, 8].map((microtasks) => ({ microtasks, turns: 0 })),
  ...[1, 2, 4].map((turns) => ({ microtasks: 0, turns })),
];

/** What every store does with calls that are under way when it is closed. @param open makes an empty one */
export function specifyClosing(place: string, open: OpenStore): void {
  describe(`closing a store ${place}`, () => {
    it('settles each call that has begun, with its result or with an error that says why', async function () {
      this.timeout(60_000);
      for (const { microtasks, turns } of moments) {
        const store = await open();
        const { started, save } = storeActions(() => store);
        await started();
        // A checkpoint may come before the message is there.
        const calls = [save(['a']), store.setCheckpoint('chat', 'c', 'a'), store.listBranches('chat')];
        const settling = calls.map((call) => settled(call));
        for (let count = 0; count < microtasks; count++) await Promise.resolve();
        for (let count = 0; count < turns; count++) await nextTurn();
        await Promise.all([store.close(), store.close()]);
        await Promise.all(settling);
        await assert.rejects(store.listBranches('chat'), { code: 'closed' });
      }
    });
  });
}

/** @throws what is no error of ours */
async function settled(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof OffshootError)) throw error;
  }
}
