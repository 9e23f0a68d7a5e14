import type * as vscode from 'vscode';
import type { Runs } from '../../agent/run/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { BranchUsage } from './branchUsage.ts';
import { ChatUsage } from './chatUsage.ts';
import { DismissedSideQuestions } from './dismissedSideQuestions.ts';
import { ShownPlan } from './shownPlan.ts';
import { ShownTodos } from './shownTodos.ts';
import { SideQuestions } from './sideQuestions.ts';
import type { RunLog } from '../../agent/run/runLog.ts';

export interface ChatOptions {
  readonly approvals: Approvals;
  readonly log: RunLog;
  readonly runs: Runs;
  readonly store: ReadonlyStore;
  readonly workspaceState: vscode.Memento;
}

export interface Chat extends Disposable {
  readonly dismissed: DismissedSideQuestions;
  readonly sideQuestions: SideQuestions;
  readonly todos: ShownTodos;
  readonly plan: ShownPlan;
  readonly usage: BranchUsage;
  readonly chatUsage: ChatUsage;
}

export function createChat({ approvals, log, runs, store, workspaceState }: ChatOptions): Chat {
  const made = new DisposableStore();
  const dismissed = new DismissedSideQuestions(workspaceState);
  const sideQuestions = made.add(new SideQuestions(store, runs, dismissed, approvals));
  const usage = made.add(new BranchUsage(store));
  const chatUsage = made.add(new ChatUsage(store));
  const todos = new ShownTodos(log);
  const plan = new ShownPlan(store);
  return { dismissed, todos, plan, sideQuestions, usage, chatUsage, dispose: () => made.dispose() };
}
