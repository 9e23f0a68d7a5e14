import type * as vscode from 'vscode';
import type { Host } from '../../platform/hostMachine.ts';
import type { CommandPart } from '../commands/commandHandlers.ts';
import { registerEvictionHint, type EvictionHintDeps } from './evictionHint.ts';
import { registerHousekeeping, type HousekeepingDeps } from './housekeeping.ts';
import { registerStorageStartup, type StorageStartupDeps } from './storageStartup.ts';

export type StorageDeps = HousekeepingDeps & StorageStartupDeps & EvictionHintDeps & { readonly host: Host };

/** Opens what is kept, and tidies it from time to time. */
export function registerStorage(deps: StorageDeps, memory: vscode.Memento): CommandPart<'openStorageAgain'> {
  const startup = registerStorageStartup(deps);
  const housekeeping = registerHousekeeping(deps);
  const hint = deps.host.isBrowser ? registerEvictionHint(deps, memory) : undefined;
  return {
    handlers: startup.handlers,
    dispose: () => {
      hint?.dispose();
      housekeeping.dispose();
      startup.dispose();
    },
  };
}
