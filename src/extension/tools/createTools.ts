import type * as vscode from 'vscode';
import { Approvals, WRITE } from '../../agent/tools/approvals.ts';
import { CommandRuns } from '../../agent/tools/commands/commandRuns.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { DisposableStore } from '../../kit/disposableStore.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { Host } from '../../platform/hostMachine.ts';
import type { Settings } from '../settings/settings.ts';
import { EditorTerminals, shellName } from '../terminals/commandTerminals.ts';
import { createAgentTools, type AgentTools } from './agentTools.ts';
import { WorkspaceAllowances } from './allowances.ts';
import { ProposedChanges } from './proposedChanges.ts';
import { SelectedMode } from './selectedMode.ts';

export interface ToolsOptions {
  readonly guarded: GuardedFiles;
  readonly host: Pick<Host, 'programs' | 'watch'>;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
  readonly workspaceState: vscode.Memento;
}

export interface Tools extends AgentTools, Disposable {
  readonly approvals: Approvals;
  readonly changes: ProposedChanges;
  readonly mode: SelectedMode;
  /** The commands that run, or ran in this window. */
  readonly commands: CommandRuns;
}

/** The tools that models are offered, and what asks the user before they change something. */
export function createTools({ guarded, host, log, settings, workspaceState }: ToolsOptions): Tools {
  const made = new DisposableStore();
  const approvals = made.add(
    new Approvals(
      new WorkspaceAllowances(workspaceState),
      (kind) => kind === WRITE && settings.get('tools.edits') === 'reviewAfterwards',
    ),
  );
  const changes = made.add(new ProposedChanges(approvals, log));
  const commands = made.add(new CommandRuns(made.add(new EditorTerminals(host.programs))));
  const commandHost = {
    ...{ guarded, runs: commands, shell: shellName, watch: host.watch },
    allowed: () => settings.get('commands.allow'),
  };
  return {
    ...createAgentTools(settings, guarded, host, commandHost),
    ...{ approvals, changes, commands, mode: made.add(new SelectedMode(workspaceState)) },
    dispose: () => made.dispose(),
  };
}
