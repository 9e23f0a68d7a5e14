export { PostgresContextStore } from '../postgres/postgresContextStore.ts';
export type {
  ChatAccess,
  ChatSharing,
  PostgresStoreOptions,
  Present,
  SharedStoreOptions,
} from '../postgres/sharedStore.ts';
export type { ConnectionState, Hello, Place } from '../postgres/connectionOptions.ts';
export * from '../postgres/storeErrors.ts';
