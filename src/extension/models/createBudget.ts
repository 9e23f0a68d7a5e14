import type * as vscode from 'vscode';
import type { Budget } from '../../agent/budget/budget.ts';
import type { RunLog } from '../../agent/run/runLog.ts';
import { loadOnce } from '../../base/loadOnce.ts';
import { systemScheduler } from '../../base/scheduler.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { Settings } from '../manifest/settings.ts';

export interface BudgetContext {
  readonly host: Pick<Host, 'files' | 'pathOf'>;
  /** Where the conversations of the workspace are kept. */
  readonly folder: vscode.Uri;
  readonly settings: Pick<Settings, 'get'>;
  readonly store: ReadonlyStore;
  readonly userId: string;
  readonly log: RunLog;
}

/** It is loaded with the AI SDK, before the first request. */
export function createBudget(context: BudgetContext): () => Promise<Budget> {
  const { host, folder, settings, store, userId, log } = context;
  return loadOnce(async () => {
    const { Budget, SpendingJournal, StoredSpending } = await import('../../agent/withSdk.ts');
    return new Budget({
      setting: () => settings.get('budget'),
      journal: new SpendingJournal({
        files: host.files,
        folder: host.files.join(host.pathOf(folder.toString()), 'spending'),
        now: () => systemScheduler.now(),
        log,
      }),
      stored: new StoredSpending(store, userId),
      scheduler: systemScheduler,
    });
  });
}
