export { PostgresContextStore } from '../postgres/postgresContextStore.ts';
export type { PostgresStoreOptions } from '../postgres/postgresStoreOptions.ts';
export type { ChatAccess, ChatSharing, Present, SharedStoreOptions } from '../postgres/sharedStore.ts';
export type { ConnectionState, Hello } from '../postgres/connectionState.ts';
export type { Place } from '../postgres/place.ts';
export * from '../postgres/storeErrors.ts';
