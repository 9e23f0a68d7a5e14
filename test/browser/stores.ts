import type { ContextStore } from '../../src/engine/store.ts';
import { oddClock, type OddClock } from '../fixtures/clocks.ts';
import { memoryStore } from '../fixtures/memoryStore.ts';

export { memoryStore };

/** A browser has no folders. */
export const stores: Readonly<Record<string, (clock?: OddClock) => ContextStore>> = {
  'in memory': (clock) => memoryStore(clock && oddClock(clock)),
};
