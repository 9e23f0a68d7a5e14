import type { BranchNaming } from './branchNames.ts';
import type { UIMessage } from './uiMessage.ts';
import type { ViewedBy } from './users.ts';

/**
 * What became of an answer that is no message yet: it is being written; it failed or was canceled; or its writer is gone,
 * with its process or without.
 */
export type UnfinishedStatus = 'running' | 'failed' | 'cancelled' | 'interrupted';

/** An answer under an id of its own, until it is finished: a draft that any program may watch, cancel and reopen. */
export interface AnswerData {
  readonly id: string;
  readonly chatId: string;
  readonly branch: string;
  /** The user who began it. */
  readonly userId: string;
  readonly status: UnfinishedStatus;
  /** It was canceled; until its writer has noticed, it is still running. */
  readonly isCancelled: boolean;
  /** Why it failed. */
  readonly error: string | undefined;
  /** The received part; undefined where it was not asked for. */
  readonly message: UIMessage | undefined;
  /** Another one after each change. */
  readonly version: string;
  /** Identifies its last writer. */
  readonly claim: string;
  readonly updatedAt: number;
}

/** How much of an answer is read. */
export interface ReadAnswer {
  /** Read its message, too; default yes. */
  readonly content?: boolean;
}

/** What every write of an answer names. */
export interface AnswerWrite extends ViewedBy {
  readonly chatId: string;
  readonly answerId: string;
  /** Made by the writer, and its own: without it nothing is written to the answer. */
  readonly claim: string;
}

/** An answer to begin. */
export interface ClaimAnswer extends AnswerWrite {
  readonly branch: string;
  /** The message it follows; null before the first. */
  readonly afterId: string | null;
  readonly message: UIMessage;
}

/** An answer to continue. */
export interface ReclaimAnswer extends AnswerWrite {
  /** The claim of the writer that is gone: if another one has come since, nothing is changed. */
  readonly replaces: string;
}

/** What is stored of an answer. */
export interface SaveAnswer extends AnswerWrite {
  /** The received part; left out: unchanged. */
  readonly message?: UIMessage;
  /** What becomes of it, if it ends here: one that was canceled is canceled whatever is given. */
  readonly outcome?: Exclude<UnfinishedStatus, 'running'>;
  /** Why it failed. */
  readonly error?: string;
}

/** An answer that is complete. */
export interface FinishAnswer extends AnswerWrite {
  readonly message: UIMessage;
  /** How a branch is named that is made because the answer's has gone on; default `nested`. */
  readonly naming?: BranchNaming;
}
