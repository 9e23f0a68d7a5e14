import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Event } from '../../kit/disposable.ts';
import type { ChatModel } from '../chatModel.ts';
import type { Run, RunEvent } from '../run.ts';
import type { RunLog } from '../runLog.ts';
import type { Scheduler } from '../scheduler.ts';
import type { ToolOutput } from '../tools/tool.ts';
import type { AgentWrites } from '../writes.ts';
import type { ExploreTask } from './exploreTask.ts';
import type { RequestPace } from './requestPace.ts';
import type { TaskProgress } from './taskProgress.ts';

/** How a task is explored for another run. */
export interface ExplorationRun {
  /** Requests to the model; the last one is for the report. */
  readonly maxSteps: number;
  /** Shared with the other tasks of that run. */
  readonly pace: RequestPace;
}

/** What explores is a run as any other. */
export interface ExplorationRuns {
  start(options: {
    readonly chatId: string;
    readonly branch: string;
    readonly model: ChatModel;
    readonly exploration: ExplorationRun;
  }): Promise<Run>;
  stop(chatId: string, branch: string): Promise<void>;
  readonly onDidChange: Event<RunEvent>;
}

export interface ExplorerOptions {
  readonly chatId: string;
  /** The one that writes the answer. */
  readonly model: ChatModel;
  /** The one that explores for it. */
  readonly modelFor: (model: ChatModel) => Promise<ChatModel>;
  readonly runs: ExplorationRuns;
  readonly writes: Pick<AgentWrites, 'beginExploration'>;
  readonly store: Pick<ReadonlyStore, 'getPathAfter' | 'listBranches'>;
  readonly scheduler: Scheduler;
  readonly log: RunLog;
}

/** Where an answer stands that has something explored. */
export interface ExploreFrom {
  readonly branchId: string;
  /** The last message before the one that is being written. */
  readonly afterId: string;
  /** Fires when the user stops the answer. */
  readonly signal: AbortSignal;
}

/**
 * Has each task explored on a branch of its own, and waits for all. One that fails says so in its report.
 * @param show shows the user how far the tasks have come
 * @throws ToolError where there would be too many; and when the answer is stopped
 */
export type Explore = (
  tasks: readonly ExploreTask[],
  show: (tasks: readonly TaskProgress[]) => void,
) => Promise<ToolOutput>;
