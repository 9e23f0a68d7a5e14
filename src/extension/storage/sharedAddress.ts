import type { PostgresContextStore } from '../../store/postgres/postgresContextStore.ts';
import type * as vscode from 'vscode';

export interface SharedAddress {
  /** As in the settings; never contains a password. */
  readonly text: string;
  /** The database role: the user's identity for others. */
  readonly role: string;
  /** For display. */
  readonly host: string;
  readonly database: string;
}

/** What is missing in an address, or must not be in it. */
export type AddressProblem = 'shape' | 'password' | 'role' | 'host' | 'database';

export type ReadAddress =
  | { readonly address: SharedAddress; readonly problem?: never }
  | { readonly address?: never; readonly problem: AddressProblem };

export function readAddress(given: string): ReadAddress {
  const text = given.trim();
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) return { problem: 'shape' };
  const { username, password, hostname, port, pathname, searchParams } = new URL(text);
  if (password !== '' || searchParams.has('password')) return { problem: 'password' };
  const role = decoded(username);
  const host = decoded(hostname);
  const database = decoded(pathname.slice(1));
  if (role === '') return { problem: 'role' };
  if (host === '') return { problem: 'host' };
  if (database === '' || database.includes('/')) return { problem: 'database' };
  // A folder with a socket means this machine.
  const shown = host.startsWith('/') ? 'localhost' : host;
  return { address: { text, role, database, host: port === '' ? shown : `${shown}:${port}` } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export interface SharedPlace {
  readonly store: PostgresContextStore;
  readonly userId: string;
  readonly address: SharedAddress;
}

/** Only ever in VS Code's secret storage. */
export class SharedPasswords {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** '' if the server needs none. */
  async get(address: SharedAddress): Promise<string> {
    return (await this.secrets.get(keyOf(address))) ?? '';
  }

  async set(address: SharedAddress, password: string): Promise<void> {
    if (password === '') await this.remove(address);
    else await this.secrets.store(keyOf(address), password);
  }

  async remove(address: SharedAddress): Promise<void> {
    await this.secrets.delete(keyOf(address));
  }
}

/** Leaves out the parameters of an address, which may change. */
function keyOf({ role, host, database }: SharedAddress): string {
  return `offshoot.sharedStore ${JSON.stringify([role, host, database])}`;
}
