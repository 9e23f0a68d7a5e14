import type { ContextStore } from '../../src/engine/store.ts';
import { memoryStore } from '../fixtures/memoryStore.ts';

export { memoryStore };

/** A browser has no folders. */
export const stores: Readonly<Record<string, () => ContextStore>> = { 'in memory': memoryStore };
