import * as vscode from 'vscode';

/** Where a shared store is, and as whom one is there. */
export interface SharedAddress {
  /** As it stands in the settings; never with a password in it. */
  readonly text: string;
  /** The role of the database: who one is to the others. */
  readonly role: string;
  /** For people to read. */
  readonly host: string;
  readonly database: string;
}

/** An address, or what is wrong with it. */
export type ReadAddress =
  { readonly address: SharedAddress } | { readonly address?: never; readonly problem: string };

/** Reads the address of a shared store. */
export function readAddress(given: string): ReadAddress {
  const text = given.trim();
  const shape = vscode.l10n.t('The address looks like postgres://role@host/database.');
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) return { problem: shape };
  const { username, password, hostname, port, pathname } = new URL(text);
  if (password !== '' || /[?&]password=/i.test(text)) {
    return {
      problem: vscode.l10n.t(
        'Leave the password out of the address. It is asked for next, and kept in the secret storage.',
      ),
    };
  }
  const role = decoded(username);
  const database = decoded(pathname.slice(1));
  const host = decoded(hostname);
  if (role === '')
    return { problem: vscode.l10n.t('The role is missing, which says who you are. {0}', shape) };
  if (host === '') return { problem: vscode.l10n.t('The host is missing. {0}', shape) };
  if (database === '' || database.includes('/')) {
    return { problem: vscode.l10n.t('The name of the database is missing. {0}', shape) };
  }
  // A folder with a socket is this machine.
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
