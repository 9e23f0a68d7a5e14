import type { Scheduler } from '../scheduler.ts';
import type { ToolOutput } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import { Exploration } from './exploration.ts';
import type { Explore, ExploreFrom, ExplorerOptions } from './explorerOptions.ts';
import { RequestPace } from './requestPace.ts';
import { MAX_TASKS } from './taskProgress.ts';
import { reportsText } from './taskReport.ts';

/** How often the user is shown the runs' progress, in milliseconds. */
const SHOWN_MS = 200;

/** The explorer of one answer: all its parallel tasks share one limit. */
export class Explorer {
  private readonly pace: RequestPace;
  private active = 0;

  constructor(private readonly options: ExplorerOptions) {
    this.pace = new RequestPace(options.scheduler);
  }

  /** Explores from an answer's current position. */
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
