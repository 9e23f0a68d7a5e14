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

/** What is needed to write the answers of a store. */
export interface RunsOptions {
  readonly store: ReadonlyStore;
  /** Saves what runs write. */
  readonly writes: AgentWrites;
  /** The system prompt, read at each start. */
  readonly fragments: (about: {
    readonly chatId: string;
    readonly hasTools: boolean;
    readonly mode: ChatMode;
  }) => Fragment[] | Promise<Fragment[]>;
  /** The project instructions for a question, read before the question is saved. */
  readonly instructions?: (about: Omit<AskedAbout, 'active'>) => Promise<readonly UIMessagePart[]>;
  readonly log: RunLog;
  /** Keeps answers that the store could not save beyond the window. Default: they are not kept. */
  readonly keeping?: AnswerKeeping;
  readonly scheduler?: Scheduler;
  /** The tools for a model that takes tools, read before each request; none in an untrusted workspace. */
  readonly tools?: () => readonly AgentTool[];
  /** Asks for approval of tool calls; default: nothing can be approved. */
  readonly approvals?: Approvals;
  /** How tools write files, by the engine that records the changes; default: they cannot. */
  readonly fileWriter?: (engine: ContextEngine) => FileWriter;
  /** Requests to the model in one run before it asks the user, read at each start. Default 50. */
  readonly maxSteps?: () => number;
  /** What models are allowed to do, read at each start. Default: everything they are offered. */
  readonly mode?: () => ChatMode;
  /** The model that explores tasks for a model's answer. Default: the same. */
  readonly explorerModel?: (model: ChatModel) => Promise<ChatModel>;
  /** The reasoning effort, read at each start; undefined: the model's default. */
  readonly effort?: (model: ChatModel) => ReasoningEffort | undefined;
  /** How overlong conversations are compacted. Default: only when the user asks for it. */
  readonly compaction?: CompactionOptions;
  /** Retries after a request that failed before its first word for a temporary reason. Default 4. */
  readonly maxRetries?: number;
}
