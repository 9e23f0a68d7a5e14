import type { ContextStore } from '../engine/store.ts';
import { PostgresContextStore as ServerStore } from '../store/postgres/postgresContextStore.ts';
import type { PostgresStoreOptions } from '../store/postgres/sharedStore.ts';

/**
 * Conversations in a PostgreSQL database, for several users, programs and machines. Each user is a role of the
 * database; a role that owns the tables acts for the users it names.
 * @example
 * const store = new PostgresContextStore({ connectionString: 'postgres://ana@db.example.com/offshoot' });
 */
export class PostgresContextStore extends ServerStore {
  constructor(options: PostgresStoreOptions) {
    super({ inMemory, ...options });
  }
}

/** SQLite is loaded with the first one. */
async function inMemory(): Promise<ContextStore> {
  const { InMemoryContextStore } = await import('./index.ts');
  return new InMemoryContextStore();
}

export type {
  ChatAccess,
  ChatSharing,
  PostgresStoreOptions,
  Present,
  SharedStoreOptions,
} from '../store/postgres/sharedStore.ts';
export type { ConnectionState, Hello, Place } from '../store/postgres/connectionOptions.ts';
export * from '../store/postgres/storeErrors.ts';
