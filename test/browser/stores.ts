import { SqlContextStore } from '../../src/store/contextStore.ts';
import { MemoryBlobStore } from '../../src/store/memoryBlobs.ts';
import { openMemoryDatabase } from '../../src/store/memoryDatabase.ts';
import { sqliteWasm } from './wasm.ts';

/** A store that lives as long as the test. @param now a clock of the test's own */
export function memoryStore(now?: () => number): SqlContextStore {
  return new SqlContextStore({
    open: () => openMemoryDatabase(sqliteWasm),
    blobs: new MemoryBlobStore(),
    ...(now ? { now } : {}),
  });
}

/** A browser has no folders. */
export const stores: Readonly<Record<string, () => SqlContextStore>> = { 'in memory': memoryStore };
