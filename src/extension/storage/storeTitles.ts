import type { Host } from '../../host/hostMachine.ts';
import { LOCAL_USER } from '../../engine/users.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { followFolder } from '../../store/followFolder.ts';
import { listedChats } from '../commands/listedChats.ts';
import type { TitledChat } from './relatedChats.ts';

type Reading = Pick<Host, 'pathOf' | 'platformFor'>;

/** Reads a store that other windows may write to; nothing of it is changed. @param store the URI of its folder */
export async function readStore<T>(
  { pathOf, platformFor }: Reading,
  store: string,
  read: (store: ReadonlyStore) => Promise<T>,
): Promise<T> {
  let problem: unknown;
  const followed = followFolder({
    folder: pathOf(store),
    platform: platformFor(store),
    onError: (error) => (problem ??= error),
  });
  try {
    return await read(followed.store);
  } catch (error) {
    throw problem ?? error;
  } finally {
    followed.dispose();
  }
}

/** Pinned ones first, then the most recently used. */
export function readTitles(host: Reading, store: string): Promise<TitledChat[]> {
  return readStore(host, store, async (read) => {
    const chats = await listedChats({ store: read, userId: LOCAL_USER });
    return chats.map(({ id, title, updatedAt }) => ({ id, title, updatedAt }));
  });
}
