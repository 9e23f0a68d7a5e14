import * as vscode from 'vscode';
import type { Run, Runs } from '../../agent/run/runs.ts';
import { logFailure } from '../ui/failures.ts';
import { setContext } from '../manifest/runCommand.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

/** Ticks off walkthrough steps that are not commands: asking, and asking a side question. */
export function registerWalkthroughProgress({
  runs,
  store,
  log,
}: {
  readonly log: vscode.LogOutputChannel;
  readonly runs: Runs;
  readonly store: ReadonlyStore;
}): vscode.Disposable {
  const tick = async ({ chatId, branch }: Run): Promise<void> => {
    const active = await store.getActiveBranch(chatId);
    const key = active?.name === branch ? 'offshoot.hasAsked' : 'offshoot.hasAskedAside';
    await setContext(key, true);
  };
  return vscode.Disposable.from(
    runs.onDidChange((event) => {
      if (event.kind !== 'started') return;
      tick(event.run).catch((error: unknown) => logFailure(log, 'The walkthrough', error));
    }),
  );
}
