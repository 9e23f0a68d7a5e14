import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import type { Banners } from '../ui/banners.ts';
import { logFailure } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import type { SharedPlace, SharedAddress } from './sharedAddress.ts';
import { commandLink } from '../manifest/runCommand.ts';
import { shownName } from '../ui/shownName.ts';
import { StatusItem } from '../ui/statusBar.ts';
import { tooltip } from '../ui/tooltip.ts';

type FollowedStore = SharedPlace & {
  readonly keepUser: (user: string) => Promise<void>;
};

/** How long moves are batched, in milliseconds. */
const GATHER_MS = 100;

const LOST = 'shared-lost';
const REPLICA = 'shared-replica';

/** Also announces where the user is, and catches up after a lost connection. */
export function followShared(
  {
    banners,
    current,
    log,
    refresh,
  }: {
    readonly banners: Banners;
    readonly current: CurrentChat;
    readonly log: vscode.LogOutputChannel;
    readonly refresh: () => void;
  },
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
        title: vscode.l10n.t('Read-only copy'),
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
        title: vscode.l10n.t('Connection lost'),
        limit: { action: 'reconnect' },
        text: vscode.l10n.t(
          'The connection to {0} is lost. What was read stays here, and nothing can be sent. It reconnects automatically.',
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

/** In milliseconds. */
const TICK_MS = 1_000;

type Store = Pick<SharedPlace['store'], 'connection' | 'isReadOnly'>;

/** A click shows what can be done about it. */
class SharedStatus implements vscode.Disposable {
  private readonly item = new StatusItem(
    'offshoot.shared',
    101,
    vscode.l10n.t('Offshoot: Shared Store'),
    commandLink('offshoot.showSharedStore', vscode.l10n.t('Show the Shared Store')),
  );
  private ticking: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly store: Store,
    private readonly userId: string,
    private readonly address: SharedAddress,
  ) {}

  show(): void {
    const { connection } = this.store;
    if (connection.kind === 'lost') this.ticking ??= setInterval(() => this.show(), TICK_MS);
    else this.stop();
    const who = shownName(this.userId);
    const { icon, text, what } = this.face();
    this.item.show({
      icon,
      text,
      tooltip: tooltip(
        vscode.l10n.t('Offshoot: shared store {0} on {1}', this.address.database, this.address.host),
        vscode.l10n.t('You are {0}', who),
        what,
      ),
      accessibilityLabel: vscode.l10n.t('Offshoot: shared store on {0}, {1}', this.address.host, what),
      backgroundColor:
        connection.kind === 'lost' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined,
    });
  }

  dispose(): void {
    this.stop();
    this.item.dispose();
  }

  private face(): { readonly icon: string; readonly text: string; readonly what: string } {
    const { connection, isReadOnly } = this.store;
    const place = vscode.l10n.t('{0} on {1}', shownName(this.userId), this.address.host);
    switch (connection.kind) {
      case 'connected':
        return isReadOnly
          ? { icon: 'lock', text: place, what: vscode.l10n.t('connected to a read-only copy') }
          : { icon: 'organization', text: place, what: vscode.l10n.t('connected') };
      case 'lost': {
        const seconds = Math.max(1, Math.ceil((connection.nextTryAt - Date.now()) / 1_000));
        return {
          icon: 'debug-disconnect',
          text: vscode.l10n.t('Reconnecting in {0} s', seconds),
          what: vscode.l10n.t('not connected; the next try is in {0} s', seconds),
        };
      }
      case 'unopened':
        return { icon: 'sync', text: place, what: vscode.l10n.t('connecting') };
      case 'closed':
        return { icon: 'debug-disconnect', text: place, what: vscode.l10n.t('closed') };
    }
  }

  private stop(): void {
    clearInterval(this.ticking);
    this.ticking = undefined;
  }
}
