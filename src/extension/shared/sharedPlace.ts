import type { PostgresContextStore } from '../../postgres/postgresContextStore.ts';
import type { SharedAddress } from './sharedAddress.ts';

/** A shared store, and who the user is there. */
export interface SharedPlace {
  readonly store: PostgresContextStore;
  readonly userId: string;
  readonly address: SharedAddress;
}
