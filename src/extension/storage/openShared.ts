import * as vscode from 'vscode';
import type { Host } from '../../host/hostMachine.ts';
import type { OpenedShared, openWorkplace, SharedWorkplace } from './workplace.ts';
import { setContext } from '../manifest/runCommand.ts';
import { logFailure } from '../ui/failures.ts';
import type { followShared } from './followShared.ts';

export type { OpenedShared, SharedWorkplace } from './workplace.ts';

/** Undefined if none is set; nothing is loaded for it then. */
export async function openShared(
  deps: Parameters<typeof openWorkplace>[1] & { readonly host: Pick<Host, 'isBrowser'> },
): Promise<OpenedShared | undefined> {
  const text = deps.settings.get('sharedStore.address');
  if (text === '') return undefined;
  if (deps.host.isBrowser) return { problem: vscode.l10n.t('A browser can’t reach a database.') };
  const { openWorkplace } = await import('./workplace.ts');
  return openWorkplace(text, deps);
}

export function registerShared(
  deps: Parameters<typeof followShared>[0] & {
    /** Left out if the conversations are on this machine. */
    readonly workplace: SharedWorkplace | undefined;
    /** Why the shared store of the settings is not in use. */
    readonly sharedProblem: string | undefined;
  },
): vscode.Disposable {
  const { banners, workplace, sharedProblem, log } = deps;
  setContext('offshoot.isShared', workplace !== undefined).catch((error: unknown) =>
    logFailure(log, 'Context keys', error),
  );
  if (sharedProblem !== undefined) {
    const text = vscode.l10n.t(
      'The shared store of your settings is not in use, so the chats of this machine are shown. {0}',
      sharedProblem,
    );
    const title = vscode.l10n.t('Shared store not used');
    banners.show({ id: 'shared-problem', severity: 'error', title, text });
  }
  return workplace?.follow(deps) ?? vscode.Disposable.from();
}
