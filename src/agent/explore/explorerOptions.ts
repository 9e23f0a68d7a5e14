import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Event } from '../../base/disposable.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { Run, RunEvent } from '../run/run.ts';
import type { RunLog } from '../run/runLog.ts';
import type { Scheduler } from '../../base/scheduler.ts';
import type { ToolOutput } from '../tools/tool.ts';
import type { AgentWrites } from '../run/writes.ts';
import type { SpentFor } from '../budget/spends.ts';
import type { AgentProfile } from '../prompts/agentProfile.ts';
import type { ExploreTask } from './exploreTask.ts';
import type { RequestPace } from '../../models/requests/retry.ts';
import type { TaskProgress } from './taskProgress.ts';

export interface ExplorationRun {
  /** Requests to the model; the last one is reserved for the report. */
  readonly maxSteps: number;
  /** Shared with the other tasks of the calling run. */
  readonly pace: RequestPace;
  /** The answer that it explores for: its requests count for that. */
  readonly spentFor: SpentFor;
  /** Undefined: none was named for the task. */
  readonly agent: AgentProfile | undefined;
}

/** Starts exploring runs; they are ordinary runs. */
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
  /** The model that writes the answer. */
  readonly model: ChatModel;
  /** The model that explores for it. */
  readonly modelFor: (model: ChatModel) => Promise<ChatModel>;
  /** Those that a task may name. */
  readonly agents: readonly AgentProfile[];
  /** The one that writes the answer: what it may not use, tasks without an agent may not either. */
  readonly agent: AgentProfile | undefined;
  readonly runs: ExplorationRuns;
  readonly writes: Pick<AgentWrites, 'beginExploration'>;
  readonly store: Pick<ReadonlyStore, 'getPathAfter' | 'listBranches'>;
  readonly scheduler: Scheduler;
  readonly log: RunLog;
}

export interface ExploreFrom {
  readonly branchId: string;
  /** The last message before the one that is being written. */
  readonly afterId: string;
  /** The question that is being answered. */
  readonly questionId: string;
  /** Fires when the user stops the answer. */
  readonly signal: AbortSignal;
}

/** A failed task reports its failure. @throws ToolError if there would be too many, or when the answer is stopped */
export type Explore = (
  tasks: readonly ExploreTask[],
  show: (tasks: readonly TaskProgress[]) => void,
) => Promise<ToolOutput>;
