import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { NOT_OPENED, type Banners } from '../ui/banners.ts';
import { messageOf } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import type { SharedAddress } from './sharedAddress.ts';

interface NotOpened {
  readonly error: unknown;
  /** The user asked to try again. */
  readonly isAsked: boolean;
  readonly banners: Banners;
  readonly log: vscode.LogOutputChannel;
}

/** Shows why the shared store can't be opened, and what can be done. */
export async function notOpened(
  { host }: SharedAddress,
  { error, isAsked, banners, log }: NotOpened,
): Promise<void> {
  const text = vscode.l10n.t('The shared store on {0} can’t be opened.', host);
  const isLost = error instanceof OffshootError && error.code === 'connection-lost';
  if (isLost) banners.hide(NOT_OPENED);
  else banners.show({ id: NOT_OPENED, severity: 'error', text: `${text} ${messageOf(error)}` });
  // The views and the status bar show that it is unavailable, and it is retried automatically.
  if (isLost && !isAsked) return;
  const other = isLost ? vscode.l10n.t('Show Log') : vscode.l10n.t('Connect…');
  const local = vscode.l10n.t('Use Local Chats…');
  const answer = await notify.error(`${text} ${messageOf(error)}`, other, local);
  if (answer === local) await runCommand('offshoot.disconnectSharedStore');
  else if (answer === other && isLost) log.show();
  else if (answer === other) await runCommand('offshoot.connectSharedStore');
}
