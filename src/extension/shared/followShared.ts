import * as vscode from 'vscode';
import { Debouncer } from '../../kit/debouncer.ts';
import type { CurrentChat } from '../chats/currentChat.ts';
import type { Banners } from '../ui/banners.ts';
import { logFailure } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { SharedStatus } from './sharedStatus.ts';
import type { SharedPlace } from './sharedPlace.ts';

export interface FollowSharedDeps {
  readonly banners: Banners;
  readonly current: CurrentChat;
  readonly log: vscode.LogOutputChannel;
  readonly refresh: () => void;
}

type FollowedStore = SharedPlace & {
  /** Stores the user name on the server. */
  readonly keepUser: (user: string) => Promise<void>;
};

/** How long moves are batched before other users see them, in milliseconds. */
const GATHER_MS = 100;

const LOST = 'shared-lost';
const REPLICA = 'shared-replica';

/** Shows the state of the shared store, announces where the user is, and catches up after a lost connection. */
export function followShared(
  { banners, current, log, refresh }: FollowSharedDeps,
  { store, userId, address, keepUser }: FollowedStore,
): vscode.Disposable {
  const status = new SharedStatus(store, userId, address);
  let wasLost = false;
  const connected = async (): Promise<void> => {
    const { user, isReadOnly } = await store.open();
    if (isReadOnly) {
      banners.show({
        id: REPLICA,
        severity: 'info',
        limit: {},
        text: vscode.l10n.t(
          '{0} is a read-only copy of the shared store: chats are only shown.',
          address.host,
        ),
      });
    } else banners.hide(REPLICA);
    await keepUser(user);
    if (user !== userId) await offerReload(user);
  };
  const show = (): void => {
    const { connection } = store;
    status.show();
    if (connection.kind === 'lost') {
      wasLost = true;
      banners.show({
        id: LOST,
        severity: 'warning',
        limit: { action: 'reconnect' },
        text: vscode.l10n.t(
          'The connection to {0} is lost. What was read stays here, and nothing can be sent. It is tried again by itself.',
          address.host,
        ),
      });
      return;
    }
    banners.hide(LOST);
    if (connection.kind !== 'connected') return;
    connected().catch((error: unknown) => logFailure(log, 'The shared store', error));
    // Anything may have happened while it was lost.
    if (wasLost) refresh();
    wasLost = false;
  };
  const place = new Debouncer(GATHER_MS, async () => {
    try {
      const chatId = await current.chatId();
      const branch = (await store.getChat(chatId)) && (await store.getActiveBranch(chatId));
      await store.setPlace(branch ? { chatId, branch: branch.name } : undefined);
    } catch (error) {
      logFailure(log, 'Where one is could not be said', error);
    }
  });
  const move = (): void => place.soon();
  show();
  return vscode.Disposable.from(
    status,
    place,
    store.onDidChangeConnection(({ kind }) => {
      show();
      if (kind === 'connected') move();
    }),
    current.onDidChange(move),
    store.onDidChange(({ kind }) => {
      if (kind === 'branch' || kind === 'chat') move();
    }),
  );
}

async function offerReload(user: string): Promise<void> {
  const reload = vscode.l10n.t('Reload Window');
  const text = vscode.l10n.t('The shared store knows you as {0}. Reload the window to go on as {0}.', user);
  if ((await notify.warning(text, reload)) === reload) {
    await vscode.commands.executeCommand('workbench.action.reloadWindow');
  }
}
