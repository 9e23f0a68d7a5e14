import type { ContextEngine } from '../engine/contextEngine.ts';
import type { MessageEffects } from '../engine/effects.ts';
import type { BranchData } from '../engine/graph.ts';
import type { Draft, NewDraft, SaveDraft } from '../engine/store.ts';
import type { PathSummary } from '../engine/pathSummary.ts';
import type { UIMessage } from '../engine/uiMessage.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { RequestedRewind } from './cycle/stepCheckpoints.ts';
import type { Question } from './question.ts';

/** All that a run writes, as the user it works for. The layer above implements it; the agent itself only reads the store. */
export interface AgentWrites {
  /** An engine on a branch, for the run to read and to add its messages with. Whoever opens it closes it. */
  openEngine(chatId: string, branch: string): ContextEngine;
  /**
   * Saves an answer right after its question: on its branch, or, where that has gone on without it, on a new branch that
   * begins at the question. The active branch stays active.
   * @throws BranchNotFoundError, ReadOnlyError
   */
  saveLateAnswer(answer: LateAnswer): Promise<void>;
  /**
   * Goes back to the agent's checkpoint: a new branch there with the report, the active one if the explored one was. The
   * explored branch stays as it is. The branch, the report and the entry in the log are one transaction.
   */
  applyRewind(rewind: AgentRewind): Promise<AppliedRewind>;
  /**
   * Saves what has been written of an answer, and after it a summary that stands for what is far back. One transaction.
   * @throws BranchNotFoundError, HeadConflictError, ReadOnlyError
   */
  saveCompaction(compaction: SavedCompaction): Promise<void>;
  /** Makes the branch of a task that is explored beside an answer, with the message that gives it. */
  beginExploration(exploration: NewExploration): Promise<BegunExploration>;
  /** The user's drafts, in a chat or in all. */
  listDrafts(chatId?: string): Promise<Draft[]>;
  /** Keeps what has arrived of an answer; one draft per branch. */
  saveDraft(draft: NewDraft, options?: SaveDraft): Promise<void>;
  /**
   * The queued questions that are for the model while it is at work on this branch, in order. They stay in the queue
   * until they are messages under their ids, and then are passed over.
   */
  steering(chatId: string, branchId: string): Promise<readonly Question[]>;
  /** Takes what was sent out of the queue. */
  clearSent(chatId: string, branchId: string): Promise<void>;
  /** Forgets a draft: its answer was saved. */
  deleteDraft(chatId: string, branch: string): Promise<void>;
}

/** An answer whose branch was renamed or continued before it was complete. */
export interface LateAnswer {
  readonly chatId: string;
  /** Where the question was asked. */
  readonly branch: string;
  /** The node it follows. */
  readonly afterId: string;
  readonly message: UIMessage;
  /** What its turn changed in state and artifacts. */
  readonly effects?: MessageEffects | undefined;
}

/** A summary on the branch it shortens. */
export interface SavedCompaction {
  readonly chatId: string;
  readonly branch: string;
  /** The head of the branch. */
  readonly afterId: string;
  /** What has been written of the answer, before the summary. */
  readonly answers: readonly UIMessage[];
  readonly summary: PathSummary;
  /** How the summary came about, and what it took. */
  readonly metadata: AnswerMetadata;
}

/** A rewind that the model asked for. */
export interface AgentRewind {
  readonly chatId: string;
  /** The branch that was explored, as it is now. */
  readonly explored: BranchData;
  readonly rewind: RequestedRewind;
  /** What the other tools of the step said. */
  readonly siblings: readonly string[];
  /** The question the run answers. */
  readonly questionId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Where the agent is after its rewind. */
export interface AppliedRewind {
  readonly branch: BranchData;
  /** The checkpoint's message was not there any more; the new branch begins before the first message. */
  readonly isFromRoot: boolean;
}

/** A task that an answer has explored. */
export interface NewExploration {
  readonly chatId: string;
  /** The branch that the answer is written on. */
  readonly branchId: string;
  /** The message that both follow. */
  readonly afterId: string;
  readonly title: string;
  readonly prompt: string;
}

/** Where a task is explored. */
export interface BegunExploration {
  readonly branch: BranchData;
  /** The message that gives the task. */
  readonly taskId: string;
}
