export { PostgresContextStore } from '../postgres/postgresContextStore.ts';
export type {
  ChatAccess,
  ChatSharing,
  PostgresStoreOptions,
  Present,
  SharedStoreOptions,
} from '../postgres/sharedStore.ts';
export type { ConnectionState, Hello } from '../postgres/connections.ts';
export type { Place } from '../postgres/liveChanges.ts';
export * from '../postgres/storeErrors.ts';
