import * as vscode from 'vscode';
import type { CommandRuns } from '../../agent/tools/commands/commandRuns.ts';
import type { AnswersNotice } from '../../protocol/answersFromPage.ts';
import { notify } from '../ui/notifications.ts';

export interface CommandActionsDeps {
  /** The commands that are running, or ran in this window. */
  readonly commands: CommandRuns;
}

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
