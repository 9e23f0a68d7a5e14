import { answer, finish, lastQuestion, pause, say } from '../../fixtures/openaiServer.ts';
import { databases } from '../../fixtures/postgres/databases.ts';
import type { PostgresServer } from '../../fixtures/postgres/server.ts';
import { useChat, type ChatFixture } from './useChat.ts';

export interface SharedChat {
  /** Ana's window. */
  readonly use: () => ChatFixture;
  readonly postgres: () => PostgresServer;
  /** The address of the shared store, for a role. */
  readonly url: (role?: string) => string;
}

/**
 * A chat of Ana's on a shared store of its own, which has to be given back once no window is on it. The model pauses in
 * the middle of what it is asked slowly.
 * @param others who may come to it as well
 */
export function useSharedChat(...others: string[]): SharedChat {
  const settings: Record<string, unknown> = {};
  let postgres: PostgresServer;
  let url: (role?: string) => string;
  before('start the database', async function () {
    this.timeout(60_000);
    postgres = await databases.started();
    await databases.addPeople('ana', ...others);
    url = await databases.create();
    settings['offshoot.sharedStore.address'] = url('ana');
  });
  const use = useChat(
    (request) =>
      lastQuestion(request).includes('slowly')
        ? [say('First words'), pause(), say(' and the rest.'), finish()]
        : answer(`You said ${lastQuestion(request)}`),
    { settings },
  );
  return { use, postgres: () => postgres, url: (role) => url(role) };
}
