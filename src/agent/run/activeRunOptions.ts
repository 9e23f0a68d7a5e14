import type { ContextEngine } from '../../engine/contextEngine.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import type { CompactionOptions, CompactionRequest } from '../compaction/compactionOptions.ts';
import type { Ledgers } from '../ledger/ledgers.ts';
import type { TokenCounts } from '../compaction/tokenCounts.ts';
import type { Spends } from '../budget/spends.ts';
import type { ChatMode } from './chatMode.ts';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import type { Explorer, AskedApprovals } from '../explore/explorer.ts';
import type { ExplorationRun } from '../explore/explorerOptions.ts';
import type { RunHooks } from '../hooks/runHooks.ts';
import type { RunEvent } from './run.ts';
import type { RunLog } from './runLog.ts';
import type { Scheduler } from '../../base/scheduler.ts';
import type { FileWriter, AgentTool } from '../tools/tool.ts';
import type { AgentWrites } from './writes.ts';

export interface Place {
  /** Opened on the run's branch; must refuse to save when the branch has moved on. */
  readonly engine: ContextEngine;
  readonly branchId: string;
  /** The node the next message follows. */
  readonly afterId: string;
  /**
   * All messages up to there, including those that a summary replaces and that are no longer sent to models. The
   * ledger of these is part of the summary.
   */
  readonly path: readonly UIMessage[];
}

export interface ActiveRunOptions {
  readonly store: ReadonlyStore;
  readonly writes: AgentWrites;
  readonly place: Place;
  readonly ledgers: Pick<Ledgers, 'inFull' | 'into'>;
  readonly openBranch: (branch: string) => Promise<Place>;
  readonly questionId: string;
  readonly instructions: string;
  readonly model: ChatModel;
  /** The model takes none of the tools there are. */
  readonly lacksTools?: boolean;
  /** Read before each request. */
  readonly tools: () => readonly AgentTool[];
  /** Requests to the model before the run asks the user whether to continue. */
  readonly maxSteps: number;
  readonly isSubagent: boolean;
  readonly temperature: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  readonly mode: ChatMode;
  /** The id of the files that only its branch has; undefined: it works in the workspace. */
  readonly ownFiles: string | undefined;
  /** Set when the user asked to compact, not only for an answer. */
  readonly compacts: CompactionRequest | undefined;
  readonly compaction: CompactionOptions & { readonly counts: TokenCounts };
  readonly approvals: AskedApprovals;
  /** Explores tasks for this run; undefined for a run that explores for another. */
  readonly explorer: Explorer | undefined;
  /** Set when this run explores a task for another run. */
  readonly exploration: ExplorationRun | undefined;
  /** Undefined where there are none. */
  readonly hooks: RunHooks | undefined;
  readonly fileWriter: ((engine: ContextEngine) => FileWriter) | undefined;
  readonly maxRetries: number;
  /** What its requests count for, on the branch it is on; undefined where there is no budget. */
  readonly spends: ((branchId: string) => Spends) | undefined;
  readonly scheduler: Scheduler;
  readonly log: RunLog;
  readonly onEvent: (event: RunEvent) => void;
}
