import * as vscode from 'vscode';
import type { Host } from '../../platform/hostMachine.ts';
import type { Settings } from '../settings/settings.ts';
import type { SharedWorkplace } from './workplace.ts';

export type { SharedWorkplace } from './workplace.ts';

export interface OpenSharedDeps extends Pick<vscode.ExtensionContext, 'secrets' | 'globalState'> {
  readonly host: Pick<Host, 'isBrowser'>;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
}

/** What the settings led to: a shared store, or why there is none. */
export type OpenedShared = SharedWorkplace | { readonly store?: never; readonly problem: string };

/** The shared store of the settings; undefined where none is set, and then nothing is loaded for it. */
export async function openShared(deps: OpenSharedDeps): Promise<OpenedShared | undefined> {
  const text = deps.settings.get('sharedStore.address');
  if (text === '') return undefined;
  if (deps.host.isBrowser) return { problem: vscode.l10n.t('A browser can’t reach a database.') };
  const { openWorkplace } = await import('./workplace.ts');
  return openWorkplace(text, deps);
}
