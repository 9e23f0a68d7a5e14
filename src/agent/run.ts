import type { ContextEngine } from '../engine/contextEngine.ts';
import { answerCost } from '../engine/estimate/answerCost.ts';
import { BranchNotFoundError, HeadConflictError } from '../engine/errors.ts';
import { assistant } from '../engine/fragments/index.ts';
import type { ContextStore } from '../engine/store.ts';
import type { UIMessage } from '../engine/uiMessage.ts';
import { AnswerDraft, type AnswerPartType } from './answerDraft.ts';
import type { AnswerMetadata, DraftMetadata } from './answerMetadata.ts';
import { streamAnswer, type AnswerOutcome } from './answerStream.ts';
import type { ChatModel } from './chatModel.ts';
import { DraftSaver } from './draftSaver.ts';
import { saveLateAnswer } from './lateAnswer.ts';
import { modelMessages } from './modelMessages.ts';
import type { AnswerError } from './modelErrors.ts';
import type { Retry } from './retry.ts';
import type { RunLog } from './runLog.ts';
import type { Scheduler } from './scheduler.ts';

/** One answer on its way. It belongs to the branch it began on, whatever the person opens meanwhile. */
export interface Run {
  readonly chatId: string;
  /** The name of its branch when it began. */
  readonly branch: string;
  /** The id the answer will be saved under. */
  readonly messageId: string;
  readonly questionId: string;
  readonly model: ChatModel;
  /** `streaming` until the answer has been saved. */
  readonly status: RunStatus;
  /** What went wrong, with what to do. */
  readonly error: AnswerError | undefined;
  /** Why there is no word yet: a request failed, and another follows. Undefined once words come. */
  readonly retry: Retry | undefined;
  /** The answer as far as it has come. */
  message(): UIMessage;
  /** Settles when the answer has been saved, or could not be; never rejects. */
  readonly done: Promise<void>;
}

export type RunStatus = 'streaming' | AnswerMetadata['status'];

export type RunEvent =
  | { readonly kind: 'started'; readonly run: Run }
  | {
      readonly kind: 'delta';
      readonly run: Run;
      readonly partIndex: number;
      readonly partType: AnswerPartType;
      readonly text: string;
      /** Length of the part before, in UTF-16 units. */
      readonly offset: number;
    }
  | { readonly kind: 'retrying'; readonly run: Run }
  | { readonly kind: 'finished'; readonly run: Run };

export interface ActiveRunOptions {
  readonly store: ContextStore;
  /** Stands on the run's branch, at its question; must refuse to save when the branch has moved on. */
  readonly engine: ContextEngine;
  readonly branchId: string;
  readonly questionId: string;
  /** The node the answer follows: the question, or one the model does not see after it. */
  readonly afterId: string;
  readonly instructions: string;
  readonly path: readonly UIMessage[];
  readonly model: ChatModel;
  readonly maxRetries: number;
  readonly scheduler: Scheduler;
  readonly log: RunLog;
  readonly onEvent: (event: RunEvent) => void;
}

/** What an answer is saved with when the program ended before it did. */
const RESTARTED: AnswerError = {
  code: 'restarted',
  message:
    'The editor was closed or restarted before the answer ended. What had arrived is kept; ask again for the rest.',
};

/** Streams one answer and saves it, whatever becomes of it. */
export class ActiveRun implements Run {
  readonly chatId: string;
  readonly branch: string;
  readonly messageId = crypto.randomUUID();
  readonly questionId: string;
  readonly model: ChatModel;
  readonly done: Promise<void>;
  readonly #options: ActiveRunOptions;
  readonly #draft = new AnswerDraft(this.messageId);
  readonly #saver: DraftSaver;
  readonly #stop = new AbortController();
  readonly #startedAt: number;
  #begin: () => void = () => undefined;
  #isAbandoned = false;
  #status: RunStatus = 'streaming';
  #metadata: AnswerMetadata | undefined;
  #error: AnswerError | undefined;
  #retry: Retry | undefined;

