import type { ApiKeys } from './apiKeys.ts';

export interface KeyedServers {
  readonly keyServers: () => readonly KeyServer[];
  readonly keys: ApiKeys;
}

export type ServerWithOrigin = KeyServer & { readonly at: string };

/** Those whose address is known. */
export function knownServers({ keyServers }: KeyedServers): ServerWithOrigin[] {
  return keyServers().flatMap((server) => {
    const at = originOf(server);
    return at === undefined ? [] : [{ ...server, at }];
  });
}

export async function serversWithKeys(deps: KeyedServers): Promise<ServerWithOrigin[]> {
  const servers = knownServers(deps);
  const found = await Promise.all(servers.map(({ at }) => deps.keys.get(at)));
  return servers.filter((_, index) => found[index] !== undefined);
}

function originOf(server: KeyServer): string | undefined {
  try {
    return server.origin();
  } catch {
    // An invalid address has no key; using it reports an error.
    return undefined;
  }
}

/** A way to use a server's models without entering a key. */
export interface ServerSignIn {
  /** As the user picks it. */
  readonly title: string;
  /** False when the user stops it. @throws ModelError `sign-in` */
  readonly run: () => Promise<boolean>;
}

export interface KeyServer {
  /** The source of its models. */
  readonly id: string;
  readonly label: string;
  /**
   * The origin its key is kept under; undefined while no address is set.
   * @throws ModelError if the address is none
   */
  readonly origin: () => string | undefined;
  /** Where a user gets a key. */
  readonly keyPage?: string;
  readonly signIn?: ServerSignIn;
  /** A cheap request with this key. @throws ModelError `unauthorized` when it is refused */
  readonly check: (key: string) => Promise<void>;
}
