import * as vscode from 'vscode';
import type { Host } from '../../host/hostMachine.ts';
import type { OpenedShared, openWorkplace } from './workplace.ts';

export type { OpenedShared, SharedWorkplace } from './workplace.ts';

/** The shared store of the settings; undefined if none is set, and then nothing is loaded for it. */
export async function openShared(
  deps: Parameters<typeof openWorkplace>[1] & { readonly host: Pick<Host, 'isBrowser'> },
): Promise<OpenedShared | undefined> {
  const text = deps.settings.get('sharedStore.address');
  if (text === '') return undefined;
  if (deps.host.isBrowser) return { problem: vscode.l10n.t('A browser can’t reach a database.') };
  const { openWorkplace } = await import('./workplace.ts');
  return openWorkplace(text, deps);
}