  constructor(options: ActiveRunOptions) {
    this.#options = options;
    this.chatId = options.engine.chatId;
    this.branch = options.engine.branch;
    this.questionId = options.questionId;
    this.model = options.model;
    this.#startedAt = options.scheduler.now();
    this.#saver = new DraftSaver({
      length: () => this.#draft.length,
      save: () => this.#saveDraft(),
      onError: (error) => options.log.warn(`${this.#name}: the draft could not be saved (${nameOf(error)})`),
      scheduler: options.scheduler,
    });
    const begun = new Promise<void>((resolve) => {
      this.#begin = resolve;
    });
    this.done = begun.then(() => this.#perform());
  }

  /** Begins to stream. */
  begin(): void {
    this.#begin();
  }

  get status(): RunStatus {
    return this.#status;
  }

  get error(): AnswerError | undefined {
    return this.#error;
  }

  get retry(): Retry | undefined {
    return this.#retry;
  }

  message(): UIMessage {
    return this.#draft.message(this.#metadata);
  }

  /** Ends the stream; what has arrived is kept. */
  stop(): void {
    this.#stop.abort();
  }

  /** Ends the stream and saves nothing: the chat is gone. */
  abandon(): void {
    this.#isAbandoned = true;
    this.stop();
  }

  get #name(): string {
    return `Answer ${this.messageId} with ${this.model.id}`;
  }

  async #perform(): Promise<void> {
    const { log, onEvent } = this.#options;
    onEvent({ kind: 'started', run: this });
    log.info(`${this.#name}: started`);
    const { model, maxRetries, scheduler, instructions, path } = this.#options;
    const outcome = await streamAnswer({
      model,
      instructions,
      messages: modelMessages(path),
      signal: this.#stop.signal,
      maxRetries,
      scheduler,
      onPiece: (type, key, text) => this.#add(type, key, text),
      onRetry: (retry) => {
        this.#retry = retry;
        const { attempt, delay, error } = retry;
        log.warn(`${this.#name}: request ${attempt} failed (${error.code}), trying again in ${delay} ms`);
        onEvent({ kind: 'retrying', run: this });
      },
    });
    await this.#saver.stop();
    const error = (await this.#keep(outcome)) ?? outcome.error;
    this.#error = error;
    this.#status = outcome.error === error ? outcome.status : 'failed';
    log.info(
      `${this.#name}: ${this.#status}${error === undefined ? '' : ` (${error.code})`}, ${this.#draft.length} characters`,
    );
    onEvent({ kind: 'finished', run: this });
  }

  #add(type: AnswerPartType, key: string, text: string): void {
    // What was on its way when the person pressed Stop is not shown any more.
    if (this.#stop.signal.aborted) return;
    this.#retry = undefined;
    const delta = this.#draft.append(type, key, text);
    if (delta === undefined) return;
    this.#saver.grown();
    this.#options.onEvent({ kind: 'delta', run: this, ...delta });
  }

  /** Saves the answer. Returns what went wrong with that; the draft then stays, to be saved at the next start. */
  async #keep(outcome: AnswerOutcome): Promise<AnswerError | undefined> {
    const { store, engine, log } = this.#options;
    try {
      if (this.#isAbandoned) return undefined;
      this.#metadata = this.#metadataOf(outcome);
      await this.#save(this.message());
      await store.deleteDraft(this.chatId, await this.#currentBranch());
      return undefined;
    } catch (error) {
      log.error(`${this.#name}: the answer could not be saved (${nameOf(error)})`);
      return { code: 'not-saved', message: `This answer could not be saved: ${messageOf(error)}` };
    } finally {
      await engine.close();
    }
  }

  async #save(message: UIMessage): Promise<void> {
    const { store, engine, afterId } = this.#options;
    try {
      await engine.set(assistant(message)).save();
    } catch (error) {
      if (!(error instanceof BranchNotFoundError || error instanceof HeadConflictError)) throw error;
      // The branch was renamed while the answer came, or went on without it.
      await saveLateAnswer({
        store,
        chatId: this.chatId,
        branch: await this.#currentBranch(),
        afterId,
        message,
      });
    }
  }

  async #saveDraft(): Promise<void> {
    const { store, scheduler } = this.#options;
    const metadata: DraftMetadata = {
      ...this.#metadataOf({ status: 'interrupted', error: RESTARTED }),
      finishedAt: scheduler.now(),
      afterId: this.#options.afterId,
    };
    const message = { ...this.#draft.message(), metadata };
    await store.saveDraft({ chatId: this.chatId, branch: await this.#currentBranch(), message });
  }

  /** The name its branch has now. */
  async #currentBranch(): Promise<string> {
    const { store, branchId } = this.#options;
    const branches = await store.listBranches(this.chatId, { includeArchived: true });
    return branches.find((branch) => branch.id === branchId)?.name ?? this.branch;
  }

  #metadataOf({ status, error, usage }: AnswerOutcome): AnswerMetadata {
    const { id, label, isDemo } = this.model;
    const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
    const cost = usage && answerCost({ modelId: id, inputTokens, outputTokens });
    return {
      modelId: id,
      modelLabel: label,
      isDemo,
      status,
      ...(error === undefined ? {} : { error }),
      ...(usage === undefined ? {} : { usage }),
      ...(cost === undefined ? {} : { cost }),
      startedAt: this.#startedAt,
      finishedAt: this.#options.scheduler.now(),
    };
  }
}

/** For the log: the kind of an error, not its text, which may quote the conversation. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
