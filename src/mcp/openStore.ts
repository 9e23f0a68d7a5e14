import type { Event, Disposable } from '../kit/disposable.ts';
import { Emitter } from '../kit/emitter.ts';
import { LOCAL_USER } from '../engine/localUser.ts';
import type { Platform } from '../platform/platform.ts';
import { PostgresContextStore } from '../postgres/postgresContextStore.ts';
import type { PostgresStoreOptions } from '../postgres/postgresStoreOptions.ts';
import { followFolder } from '../store/durable/followFolder.ts';
import type { Reading } from './reading/readingTool.ts';
import type { Ask } from './server/callTool.ts';

/** Where conversations are stored. The folder is also where a window is contacted, even for a shared store. */
export type StorePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'shared'; readonly folder: string; readonly server: PostgresStoreOptions };

/** Conversations opened for reading. */
export interface OpenedStore extends Disposable {
  readonly reading: Reading;
  readonly onDidRefresh: Event<undefined>;
  /** Updates what is read; omitted: it is always current. */
  readonly look?: () => Promise<void>;
  readonly ask?: Ask;
}

/** Opens the store of a server. Nothing is read before the first request. */
export function openStore(
  place: StorePlace,
  { platform, onError }: { readonly platform: Platform; readonly onError: (error: unknown) => void },
): OpenedStore {
  const { store, ...followed } = followFolder({ folder: place.folder, platform, onError });
  if (place.kind === 'folder') return { ...followed, reading: { store, userId: LOCAL_USER } };
  const shared = new PostgresContextStore(place.server);
  const refreshed = new Emitter<undefined>();
  const connection = shared.onDidChangeConnection(({ kind }) => {
    // Reads changes made by others while it was disconnected.
    if (kind === 'connected') refreshed.fire(undefined);
  });
  return {
    reading: { store: shared, userId: roleOf(place.server.connectionString) },
    onDidRefresh: refreshed.event,
    ask: (name, given, signal) => followed.ask(name, given, signal),
    dispose: () => {
      connection.dispose();
      refreshed.dispose();
      followed.dispose();
      shared.close().catch(onError);
    },
  };
}

/** The role of the connection. */
function roleOf(address: string): string {
  return URL.canParse(address) ? decodeURIComponent(new URL(address).username) : '';
}
