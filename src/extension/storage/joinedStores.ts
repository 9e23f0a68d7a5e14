import type { DurableContextStore } from '../../store/durableContextStore.ts';
import type { JoinedStore } from '../../store/projects/joinedStore.ts';
import { openFolders } from '../files/openFolders.ts';

/** The store of a window with several folders, to which those of the single folders are joined. */
export interface JoinedStores {
  readonly store: JoinedStore;
  /** @throws what prevents opening it */
  readonly join: (store: string) => Promise<void>;
  /** The URI of the joined store that a chat is in; undefined for a chat of the window's own. */
  readonly storeOf: (chatId: string) => Promise<string | undefined>;
}

/** Undefined where not several folders are open. */
export async function joinedStores(
  openOwn: () => DurableContextStore,
  openOther: (store: string) => DurableContextStore,
  onDidJoin: () => void,
): Promise<JoinedStores | undefined> {
  if (openFolders().length < 2) return undefined;
  const { JoinedStore } = await import('../../store/projects/joinedStore.ts');
  const joined = new JoinedStore(openOwn());
  const uris = new Map<unknown, string>();
  return {
    store: joined,
    join: async (uri) => {
      const other = openOther(uri);
      try {
        await other.listChats({ limit: 1, details: false });
      } catch (error) {
        await other.close();
        throw error;
      }
      uris.set(other, uri);
      joined.join(other);
      onDidJoin();
    },
    storeOf: async (chatId) => uris.get(await joined.homeOf(chatId)),
  };
}
