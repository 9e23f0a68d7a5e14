import type { ContextEngine } from '../engine/contextEngine.ts';
import type { Fragment } from '../engine/fragments/index.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import type { AnswerKeeping } from './answerKeeper.ts';
import type { ChatMode } from './chatMode.ts';
import type { ChatModel } from './chatModel.ts';
import type { CompactionOptions } from './compaction/compactionOptions.ts';
import type { AskedAbout } from './instructions/questionInstructions.ts';
import type { ReasoningEffort } from './reasoning/efforts.ts';
import type { RunLog } from './runLog.ts';
import type { Scheduler } from './scheduler.ts';
import type { Approvals } from './tools/approvals.ts';
import type { FileWriter } from './tools/fileWriter.ts';
import type { AgentTool } from './tools/tool.ts';
import type { AgentWrites } from './writes.ts';

/** What the answers of a store are written with. */
export interface RunsOptions {
  readonly store: ReadonlyStore;
  /** How what runs say is kept. */
  readonly writes: AgentWrites;
  /** The system prompt, asked for at each start. */
  readonly fragments: (about: {
    readonly chatId: string;
    readonly hasTools: boolean;
    readonly mode: ChatMode;
  }) => Fragment[] | Promise<Fragment[]>;
  /** What the project says about what a question is about, asked for before it is saved. */
  readonly instructions?: (about: Omit<AskedAbout, 'active'>) => Promise<readonly UIMessagePart[]>;
  readonly log: RunLog;
  /** Where answers outlive the window that the store could not take. Default: nowhere. */
  readonly keeping?: AnswerKeeping;
  readonly scheduler?: Scheduler;
  /** What a model that takes tools may use, asked for before each request; none while the workspace is not trusted. */
  readonly tools?: () => readonly AgentTool[];
  /** Where leave is asked for what tools do; default: nobody is there to give it. */
  readonly approvals?: Approvals;
  /** How tools write files, by the engine that keeps what they change; default: they do not. */
  readonly fileWriter?: (engine: ContextEngine) => FileWriter;
  /** Requests to the model in one run before it waits for the user, asked for at each start. Default 50. */
  readonly maxSteps?: () => number;
  /** What models are let do, asked for at each start. Default: all that they are offered. */
  readonly mode?: () => ChatMode;
  /** The model that explores tasks for an answer of a model. Default: the same. */
  readonly explorerModel?: (model: ChatModel) => Promise<ChatModel>;
  /** How hard a model is to think, asked for at each start; undefined: as it does by itself. */
  readonly effort?: (model: ChatModel) => ReasoningEffort | undefined;
  /** How conversations that become too long are compacted. Default: only where the user asks for it. */
  readonly compaction?: CompactionOptions;
  /** Further requests after one that failed before its first word for a reason that may pass. Default 4. */
  readonly maxRetries?: number;
}
