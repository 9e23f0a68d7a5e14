import type { SqlContextStore } from '../../src/store/contextStore.ts';
import { memoryStore } from '../fixtures/memoryStore.ts';

export { memoryStore };

/** A browser has no folders. */
export const stores: Readonly<Record<string, () => SqlContextStore>> = { 'in memory': memoryStore };
