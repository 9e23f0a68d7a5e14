import type * as vscode from 'vscode';
import { Approvals, WRITE } from '../../agent/tools/approvals.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { DisposableStore } from '../../kit/disposableStore.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { Host } from '../../platform/hostMachine.ts';
import type { Settings } from '../settings/settings.ts';
import { createAgentTools, type AgentTools } from './agentTools.ts';
import { WorkspaceAllowances } from './allowances.ts';
import { ProposedChanges } from './proposedChanges.ts';
import { SelectedMode } from './selectedMode.ts';

export interface ToolsOptions {
  readonly guarded: GuardedFiles;
  readonly host: Pick<Host, 'programs'>;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
  readonly workspaceState: vscode.Memento;
}

export interface Tools extends AgentTools, Disposable {
  readonly approvals: Approvals;
  readonly changes: ProposedChanges;
  readonly mode: SelectedMode;
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
  return {
    ...createAgentTools(settings, guarded, host),
    ...{ approvals, changes, mode: made.add(new SelectedMode(workspaceState)) },
    dispose: () => made.dispose(),
  };
}
