import type { UIMessagePart } from '../engine/uiMessage.ts';
import type { ExplorationRun } from './explore/explorerOptions.ts';
import type { ChatModel } from './chatModel.ts';
import type { CompactionRequest } from './compaction/compactionOptions.ts';

/** What to answer, and how. */
export interface StartOptions {
  readonly chatId: string;
  readonly branch: string;
  /** Absent: the question at the head of the branch is answered (again). */
  readonly question?: string;
  /** The question's attachments, after its text. */
  readonly attached?: readonly UIMessagePart[];
  /** The question is another version of this one: it is asked on a new branch, to which the run belongs. */
  readonly replaces?: string;
  /** The id for saving the question; default: a new one. */
  readonly questionId?: string;
  readonly model: ChatModel;
  /** Continue an answer that failed, was stopped or reached its step limit, instead of answering a question. */
  readonly continues?: boolean;
  /** Summarize older messages first, whether necessary or not. */
  readonly compacts?: CompactionRequest;
  /** An agent that works for another one: it has no checkpoints. */
  readonly isSubagent?: boolean;
  /**
   * A side question, while the main question may be answered elsewhere: the system prompt states so. Its answer has
   * no checkpoints, because a side question is shown on one branch.
   */
  readonly isSideQuestion?: boolean;
  /** The sampling temperature, 0 to 2; absent: the model's default. */
  readonly temperature?: number;
  /** Only tools that change nothing: several answers to one question are written at once. */
  readonly onlyReads?: boolean;
  /** It explores a task for another answer: it only reads, never asks, and ends with a report. */
  readonly exploration?: ExplorationRun;
}
