import type { UIMessagePart } from '../engine/uiMessage.ts';
import type { ExplorationRun } from './explore/explorerOptions.ts';
import type { ChatModel } from './chatModel.ts';
import type { CompactionRequest } from './compaction/compactionOptions.ts';

/** What is to be answered, and how. */
export interface StartOptions {
  readonly chatId: string;
  readonly branch: string;
  /** Absent: the question at the head of the branch is answered (again). */
  readonly question?: string;
  /** What goes with the question, after its text. */
  readonly attached?: readonly UIMessagePart[];
  /** The question is another version of this one: it is asked on a new branch, which the run belongs to. */
  readonly replaces?: string;
  /** The id the question is saved under; default: a new one. */
  readonly questionId?: string;
  readonly model: ChatModel;
  /** Continue an answer that failed, was stopped or came to its limit of steps, instead of answering a question. */
  readonly continues?: boolean;
  /** What is far back gives way to a summary first, whether it must or not. */
  readonly compacts?: CompactionRequest;
  /** An agent that works for another one: it has no checkpoints of its own. */
  readonly isSubagent?: boolean;
  /**
   * It was asked by the way, while the main question may be answered elsewhere: the system prompt says so. What answers it
   * has no checkpoints of its own, for a side question is shown on one branch.
   */
  readonly isSideQuestion?: boolean;
  /** How freely the model chooses its words, 0 to 2; absent: as the model does by itself. */
  readonly temperature?: number;
  /** Only tools that change nothing: several answers to one question are written at once. */
  readonly onlyReads?: boolean;
  /** It explores a task for another answer: it only reads, asks for nothing, and ends with a report. */
  readonly exploration?: ExplorationRun;
}
