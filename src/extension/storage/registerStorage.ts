import type { CommandPart } from '../commands/commandHandlers.ts';
import { registerHousekeeping, type HousekeepingDeps } from './housekeeping.ts';
import { registerStorageStartup, type StorageStartupDeps } from './storageStartup.ts';

export type StorageDeps = HousekeepingDeps & StorageStartupDeps;

/** Opens the storage, and tidies it from time to time. */
export function registerStorage(deps: StorageDeps): CommandPart<'openStorageAgain'> {
  const startup = registerStorageStartup(deps);
  const housekeeping = registerHousekeeping(deps);
  return {
    handlers: startup.handlers,
    dispose: () => {
      housekeeping.dispose();
      startup.dispose();
    },
  };
}
