import * as vscode from 'vscode';
import type { CommandRuns } from '../../agent/tools/commands/commandRuns.ts';
import type { AnswersNotice } from '../../protocol/answers.ts';
import { notify } from '../ui/notifications.ts';
import type { Runs } from '../../agent/run/runs.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { runCommand } from '../manifest/runCommand.ts';

type CommandNotice = Extract<AnswersNotice, { type: 'actOnCommand' }>;

/** What the user can do about a command of a call. */
export async function actOnCommand(
  commands: CommandRuns,
  { action, callId, commandId }: CommandNotice,
): Promise<void> {
  const run = commands.ofCall(callId, commandId);
  if (!run) {
    await notify.information(vscode.l10n.t('The terminal of this command is gone.'));
    return;
  }
  switch (action) {
    case 'stop':
      return run.stop();
    case 'leave':
      run.leave();
      return;
    case 'showTerminal':
      run.show();
      return;
  }
}

type TaskNotice = Extract<AnswersNotice, { type: 'openTask' | 'stopTask' }>;

/** What the user can do about a task that was explored for an answer. */
export async function actOnTask(
  { runs, store }: { readonly runs: Runs; readonly store: ReadonlyStore },
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
