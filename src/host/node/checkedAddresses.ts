import dns from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import os from 'node:os';
import { isPublicAddress } from '../publicAddresses.ts';

/** Which addresses names lead to, and which of them may be connected to. */
export interface AddressRules {
  /** Empty where the name is unknown here. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  readonly mayConnect: (address: string, hostname: string) => boolean;
}

/** Resolves to the checked addresses. A request for another name is for that of a proxy. */
export function lookupAmong(hostname: string, addresses: readonly string[]): LookupFunction {
  return (asked, options, callback) => {
    const known = bareHost(asked) === hostname ? Promise.resolve(addresses) : systemAddresses(asked);
    known.then(
      (found) => {
        const all = found.map((address) => ({ address, family: isIP(address) }));
        const [first] = all;
        if (first === undefined) callback(new UnknownHostError(), '');
        else if (options.all === true) callback(null, all);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
}

class UnknownHostError extends Error {
  readonly code = 'ENOTFOUND';
}

/** Empty where the system does not know the name: a proxy may. */
export async function systemAddresses(hostname: string): Promise<readonly string[]> {
  try {
    return (await dns.lookup(hostname, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** Services open to this machine at its own address may not be open to others. */
export function mayConnectTo(address: string): boolean {
  return isPublicAddress(address) && !ownAddresses().has(address);
}

function ownAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(os.networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []),
  );
}

export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1');
}
