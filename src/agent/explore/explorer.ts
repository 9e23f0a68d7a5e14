import type { Scheduler } from '../../base/scheduler.ts';
import type { ToolOutput } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import { Exploration, reportsText } from './exploration.ts';
import type { Explore, ExploreFrom, ExplorerOptions } from './explorerOptions.ts';
import { RequestPace } from '../../models/requests/retry.ts';
import { MAX_TASKS } from './taskProgress.ts';
import type { ApprovalRequest, Approvals } from '../tools/approvals.ts';
import { guardrail, type Fragment } from '../../engine/fragments/index.ts';

/** How often the user is shown the runs' progress, in milliseconds. */
const SHOWN_MS = 200;

/** The explorer of one answer: all its parallel tasks share one limit. */
export class Explorer {
  private readonly pace: RequestPace;
  private active = 0;

  constructor(private readonly options: ExplorerOptions) {
    this.pace = new RequestPace(options.scheduler);
  }

  from(from: ExploreFrom): Explore {
    return (tasks, show) => this.explore(from, tasks, show);
  }

  private async explore(from: ExploreFrom, ...[tasks, show]: Parameters<Explore>): Promise<ToolOutput> {
    const free = MAX_TASKS - this.active;
    if (tasks.length > free) throw new ToolError(tooMany(free), 'too-many-tasks');
    this.active += tasks.length;
    const shown = new Shown(this.options.scheduler, () => show(explorations.map(({ progress }) => progress)));
    const explorations = tasks.map((task) => new Exploration(task, this.options, this.pace, shown));
    try {
      shown.now();
      const outcomes = await Promise.all(explorations.map((each) => each.perform(from)));
      shown.now();
      from.signal.throwIfAborted();
      return {
        text: reportsText(outcomes),
        details: { tasks: outcomes.map(({ progress }) => progress) },
      };
    } finally {
      shown.dispose();
      this.active -= tasks.length;
    }
  }
}

/** Shows changes at intervals, and urgent ones immediately. */
class Shown {
  private timer: { dispose(): void } | undefined;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly show: () => void,
  ) {}

  soon(): void {
    this.timer ??= this.scheduler.after(SHOWN_MS, () => this.now());
  }

  now(): void {
    this.dispose();
    this.show();
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}

function tooMany(free: number): string {
  const left = free === 0 ? 'None can be added' : `Only ${free} more can be added`;
  return `At most ${MAX_TASKS} tasks are explored at once. ${left} now; call the tool again for the others when these have ended.`;
}

export type AskedApprovals = Pick<Approvals, 'ask' | 'isAllowed'>;

/** Never asks: questions from parallel runs that nobody watches would be answered without being read. */
export function withoutAsking(approvals: AskedApprovals): AskedApprovals {
  return {
    isAllowed: (request, chatId) => approvals.isAllowed(request, chatId),
    ask: (request, { chatId }) =>
      approvals.isAllowed(request, chatId) ? Promise.resolve(undefined) : Promise.reject(refusal(request)),
  };
}

function refusal({ reads }: ApprovalRequest): ToolError {
  const what = reads === undefined ? 'This' : `Reading “${reads}”`;
  return new ToolError(
    `${what} needs the user’s leave, and you can’t ask for it while you explore. Go on without it, and name it in ` +
      'your report: the agent that gave you the task can ask.',
    'leave-needed',
  );
}

export function explorationFragment(): Fragment {
  return guardrail({
    rule:
      'You look into one task for another agent. Use your tools to read what you need; nobody can be asked, and nothing ' +
      'can be changed. End with a report of what you found: the answer first, then names, paths and line numbers, and ' +
      'what you could not find out. Be concise.',
    reason: 'The other agent reads your last text and nothing else.',
  });
}

export const LAST_STEP =
  '<system-reminder>\nThis is your last step, and no tool can be used in it. Write the report now, with what you have ' +
  'found out so far.\n</system-reminder>';
