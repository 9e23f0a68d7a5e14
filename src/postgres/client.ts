import type pg from 'pg';
import { ClientMissingError } from './storeErrors.ts';

/** The used part of the PostgreSQL client. */
export type PgModule = Pick<typeof pg, 'Client' | 'Pool'>;

let loaded: Promise<PgModule> | undefined;

/** The client, which is loaded when a store is first opened. @throws ClientMissingError */
export function loadClient(): Promise<PgModule> {
  loaded ??= import('pg').then(
    (module) => module.default,
    (cause: unknown) => {
      loaded = undefined;
      throw new ClientMissingError({ cause });
    },
  );
  return loaded;
}
