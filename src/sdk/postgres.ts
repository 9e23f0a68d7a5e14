export { PostgresContextStore } from '../store/postgres/postgresContextStore.ts';
export type {
  ChatAccess,
  ChatSharing,
  PostgresStoreOptions,
  Present,
  SharedStoreOptions,
} from '../store/postgres/sharedStore.ts';
export type { ConnectionState, Hello, Place } from '../store/postgres/connectionOptions.ts';
export * from '../store/postgres/storeErrors.ts';
