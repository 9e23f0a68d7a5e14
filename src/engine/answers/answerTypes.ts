import type { UnfinishedStatus } from '../answerData.ts';
import type { UIMessage, UIMessagePart } from '../uiMessage.ts';

/** What became of an answer: one that is completed is a message of the conversation. */
export type AnswerStatus = UnfinishedStatus | 'completed';

/** An answer as it stands. */
export interface AnswerState {
  readonly id: string;
  readonly status: AnswerStatus;
  /** What has arrived, under the answer's id. */
  readonly message: UIMessage;
  /** Why it failed. */
  readonly error?: string;
}

/** An answer that is not part of the conversation yet, and where it belongs. */
export interface UnfinishedAnswer extends AnswerState {
  readonly status: UnfinishedStatus;
  readonly branch: string;
  /** The user who began it. */
  readonly userId: string;
  readonly updatedAt: number;
}

/** How an answer begins. */
export interface OpenAnswer {
  /** The id of its message; default: a random one. */
  readonly id?: string;
}

/** How long an answer is watched. */
export interface WatchAnswer {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal;
}

/** Which answers are listed. */
export interface ListAnswers {
  /** Only those of which this became; default: all. */
  readonly status?: UnfinishedStatus;
}

/** The content of an answer: a message, whose id and role are not used, or its parts. */
export type AnswerContent = Pick<UIMessage, 'parts' | 'metadata'> | readonly UIMessagePart[];

/** An answer that was stored as a message. */
export interface FinishedAnswer {
  readonly messageId: string;
  /** Its branch: a new one, which is not the active one, if others had continued the answer's. */
  readonly branch: string;
}

/**
 * Answers that survive a restart: what has arrived is stored while it arrives, under the id of the message it becomes.
 * Any engine of the chat, in whatever process or on whatever machine, can watch, cancel and reopen it.
 * @example
 * ```js
 * const context = new ContextEngine({ store, chatId: 'chat-1', userId: 'me' });
 * await context.set(user('What is a tree?')).save();
 * const answer = await context.answers.open({ id: 'a1' });
 * answer.append('A graph');
 *
 * // In another process:
 * const elsewhere = new ContextEngine({ store, chatId: 'chat-1', userId: 'me' });
 * await elsewhere.answers.cancel('a1');
 * for await (const { status, message } of elsewhere.answers.watch('a1')) {
 *   if (status !== 'running') console.log(status, textOf(message)); // cancelled A graph
 * }
 *
 * const again = await elsewhere.answers.reopen('a1');
 * again.append(' without cycles.');
 * const { messageId, branch } = await again.finish();
 * console.log(messageId, branch, (await context.resolve()).messages.length); // a1 main 2
 * ```
 */
export interface Answers {
  /**
   * Begins an answer on the current branch, after the last message that this engine has read or saved there. Save the
   * question first.
   * @throws AnswerRunningError, AnswerUnfinishedError, MessageExistsError
   */
  open(options?: OpenAnswer): Promise<AnswerWriter>;
  /**
   * Continues an answer that was interrupted, failed or was canceled, with its content and under its id. Of several
   * callers one gets it.
   * @throws AnswerRunningError, AnswerNotFoundError, MessageExistsError
   */
  reopen(id: string): Promise<AnswerWriter>;
  /**
   * The states of an answer: the current one, and each that is stored later, until it is no longer running. States that
   * follow each other faster than they are taken are left out, but for the last. One that has not begun is waited for.
   *
   * Nothing is held between two calls of `next()`, so an iterator may be dropped at any moment.
   * @throws AnswerNotFoundError when it was discarded, or its branch was deleted
   */
  watch(id: string, options?: WatchAnswer): AsyncIterableIterator<AnswerState>;
  /**
   * Cancels an answer, wherever it is written: its writer's signal aborts, what has arrived is kept, and it is never
   * completed unless it is reopened. False when it has ended or there is none.
   */
  cancel(id: string): Promise<boolean>;
  /** The answers of the chat that are not completed, of all users and branches, in the order they were begun in. */
  list(options?: ListAnswers): Promise<UnfinishedAnswer[]>;
  /**
   * Removes an answer that is neither running nor completed; false when there is none.
   * @throws AnswerRunningError
   */
  discard(id: string): Promise<boolean>;
}

/**
 * Writes an answer. Content is stored at once when the first arrives, and later at most once a second, so that a crash
 * loses little of it; and so that all that is stored together is at most a constant multiple of the answer's length.
 */
export interface AnswerWriter {
  readonly id: string;
  /** The branch it was begun on. */
  readonly branch: string;
  /**
   * Aborts when nothing can be written any more: the answer was canceled (AnswerCancelledError), reopened elsewhere
   * (AnswerTakenError) or removed (AnswerNotFoundError), or the engine or store was closed (ClosedError). Pass it to the
   * model.
   */
  readonly signal: AbortSignal;
  /** What has arrived so far; a copy. */
  readonly message: UIMessage;
  /** Replaces the content. It is read when it is stored, so a growing message may be given again and again. */
  write(content: AnswerContent): void;
  /** Adds to the text at the end of the content. */
  append(text: string): void;
  /**
   * Takes all of a stream: pieces of text, such as AI SDK's `textStream`, or growing messages, such as its
   * `readUIMessageStream`.
   * @throws what the signal aborts with, as soon as it does; errors of the stream
   */
  consume(source: AsyncIterable<string | AnswerContent>): Promise<void>;
  /** Stores what has arrived. */
  flush(): Promise<void>;
  /**
   * Stores the answer as a message of its branch; from then on it is no draft any more. After an error it can be called
   * again.
   * @throws what the signal aborted with
   */
  finish(content?: AnswerContent): Promise<FinishedAnswer>;
  /** Ends it as failed; its content is kept. Does nothing when it has ended, so that it can be called for any error. */
  fail(error: unknown): Promise<void>;
  /** Ends it as interrupted, if it has not ended. Its engine does so when it is closed. */
  dispose(): Promise<void>;
}
