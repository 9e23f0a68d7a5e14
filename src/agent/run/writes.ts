import type { ContextEngine } from '../../engine/contextEngine.ts';
import type { MessageEffects } from '../../engine/effects.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { Draft, NewDraft, SaveDraft } from '../../engine/store.ts';
import type { PathSummary } from '../../engine/pathSummary.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { RequestedRewind } from '../checkpoints/stepCheckpoints.ts';
import type { Question } from './question.ts';

/** Everything a run writes, as its user. The layer above implements it; the agent itself only reads the store. */
export interface AgentWrites {
  /** An engine on a branch, for the run to read and to add its messages. The caller closes it. */
  openEngine(chatId: string, branch: string): ContextEngine;
  /**
   * Saves an answer right after its question: on its branch, or, if that has gone on without it, on a new branch that
   * begins at the question. The active branch stays active.
   * @throws BranchNotFoundError, ReadOnlyError
   */
  saveLateAnswer(answer: LateAnswer): Promise<void>;
  /**
   * Rewinds to the agent's checkpoint: creates a branch there with the report, active if the explored one was. The
   * explored branch is unchanged. The branch, the report and the log entry are one transaction.
   */
  applyRewind(rewind: AgentRewind): Promise<AppliedRewind>;
  /**
   * Saves the answer so far, and after it a summary that replaces older messages. One transaction.
   * @throws BranchNotFoundError, HeadConflictError, ReadOnlyError
   */
  saveCompaction(compaction: SavedCompaction): Promise<void>;
  beginExploration(exploration: NewExploration): Promise<BegunExploration>;
  /** The user's drafts, in one chat or in all. */
  listDrafts(chatId?: string): Promise<Draft[]>;
  /** Saves the answer so far as a draft; one per branch. */
  saveDraft(draft: NewDraft, options?: SaveDraft): Promise<void>;
  /**
   * The queued questions for a model that is already working on this branch, in order. They stay queued until they
   * are messages with their ids, and are then skipped.
   */
  steering(chatId: string, branchId: string): Promise<readonly Question[]>;
  clearSent(chatId: string, branchId: string): Promise<void>;
  deleteDraft(chatId: string, branch: string): Promise<void>;
}

/** An answer whose branch was renamed or continued before it was complete. */
export interface LateAnswer {
  readonly chatId: string;
  /** The branch where the question was asked. */
  readonly branch: string;
  readonly afterId: string;
  readonly message: UIMessage;
  readonly effects?: MessageEffects | undefined;
}

export interface SavedCompaction {
  readonly chatId: string;
  readonly branch: string;
  /** The head of the branch. */
  readonly afterId: string;
  /** The answer so far, before the summary. */
  readonly answers: readonly UIMessage[];
  readonly summary: PathSummary;
  readonly metadata: AnswerMetadata;
}

export interface AgentRewind {
  readonly chatId: string;
  /** The explored branch, in its current state. */
  readonly explored: BranchData;
  readonly rewind: RequestedRewind;
  /** The results of the step's other tools. */
  readonly siblings: readonly string[];
  readonly questionId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface AppliedRewind {
  readonly branch: BranchData;
  /** The checkpoint's message no longer exists; the new branch begins before the first message. */
  readonly isFromRoot: boolean;
}

export interface NewExploration {
  readonly chatId: string;
  /** The branch of the answer. */
  readonly branchId: string;
  /** The message that both follow. */
  readonly afterId: string;
  readonly title: string;
  readonly prompt: string;
}

export interface BegunExploration {
  readonly branch: BranchData;
  /** The message that states the task. */
  readonly taskId: string;
}
