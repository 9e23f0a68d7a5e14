import * as vscode from 'vscode';
import type { Runs } from '../../agent/runs.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { AnswersNotice } from '../../protocol/answersFromPage.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { notify } from '../ui/notifications.ts';

export interface TaskActionsDeps {
  readonly runs: Runs;
  readonly store: ReadonlyStore;
}

type TaskNotice = Extract<AnswersNotice, { type: 'openTask' | 'stopTask' }>;

/** What the user can do about a task that was explored for an answer. */
export async function actOnTask(
  { runs, store }: TaskActionsDeps,
  chatId: string,
  message: TaskNotice,
): Promise<void> {
  if (message.type === 'stopTask') return runs.stop(chatId, message.branch);
  const branches = await store.listBranches(chatId, { includeArchived: true });
  // It may have been renamed since it was created.
  const branch = branches.find(({ id }) => id === message.branchId);
  if (branch) return runCommand('offshoot.openBranch', { kind: 'branch', chatId, name: branch.name });
  await notify.information(vscode.l10n.t('The branch of this task was deleted.'));
}
