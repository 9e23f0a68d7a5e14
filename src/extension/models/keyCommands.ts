import * as vscode from 'vscode';
import { ModelError } from '../../models/errors/modelErrors.ts';
import { messageOf } from '../ui/failures.ts';
import { sentences } from '../ui/formats.ts';
import { knownServers, serversWithKeys, type ServerWithOrigin, type KeyedServers } from './keyedServers.ts';
import { modelIdOf } from '../commands/commandArguments.ts';
import { confirm, notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import { TextInput } from '../ui/inputBox.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

export function keyCommands(deps: KeyedServers): CommandHandlers<'setApiKey' | 'removeApiKey'> {
  const { keys } = deps;
  return {
    setApiKey: async (argument) => {
      const server =
        serverOfModel(deps, modelIdOf(argument)) ??
        (await pickServer(deps, vscode.l10n.t('Select a server to set the key of')));
      if (server && (await setUpAccess(deps, server))) {
        void notify.information(
          vscode.l10n.t('{0} is set up. Run “Select Model” to use its models.', server.label),
        );
      }
    },
    removeApiKey: async () => {
      const servers = await serversWithKeys(deps);
      const items = servers.map((server) => ({ label: server.label, description: server.at, server }));
      const title = vscode.l10n.t('Select a server to remove the key of');
      const picked = items.length > 0 ? await pickOne(items, { title }) : undefined;
      if (!picked) return;
      await keys.remove(picked.server.at);
      void notify.information(vscode.l10n.t('Key for {0} removed', picked.server.label));
    },
  };
}

/** Undefined if it takes no key. */
function serverOfModel(deps: KeyedServers, modelId: string | undefined): ServerWithOrigin | undefined {
  const source = modelId?.slice(0, modelId.indexOf(':'));
  return knownServers(deps).find(({ id }) => id === source);
}

async function pickServer(deps: KeyedServers, title: string): Promise<ServerWithOrigin | undefined> {
  const withKeys = new Set((await serversWithKeys(deps)).map(({ id }) => id));
  const items = knownServers(deps).map((server) => ({
    label: server.label,
    description: withKeys.has(server.id) ? vscode.l10n.t('has a key') : server.at,
    server,
  }));
  return (await pickOne(items, { title }))?.server;
}

/** Warns once for each server. */
async function agreesToSend(keys: KeyedServers['keys'], { at }: ServerWithOrigin): Promise<boolean> {
  if (await keys.mayBeSent(at)) return true;
  const agrees = await confirm(
    vscode.l10n.t('Send the key to {0} unencrypted?', at),
    [
      vscode.l10n.t(
        'The address begins with http://. Anyone on the network between here and the server can read the key and your conversations.',
      ),
    ],
    vscode.l10n.t('Continue'),
  );
  if (!agrees) return false;
  await keys.allowUnencrypted(at);
  return true;
}

/** Lets the user sign in, or enter a key, where a server takes both. @returns whether its models can be used now */
export async function setUpAccess(deps: KeyedServers, server: ServerWithOrigin): Promise<boolean> {
  const { signIn } = server;
  if (!signIn) return askKey(deps, server);
  const rows = [
    { label: signIn.title, icon: 'account', description: server.at, signsIn: true },
    { label: vscode.l10n.t('Enter a Key'), icon: 'key', signsIn: false },
  ];
  const picked = await pickOne(rows, { title: vscode.l10n.t('Access to {0}', server.label) });
  if (!picked) return false;
  if (!picked.signsIn) return askKey(deps, server);
  return (await agreesToSend(deps.keys, server)) && signIn.run();
}

/**
 * Asks for a key and saves it once the server has accepted it. A key that could not be checked is saved when the user
 * confirms by pressing Enter again.
 * @returns whether there is a new key
 */
export async function askKey({ keys }: KeyedServers, server: ServerWithOrigin): Promise<boolean> {
  if (!(await agreesToSend(keys, server))) return false;
  const input = new TextInput({
    title: vscode.l10n.t('API key for {0}', server.label),
    // All servers that issue keys require one.
    prompt:
      server.keyPage === undefined
        ? vscode.l10n.t(
            'Kept in the secret storage and sent to {0} only. Leave it empty if none is needed.',
            server.at,
          )
        : vscode.l10n.t('Kept in the secret storage and sent to {0} only.', server.at),
    password: true,
    ignoreFocusOut: true,
    buttons:
      server.keyPage === undefined
        ? []
        : [
            {
              iconPath: new vscode.ThemeIcon('link-external'),
              tooltip: vscode.l10n.t('Get a key: {0}', server.keyPage),
            },
          ],
  });
  let unchecked: string | undefined;
  /** Undefined when the key is good, or will be saved unchecked. */
  const problemWith = async (key: string): Promise<string | undefined> => {
    if (key === unchecked) return undefined;
    try {
      await server.check(key);
      return undefined;
    } catch (error) {
      if (error instanceof ModelError && error.code === 'unauthorized') {
        return vscode.l10n.t('{0} refused this key. Check it and enter it again.', server.label);
      }
      unchecked = key;
      return sentences(messageOf(error), vscode.l10n.t('Press Enter again to save the key anyway.'));
    }
  };
  try {
    return await new Promise<boolean>((resolve, reject) => {
      const accept = async (): Promise<void> => {
        const key = input.value.trim();
        if (key === '') {
          resolve(false);
          return;
        }
        input.isBusy = true;
        const problem = await problemWith(key);
        input.isBusy = false;
        if (problem !== undefined) {
          input.problem = problem;
          return;
        }
        await keys.set(server.at, key);
        resolve(true);
      };
      input.onDidAccept(() => accept().catch(reject));
      input.onDidChangeValue(() => (input.problem = undefined));
      input.onDidTriggerButton(() => {
        if (server.keyPage !== undefined) void vscode.env.openExternal(vscode.Uri.parse(server.keyPage));
      });
      input.onDidHide(() => resolve(false));
      input.show();
    });
  } finally {
    input.dispose();
  }
}
