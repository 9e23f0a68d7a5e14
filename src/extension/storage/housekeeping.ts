import * as vscode from 'vscode';
import { logFailure } from '../ui/failures.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface HousekeepingDeps {
  readonly conversations: Conversations;
  readonly log: vscode.LogOutputChannel;
}

/** Not while a window is still opening. */
const FIRST_MS = 60_000;
const EVERY_MS = 24 * 60 * 60 * 1_000;

/** Once a day, deletes what has been in the trash for 30 days, and bytes without references. */
export function registerHousekeeping({ conversations, log }: HousekeepingDeps): vscode.Disposable {
  const tidy = async (): Promise<void> => {
    // Only in the window that writes.
    const tidied = await conversations.tidyTrash(Date.now());
    if (!tidied) return;
    const { entries, blobs } = tidied;
    if (entries + blobs.count > 0) {
      log.info(`The trash let go of ${entries} things after 30 days, and of ${blobs.count} unused files`);
    }
  };
  const start = (): void => {
    tidy().catch((error: unknown) => logFailure(log, 'Housekeeping', error));
  };
  const first = setTimeout(start, FIRST_MS);
  const every = setInterval(start, EVERY_MS);
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(first) },
    { dispose: () => clearInterval(every) },
  );
}
