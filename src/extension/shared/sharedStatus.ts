import * as vscode from 'vscode';
import { commandLink } from '../manifest/runCommand.ts';
import { shownName } from '../ui/shownName.ts';
import { StatusItem } from '../ui/statusBar.ts';
import { tooltip } from '../ui/tooltip.ts';
import type { SharedPlace } from './sharedPlace.ts';
import type { SharedAddress } from './sharedAddress.ts';

/** How often the time until the next try is updated, in milliseconds. */
const TICK_MS = 1_000;

type Store = Pick<SharedPlace['store'], 'connection' | 'isReadOnly'>;

/** The state of the shared store, in the status bar; a click shows what can be done about it. */
export class SharedStatus implements vscode.Disposable {
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
