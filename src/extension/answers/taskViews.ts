import * as vscode from 'vscode';
import { tasksOf, type TaskProgress, type TaskStep } from '../../agent/explore/taskProgress.ts';
import { isSettled, type AnyToolPart } from '../../agent/tools/toolParts.ts';
import type { TaskView } from '../../protocol/tasks.ts';
import { oneLine } from '../ui/oneLine.ts';
import { shownName } from '../ui/shownName.ts';
import { describeCall } from './toolTitles.ts';
import { usageView } from './usageView.ts';

const TITLE_LENGTH = 80;
const REASON_LENGTH = 300;

/** The tasks of a call; undefined for a call that explores nothing. */
export function taskViews(
  part: AnyToolPart,
  { isLive }: { readonly isLive: boolean },
): TaskView[] | undefined {
  const goesOn = isLive && !isSettled(part);
  return tasksOf(part)?.map((task) => taskView(task, goesOn));
}

function taskView(task: TaskProgress, goesOn: boolean): TaskView {
  const { title, steps, step, branch, branchId, startedAt, finishedAt, usage, cost, reason } = task;
  const isOpen = task.state === 'waiting' || task.state === 'running';
  return {
    title: shownName(title, TITLE_LENGTH),
    // Nothing runs once the call has ended, no matter which state was saved last.
    state: isOpen && !goesOn ? 'interrupted' : task.state,
    steps,
    ...(branch === undefined ? {} : { branch }),
    ...(branchId === undefined ? {} : { branchId }),
    ...(step && isOpen && goesOn ? { step: stepText(step) } : {}),
    ...(startedAt !== undefined && isOpen && goesOn ? { startedAt } : {}),
    ...(startedAt === undefined || finishedAt === undefined ? {} : { duration: finishedAt - startedAt }),
    ...(usage ? { usage: usageView({ usage, ...(cost === undefined ? {} : { cost }) }) } : {}),
    ...(reason === undefined ? {} : { reason: oneLine(reason, REASON_LENGTH) }),
  };
}

function stepText(step: TaskStep): string {
  switch (step.kind) {
    case 'tool':
      return describeCall(step.name, step.input).title;
    case 'writing':
      return vscode.l10n.t('Writing the report');
    case 'retrying':
      return vscode.l10n.t('Waiting to ask again');
  }
}
