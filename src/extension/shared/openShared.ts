import * as vscode from 'vscode';
import { z } from 'zod';
import type { PostgresContextStore, PostgresStoreOptions } from '../../postgres/postgresContextStore.ts';
import type { Host } from '../../platform/hostMachine.ts';
import type { Settings } from '../settings/settings.ts';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { readAddress, type SharedAddress } from './sharedAddress.ts';
import { SharedPasswords } from './sharedPasswords.ts';

/** The shared store that this window works on. */
export interface SharedWorkplace {
  readonly store: PostgresContextStore;
  /** Who the user is there. */
  readonly userId: string;
  readonly address: SharedAddress;
  readonly problem?: never;
}

/** What the settings led to: a shared store, or why there is none. */
export type OpenedShared = SharedWorkplace | { readonly store?: never; readonly problem: string };

const USER = 'offshoot.sharedStore.user';
const keptUser = z.object({ address: z.string(), user: z.string() });

/** As whom the server took the user the last time, which may be another than the address says. */
export function knownUser(memory: vscode.Memento, { text, role }: SharedAddress): string {
  const kept = keptUser.safeParse(memory.get(USER)).data;
  return kept?.address === text ? kept.user : role;
}

export async function keepUser(memory: vscode.Memento, { text }: SharedAddress, user: string): Promise<void> {
  await memory.update(USER, { address: text, user } satisfies z.infer<typeof keptUser>);
}

/** Loads the client and makes the store of the settings; undefined where none is set. It connects when it is first used. */
export async function openShared(
  { secrets, globalState }: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>,
  settings: Settings,
  log: vscode.LogOutputChannel,
  { isBrowser }: Pick<Host, 'isBrowser'>,
): Promise<OpenedShared | undefined> {
  const text = settings.get('sharedStore.address');
  if (text === '') return undefined;
  if (isBrowser) return { problem: vscode.l10n.t('A browser can’t reach a database.') };
  const read = readAddress(text);
  if (!read.address) return { problem: read.problem };
  const { address } = read;
  const passwords = new SharedPasswords(secrets);
  try {
    const store = await makeStore(address, settings, () => passwords.get(address));
    log.info(`Conversations are kept in the shared store on ${address.host}`);
    return { store, address, userId: knownUser(globalState, address) };
  } catch (error) {
    logFailure(log, 'The shared store', error);
    return { problem: messageOf(error) };
  }
}

/** A store that connects with a password. @throws what is wrong with the address or the settings */
export async function makeStore(
  { text }: SharedAddress,
  settings: Settings,
  password: () => Promise<string>,
): Promise<PostgresContextStore> {
  const options: PostgresStoreOptions = {
    connectionString: text,
    password,
    allowPlainConnection: settings.get('sharedStore.allowPlainConnection'),
    applicationName: 'Offshoot for VS Code',
    ...(await ownAuthority(settings.get('sharedStore.certificateAuthority'))),
  };
  const { PostgresContextStore } = await import('../../postgres/postgresContextStore.ts');
  return new PostgresContextStore(options);
}

async function ownAuthority(file: string): Promise<{ ca?: string }> {
  if (file === '') return {};
  try {
    return { ca: new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.file(file))) };
  } catch {
    throw new AuthorityError(file);
  }
}

/** The file with the certificate of an own authority cannot be read. */
class AuthorityError extends OffshootError {
  constructor(file: string) {
    super(
      'certificate-authority',
      defineMessage(
        'The certificate in {0} can’t be read. Correct offshoot.sharedStore.certificateAuthority.',
        file,
      ),
    );
  }
}
