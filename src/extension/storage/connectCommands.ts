import * as vscode from 'vscode';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { Settings } from '../manifest/settings.ts';
import { TextInput } from '../ui/inputBox.ts';
import { messageOf } from '../ui/failures.ts';
import { confirm, notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { addressProblemText } from './addressProblemText.ts';
import type { SharedWorkplace } from './openShared.ts';
import { readAddress, SharedPasswords, type SharedAddress } from './sharedAddress.ts';

const LAST = 'offshoot.sharedStore.last';

type Connecting = 'connectSharedStore' | 'disconnectSharedStore' | 'showSharedStore';

export function connectCommands(deps: {
  readonly globalState: vscode.Memento;
  readonly secrets: vscode.SecretStorage;
  readonly settings: Settings;
  readonly workplace: SharedWorkplace | undefined;
}): CommandHandlers<Connecting> {
  return {
    connectSharedStore: () => connect(deps),
    disconnectSharedStore: () => disconnect(deps),
    showSharedStore: () => showStore(deps.workplace),
  };
}

async function connect({
  globalState,
  secrets,
  settings,
}: Parameters<typeof connectCommands>[0]): Promise<void> {
  const address = await askAddress(settings, globalState);
  const user = address && (await askPassword(address, settings, secrets));
  if (!user) return;
  const { keepUser } = await import('./workplace.ts');
  await keepUser(globalState, address, user);
  await globalState.update(LAST, address.text);
  await settings.set('sharedStore.address', address.text);
  await reload(
    vscode.l10n.t('Connected to {0} as {1}. The window reloads to work there.', address.host, user),
  );
}

function askAddress(settings: Settings, globalState: vscode.Memento): Promise<SharedAddress | undefined> {
  const known = settings.get('sharedStore.address');
  const last = globalState.get<unknown>(LAST);
  return entered<SharedAddress>(
    {
      title: vscode.l10n.t('Connect to a Shared Store (1/2)'),
      prompt: vscode.l10n.t('The address of the PostgreSQL database, without a password'),
      placeholder: 'postgres://ana@db.example.com/offshoot',
      value: known === '' && typeof last === 'string' ? last : known,
    },
    (value) => {
      const read = readAddress(value);
      return Promise.resolve(
        read.address ? { done: read.address } : { problem: addressProblemText(read.problem) },
      );
    },
  );
}

/** Asks for the password until the server accepts it, then saves it. @returns the user name on the server */
function askPassword(
  address: SharedAddress,
  settings: Settings,
  secrets: vscode.SecretStorage,
): Promise<string | undefined> {
  return entered<string>(
    {
      title: vscode.l10n.t('Connect to a Shared Store (2/2)'),
      prompt: vscode.l10n.t(
        'The password or token of {0} on {1}, kept in the secret storage. Leave it empty if none is needed.',
        address.role,
        address.host,
      ),
      password: true,
    },
    async (password) => {
      try {
        const user = await tryOut(address, settings, password);
        await new SharedPasswords(secrets).set(address, password);
        return { done: user };
      } catch (error) {
        return { problem: messageOf(error) };
      }
    },
  );
}

/** Connects once. @returns the user name on the server @throws what is wrong */
export async function tryOut(address: SharedAddress, settings: Settings, password: string): Promise<string> {
  const { makeStore } = await import('./workplace.ts');
  const store = await makeStore(address, settings, () => Promise.resolve(password));
  try {
    return (await store.open()).user;
  } finally {
    await store.close();
  }
}

type Checked<T> =
  { readonly done: T; readonly problem?: never } | { readonly problem: string; readonly done?: never };

/** Asks for a line until it is valid; undefined when the user cancels. */
async function entered<T>(
  options: ConstructorParameters<typeof TextInput>[0],
  check: (value: string) => Promise<Checked<T>>,
): Promise<T | undefined> {
  const input = new TextInput({ ...options, ignoreFocusOut: true });
  try {
    return await new Promise<T | undefined>((resolve, reject) => {
      const accept = async (): Promise<void> => {
        input.isBusy = true;
        const checked = await check(input.value);
        input.isBusy = false;
        if (checked.problem === undefined) resolve(checked.done);
        else input.problem = checked.problem;
      };
      input.onDidAccept(() => accept().catch(reject));
      input.onDidChangeValue(() => (input.problem = undefined));
      input.onDidHide(() => resolve(undefined));
      input.show();
    });
  } finally {
    input.dispose();
  }
}

async function disconnect({
  settings,
  secrets,
  workplace,
}: Parameters<typeof connectCommands>[0]): Promise<void> {
  const agrees = await confirm(
    vscode.l10n.t('Disconnect from the shared store?'),
    [
      vscode.l10n.t(
        'The window reloads and shows the chats of this machine. The shared chats stay in the store; the password is forgotten here.',
      ),
    ],
    vscode.l10n.t('Disconnect'),
  );
  if (!agrees) return;
  const address = workplace?.address ?? readAddress(settings.get('sharedStore.address')).address;
  if (address) await new SharedPasswords(secrets).remove(address);
  await settings.set('sharedStore.address', '');
  await reload(vscode.l10n.t('Disconnected. The window reloads.'));
}

interface Action extends PickRow {
  /** None for a line between rows. */
  readonly act?: () => Promise<unknown>;
}

async function showStore(workplace: SharedWorkplace | undefined): Promise<void> {
  const rows: Action[] = [
    ...(workplace?.store.connection.kind === 'lost'
      ? [
          {
            icon: 'refresh',
            label: vscode.l10n.t('Try Again Now'),
            act: () => runCommand('offshoot.openStorageAgain'),
          },
        ]
      : []),
    ...(workplace ? chatRows(workplace.store.isReadOnly) : []),
    {
      icon: 'plug',
      label: workplace ? vscode.l10n.t('Connect to Another Shared Store…') : vscode.l10n.t('Connect…'),
      act: () => runCommand('offshoot.connectSharedStore'),
    },
    ...(workplace
      ? [
          {
            icon: 'debug-disconnect',
            label: vscode.l10n.t('Disconnect…'),
            act: () => runCommand('offshoot.disconnectSharedStore'),
          },
        ]
      : []),
  ];
  const title = workplace
    ? vscode.l10n.t(
        'Shared store {0} on {1}, as {2}',
        workplace.address.database,
        workplace.address.host,
        workplace.userId,
      )
    : vscode.l10n.t('Shared Store');
  const picked = await pickOne(rows, { title });
  await picked?.act?.();
}

/** What can be done with chats of a shared store. */
function chatRows(isReadOnly: boolean): Action[] {
  const copy: Action = {
    icon: 'cloud-download',
    label: vscode.l10n.t('Copy This Chat to the Local Chats'),
    act: () => runCommand('offshoot.copyToLocal'),
  };
  if (isReadOnly) return [copy];
  const line: Action = { label: '', kind: vscode.QuickPickItemKind.Separator };
  return [
    {
      icon: 'share',
      label: vscode.l10n.t('Share This Chat…'),
      act: () => runCommand('offshoot.shareChat'),
    },
    copy,
    {
      icon: 'desktop-download',
      label: vscode.l10n.t('Move This Chat to the Local Chats…'),
      act: () => runCommand('offshoot.moveToLocal'),
    },
    line,
    {
      icon: 'cloud-upload',
      label: vscode.l10n.t('Copy Chats of This Machine to the Shared Store…'),
      act: () => runCommand('offshoot.copyToShared'),
    },
    {
      icon: 'export',
      label: vscode.l10n.t('Move Chats of This Machine to the Shared Store…'),
      act: () => runCommand('offshoot.moveToShared'),
    },
    line,
  ];
}

/** The only way that leaves nothing of the previous store: every part of the window starts from scratch. */
async function reload(text: string): Promise<void> {
  void notify.information(text);
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
