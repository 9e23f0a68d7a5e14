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
  /** Gets a key in the user's browser; undefined when the user stops it. @throws ModelError `sign-in` */
  readonly signIn?: () => Promise<string | undefined>;
  /** A cheap request with this key. @throws ModelError `unauthorized` when it is refused */
  readonly check: (key: string) => Promise<void>;
}
