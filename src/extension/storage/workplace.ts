import * as vscode from 'vscode';
import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { PostgresContextStore } from '../../store/postgres/postgresContextStore.ts';
import type { PostgresStoreOptions } from '../../store/postgres/sharedStore.ts';
import { sharedConnectionOf, type Settings } from '../manifest/settings.ts';
import { NOT_OPENED, notOpenedTitle, type Banners } from '../ui/banners.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { addressProblemText } from './addressProblemText.ts';
import { followShared } from './followShared.ts';
import { readAddress, SharedPasswords, type SharedAddress, type SharedPlace } from './sharedAddress.ts';
import { SharedChats } from './sharedChats.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { notify } from '../ui/notifications.ts';

/** Loaded only where one is set up. */
export interface SharedWorkplace extends SharedPlace {
  readonly chats: SharedChats;
  /** What a separate program needs to read the store, except the password. */
  readonly serverArguments: readonly string[];
  password(): Promise<string>;
  follow(deps: Parameters<typeof followShared>[0]): vscode.Disposable;
  /** @param isAsked the user asked to try again */
  notOpened(error: unknown, isAsked: boolean, banners: Banners): Promise<void>;
  readonly problem?: never;
}

export type OpenedShared = SharedWorkplace | { readonly store?: never; readonly problem: string };

const USER = 'offshoot.sharedStore.user';
const keptUser = z.object({ address: z.string(), user: z.string() });

/** The last user name on the server, which may differ from the one in the address. */
function knownUser(memory: vscode.Memento, { text, role }: SharedAddress): string {
  const kept = keptUser.safeParse(memory.get(USER)).data;
  return kept?.address === text ? kept.user : role;
}

export async function keepUser(memory: vscode.Memento, { text }: SharedAddress, user: string): Promise<void> {
  await memory.update(USER, { address: text, user } satisfies z.infer<typeof keptUser>);
}

/** Connects on first use. */
export async function openWorkplace(
  text: string,
  {
    secrets,
    globalState,
    globalStorageUri,
    settings,
    log,
  }: Pick<vscode.ExtensionContext, 'secrets' | 'globalState' | 'globalStorageUri'> & {
    readonly log: vscode.LogOutputChannel;
    readonly settings: Settings;
  },
): Promise<OpenedShared> {
  const read = readAddress(text);
  if (!read.address) return { problem: addressProblemText(read.problem) };
  const { address } = read;
  const passwords = new SharedPasswords(secrets);
  try {
    const machine = await machineName(globalStorageUri);
    const store = await makeStore(address, settings, () => passwords.get(address), machine);
    log.info(`Conversations are kept in the shared store on ${address.host}`);
    const place = { store, address, userId: knownUser(globalState, address) };
    return {
      ...place,
      chats: new SharedChats(place),
      serverArguments: serverArguments(address, settings, machine),
      password: () => passwords.get(address),
      notOpened: (error, isAsked, banners) => notOpened(address, { error, isAsked, banners, log }),
      follow: (deps) =>
        followShared(deps, { ...place, keepUser: (user) => keepUser(globalState, address, user) }),
    };
  } catch (error) {
    logFailure(log, 'The shared store', error);
    return { problem: messageOf(error) };
  }
}

/** @throws what is wrong with the address or the settings */
export async function makeStore(
  { text }: SharedAddress,
  settings: Settings,
  password: () => Promise<string>,
  machine?: string,
): Promise<PostgresContextStore> {
  const { authority, allowPlainConnection } = sharedConnectionOf(settings);
  const options: PostgresStoreOptions = {
    connectionString: text,
    password,
    allowPlainConnection,
    applicationName: 'Offshoot for VS Code',
    ...(machine === undefined ? {} : { machine }),
    ...(await ownAuthority(authority)),
  };
  return new PostgresContextStore(options);
}

function serverArguments({ text }: SharedAddress, settings: Settings, machine: string): string[] {
  const { authority, allowPlainConnection } = sharedConnectionOf(settings);
  return [
    ...['--shared', text, '--machine', machine],
    ...(authority === '' ? [] : ['--certificate-authority', authority]),
    ...(allowPlainConnection ? ['--allow-plain-connection'] : []),
  ];
}

async function ownAuthority(file: string): Promise<{ ca?: string }> {
  if (file === '') return {};
  try {
    return { ca: new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.file(file))) };
  } catch {
    throw new AuthorityError(file);
  }
}

class AuthorityError extends OffshootError {
  constructor(file: string) {
    super(
      'certificate-authority',
      defineMessage(
        'The certificate in {0} can’t be read. Correct certificateAuthority in the setting offshoot.sharedStore.connection.',
        file,
      ),
    );
  }
}

const FILE = 'machine.txt';

const name = z.uuid();

/**
 * The name of this machine in a shared store, where changes of files name the machine they were made on. It is stored
 * with the extension's own files, on the machine with the folders: on the remote one, if the window works on one.
 */
async function machineName(globalStorage: vscode.Uri): Promise<string> {
  const file = vscode.Uri.joinPath(globalStorage, FILE);
  const known = await read(file);
  if (known !== undefined) return known;
  await vscode.workspace.fs.createDirectory(globalStorage);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(crypto.randomUUID()));
  const written = await read(file);
  if (written === undefined) throw new Error(`${file.toString()} can’t be read.`);
  return written;
}

async function read(file: vscode.Uri): Promise<string | undefined> {
  try {
    return name.safeParse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).trim()).data;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

interface NotOpened {
  readonly error: unknown;
  /** The user asked to try again. */
  readonly isAsked: boolean;
  readonly banners: Banners;
  readonly log: vscode.LogOutputChannel;
}

async function notOpened(
  { host }: SharedAddress,
  { error, isAsked, banners, log }: NotOpened,
): Promise<void> {
  const text = vscode.l10n.t('The shared store on {0} can’t be opened.', host);
  const isLost = error instanceof OffshootError && error.code === 'connection-lost';
  if (isLost) banners.hide(NOT_OPENED);
  else
    banners.show({
      id: NOT_OPENED,
      severity: 'error',
      title: notOpenedTitle(),
      text: `${text} ${messageOf(error)}`,
    });
  // The views and the status bar show that it is unavailable, and it is retried automatically.
  if (isLost && !isAsked) return;
  const other = isLost ? vscode.l10n.t('Show Log') : vscode.l10n.t('Connect…');
  const local = vscode.l10n.t('Use Local Chats…');
  const answer = await notify.error(`${text} ${messageOf(error)}`, other, local);
  if (answer === local) await runCommand('offshoot.disconnectSharedStore');
  else if (answer === other && isLost) log.show();
  else if (answer === other) await runCommand('offshoot.connectSharedStore');
}
