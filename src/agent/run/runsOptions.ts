import type { ContextEngine } from '../../engine/contextEngine.ts';
import type { Fragment } from '../../engine/fragments/index.ts';
import type { JsonValue } from '../../engine/json.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { AnswerKeeping } from './recoverAnswers.ts';
import type { Budget } from '../budget/budget.ts';
import type { BeyondCap } from '../budget/spends.ts';
import type { ChatMode } from './chatMode.ts';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import type { CompactionOptions, CompactionRequest } from '../compaction/compactionOptions.ts';
import type { AskedAbout } from '../instructions/questionInstructions.ts';
import type { AgentProfile, RunAgents } from '../prompts/agentProfile.ts';
import type { RunHooks } from '../hooks/runHooks.ts';
import type { RunLog } from './runLog.ts';
import type { Scheduler } from '../../base/scheduler.ts';
import type { Approvals } from '../tools/approvals.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { EngineState } from '../../engine/state.ts';
import type { OwnFilesOfRun } from './ownFilesOfRun.ts';
import type { FileWriter, AgentTool } from '../tools/tool.ts';
import type { AgentWrites } from './writes.ts';
import type { ExplorationRun } from '../explore/explorerOptions.ts';

export interface RunsOptions {
  readonly store: ReadonlyStore;
  readonly writes: AgentWrites;
  /** Read at each start. */
  readonly fragments: (about: {
    readonly chatId: string;
    readonly hasTools: boolean;
    readonly mode: ChatMode;
    readonly agent: AgentProfile | undefined;
    /** Left out: those of the workspace. */
    readonly files?: GuardedFiles | undefined;
    /** What the state says of the branch's memory. */
    readonly branchMemory?: JsonValue | undefined;
  }) => Fragment[] | Promise<Fragment[]>;
  /** Read before the question is saved. */
  readonly instructions?: (
    about: Omit<AskedAbout, 'active'> & { readonly files?: GuardedFiles | undefined },
  ) => Promise<readonly UIMessagePart[]>;
  /** Those that the user allowed, read at each start; undefined where there are none. Default: none. */
  readonly hooks?: (about: {
    readonly chatId: string;
    readonly branch: string;
    readonly mode: ChatMode;
    /** Left out: those of the workspace. */
    readonly files?: GuardedFiles | undefined;
  }) => Promise<RunHooks | undefined>;
  readonly log: RunLog;
  /** Keeps answers that the store could not save beyond the window. Default: they are not kept. */
  readonly keeping?: AnswerKeeping;
  readonly scheduler?: Scheduler;
  /** The tools for a model that takes tools, read before each request; none in an untrusted workspace. */
  readonly tools?: () => readonly AgentTool[];
  /**
   * Read at each start, from the state at the end of the branch. Default: no branch has files of its own.
   * @throws OffshootError when it has some and nothing can be written there now
   */
  readonly ownFiles?: (about: {
    readonly chatId: string;
    readonly branch: string;
    readonly state: EngineState;
  }) => Promise<OwnFilesOfRun | undefined>;
  /** Asks for approval of tool calls; default: nothing can be approved. */
  readonly approvals?: Approvals;
  /** How tools write files, by the engine that records the changes; default: they cannot. */
  readonly fileWriter?: (engine: ContextEngine) => FileWriter;
  /** Requests to the model in one run before it asks the user, read at each start. Default 50. */
  readonly maxSteps?: () => number;
  /** What models are allowed to do, read at each start. Default: everything they are offered. */
  readonly mode?: () => ChatMode;
  /** Read at each start. Default: none. @throws OffshootError when the selected one cannot be used */
  readonly agents?: () => Promise<RunAgents>;
  /** The model that explores tasks for a model's answer. Default: the same. */
  readonly explorerModel?: (model: ChatModel) => Promise<ChatModel>;
  /** The reasoning effort, read at each start; undefined: the model's default. */
  readonly effort?: (model: ChatModel) => ReasoningEffort | undefined;
  /** How overlong conversations are compacted. Default: only when the user asks for it. */
  readonly compaction?: CompactionOptions;
  /** Retries after a request that failed before its first word for a temporary reason. Default 4. */
  readonly maxRetries?: number;
  /** Loaded with the first run. Default: what is spent has no caps. */
  readonly budget?: () => Promise<Pick<Budget, 'for'>>;
}

export interface StartOptions {
  readonly chatId: string;
  readonly branch: string;
  /** Absent: the question at the head of the branch is answered (again). */
  readonly question?: string;
  /** The head that the user asked at; undefined: whatever it is. */
  readonly after?: string | null | undefined;
  /** The question's attachments, after its text. */
  readonly attached?: readonly UIMessagePart[];
  /** The question is another version of this one: it is asked on a new branch, to which the run belongs. */
  readonly replaces?: string;
  /** Default: a new one. */
  readonly questionId?: string;
  readonly model: ChatModel;
  /** Continue an answer that failed, was stopped or reached its step limit, instead of answering a question. */
  readonly continues?: boolean;
  /** Summarize older messages first, whether necessary or not. */
  readonly compacts?: CompactionRequest;
  /** An agent that works for another one: it has no checkpoints. */
  readonly isSubagent?: boolean;
  /** The main question may be answered elsewhere at that time. No checkpoints: the answer is shown on one branch. */
  readonly isSideQuestion?: boolean;
  /** The sampling temperature, 0 to 2; absent: the model's default. */
  readonly temperature?: number;
  /** Several answers to one question are written at once: without files of its own, its tools change nothing. */
  readonly onlyReads?: boolean;
  /** The user lets a request through that is beyond a cap. */
  readonly beyond?: BeyondCap | undefined;
  /** It explores a task for another answer: it only reads, never asks, and ends with a report. */
  readonly exploration?: ExplorationRun;
}

/** `beyond`: its first request that does not fit the budget is sent. */
export type GoingOn = Pick<StartOptions, 'beyond'>;
