import type { Event, Disposable } from '../kit/disposable.ts';
import { LOCAL_USER } from '../engine/localUser.ts';
import type { Platform } from '../platform/platform.ts';
import { followFolder } from '../store/durable/followFolder.ts';
import type { Reading } from './reading/readingTool.ts';
import type { Ask } from './server/callTool.ts';

/** Where conversations are kept. Another kind of place is one more kind here, and what opens it below. */
export interface StorePlace {
  readonly kind: 'folder';
  readonly folder: string;
}

/** Conversations that are open for reading. */
export interface OpenedStore extends Disposable {
  readonly reading: Reading;
  readonly onDidRefresh: Event<undefined>;
  /** Brings what is read up to date; left out: it always is. */
  readonly look?: () => Promise<void>;
  readonly ask?: Ask;
}

/** Opens what a server reads. Nothing is read before the first request. */
export function openStore(
  place: StorePlace,
  { platform, onError }: { readonly platform: Platform; readonly onError: (error: unknown) => void },
): OpenedStore {
  const { store, ...followed } = followFolder({ folder: place.folder, platform, onError });
  return { ...followed, reading: { store, userId: LOCAL_USER } };
}
