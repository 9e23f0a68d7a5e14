import { every, later, type BackgroundTimer } from '../../base/backgroundTimers.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Sequencer } from '../../base/sequencer.ts';
import {
  ChatNotFoundError,
  ClosedError,
  errorDescriptor,
  InvalidArgumentError,
  MessageTooLargeError,
  NotStorableError,
} from '../errors.ts';
import type { BranchData, StoreChange } from '../graph.ts';
import { copyJson } from '../json.ts';
import { defineMessage, formatInEnglish } from '../messageDescriptor.ts';
import type { AnswerWrite, ContextStore, SaveAnswer } from '../store.ts';
import type { UIMessage, UIMessagePart } from '../uiMessage.ts';
import type { AnswerEngine, Running } from './answerEngine.ts';
import { AnswerCancelledError, AnswerNotFoundError, AnswerTakenError } from './answerErrors.ts';
import type { AnswerContent, AnswerWriter, FinishedAnswer } from './answerTypes.ts';
import { SavePacing } from './savePacing.ts';

/** The shortest time between two saves, in milliseconds. */
const SAVE_MS = 1_000;
/** How often it is looked whether the answer was canceled, where no store says so, in milliseconds. */
const LOOK_MS = 2_000;
/** How much is kept of the text of an error, in UTF-16 units. */
const MAX_ERROR_LENGTH = 10_000;

/** The answer as it was claimed. */
export interface ClaimedAnswer {
  readonly claim: string;
  readonly branch: string;
  readonly message: UIMessage;
  /** The head after which it was begun, by this engine; undefined for one that was reopened. */
  readonly afterId: string | null | undefined;
}

/** Stores an answer while it arrives. All its writes come one after the other. */
export class EngineAnswerWriter implements AnswerWriter, Running {
  readonly id: string;
  readonly branch: string;
  private readonly aborting = new AbortController();
  private readonly writing = new Sequencer();
  private readonly looking = new Sequencer();
  private readonly pacing = new SavePacing();
  private readonly owned = new DisposableStore();
  private readonly store: ContextStore;
  private readonly which: AnswerWrite;
  private content: UIMessage;
  private timer: BackgroundTimer | undefined;
  private hasSaved = false;
  private isUnsaved = false;
  private hasGrown = false;
  private isSaving = false;
  private isFinishing = false;
  private hasEnded = false;
  private releasing: Promise<void> | undefined;

  constructor(
    private readonly engine: AnswerEngine,
    private readonly claimed: ClaimedAnswer,
  ) {
    const { store, chatId, userId } = engine.options;
    const { claim, branch, message } = claimed;
    this.store = store;
    this.id = message.id;
    this.branch = branch;
    this.content = message;
    this.which = { chatId, userId, answerId: message.id, claim };
    const looks = every(LOOK_MS, () => this.look());
    this.owned.addAll(
      { dispose: () => looks.stop() },
      engine.onDidChange((change) => {
        if (this.concerns(change)) this.look();
      }),
      store.onWillClose(() => this.storeCloses()),
    );
    engine.running.add(this);
  }

  get signal(): AbortSignal {
    return this.aborting.signal;
  }

  get message(): UIMessage {
    return copyJson(this.content);
  }

  write(content: AnswerContent): void {
    if (this.hasEnded) return;
    this.put(content);
    this.grown();
  }

  append(text: string): void {
    const { parts } = this.content;
    const last = parts.at(-1);
    const grown: UIMessagePart[] =
      last?.type === 'text'
        ? [...parts.slice(0, -1), { ...last, text: last.text + text }]
        : [...parts, { type: 'text', text }];
    this.write(grown);
  }

  async consume(source: AsyncIterable<string | AnswerContent>): Promise<void> {
    const { signal } = this;
    const iterator = source[Symbol.asyncIterator]();
    let giveUp: ((reason: unknown) => void) | undefined;
    const abort = (): void => giveUp?.(signal.reason);
    signal.addEventListener('abort', abort);
    let isLeft = true;
    try {
      for (;;) {
        signal.throwIfAborted();
        const step = await new Promise<IteratorResult<string | AnswerContent, unknown>>((resolve, reject) => {
          giveUp = reject;
          iterator.next().then(resolve, (error: unknown) => {
            isLeft = false;
            reject(error instanceof Error ? error : new Error(String(error)));
          });
        });
        if (step.done === true) {
          isLeft = false;
          // A model's stream may simply end when it is aborted.
          signal.throwIfAborted();
          return;
        }
        if (typeof step.value === 'string') this.append(step.value);
        else this.write(step.value);
      }
    } finally {
      signal.removeEventListener('abort', abort);
      // Nobody reads it any more, whatever it says to that, and it may not answer before its next piece.
      if (isLeft) iterator.return?.().catch(() => undefined);
    }
  }

  flush(): Promise<void> {
    return this.save();
  }

  async finish(content?: AnswerContent): Promise<FinishedAnswer> {
    if (content) this.put(content);
    return this.writing.run(() => this.engine.exclusive(() => this.storeMessage()));
  }

  fail(error: unknown): Promise<void> {
    return this.writing.run(async () => {
      if (this.hasEnded) return;
      const text = formatInEnglish(errorDescriptor(error)).slice(0, MAX_ERROR_LENGTH);
      await this.saveEnd({ outcome: 'failed', error: text });
      this.ended();
    });
  }

  dispose(): Promise<void> {
    return this.release(new ClosedError('answer'));
  }

  end(): Promise<void> {
    return this.release(new ClosedError('engine'));
  }

  private get length(): number {
    try {
      return JSON.stringify(this.content).length;
    } catch {
      // It cannot be stored: the save says why.
      return 0;
    }
  }

  private put(content: AnswerContent): void {
    const { id } = this;
    const parts: unknown = isParts(content) ? content : content.parts;
    // Not all callers are type-checked.
    if (!Array.isArray(parts))
      throw new InvalidArgumentError('answer', defineMessage('its parts are missing'));
    this.content = isParts(content)
      ? { ...this.content, parts: [...content] }
      : { ...content, id, role: 'assistant' };
    this.isUnsaved = true;
  }

  private concerns(change: StoreChange): boolean {
    return change.kind === 'draft' ? change.answerId === this.id : change.kind !== 'messages';
  }

  private grown(): void {
    this.hasGrown = true;
    if (this.hasSaved) this.schedule();
    else this.saveInBackground();
  }

  private scheduleUnsaved(): void {
    if (this.isUnsaved) this.schedule();
  }

  private schedule(): void {
    if (!this.hasEnded) this.timer ??= later(SAVE_MS, () => this.saveIfAllowed());
  }

  private saveIfAllowed(): void {
    this.timer = undefined;
    if (!this.isUnsaved) return;
    const isGrowing = this.hasGrown;
    this.hasGrown = false;
    if (this.isSaving) this.schedule();
    else if (this.pacing.allows(this.length, isGrowing)) this.saveInBackground();
    // In a pause, more is allowed; after that, nothing changes until the answer grows.
    else if (isGrowing) this.schedule();
  }

  private saveInBackground(): void {
    // What fails is tried again, and `finish` or `flush` says what cannot be stored.
    this.save().catch(() => this.schedule());
  }

  private save(): Promise<void> {
    this.hasSaved = true;
    return this.writing.run(async () => {
      this.requireRunning();
      if (!this.isUnsaved) return;
      this.isUnsaved = false;
      this.isSaving = true;
      this.pacing.saved(this.length);
      try {
        const goesOn = await this.store.saveAnswer({ ...this.which, message: this.content });
        if (!goesOn) this.cancelled();
      } catch (error) {
        this.isUnsaved = true;
        this.endIfFinal(error);
        throw error;
      } finally {
        this.isSaving = false;
      }
      this.scheduleUnsaved();
    });
  }

  private async storeMessage(): Promise<FinishedAnswer> {
    this.requireRunning();
    const { store, engine, which, claimed } = this;
    const { branchNames: naming } = engine.options;
    this.isFinishing = true;
    try {
      const answer = { ...which, message: this.content, ...(naming ? { naming } : {}) };
      const branch = await store.finishAnswer(answer);
      this.ended();
      if (claimed.afterId !== undefined) engine.working.advance(branch, claimed.afterId);
      return { messageId: this.id, branch: branch.name };
    } catch (error) {
      const stored = await this.findStored(error);
      if (stored) {
        this.ended();
        return { messageId: this.id, branch: stored.name };
      }
      if (error instanceof AnswerCancelledError) await this.settleCancelled();
      else this.endIfFinal(error);
      this.schedule();
      throw error;
    } finally {
      this.isFinishing = false;
    }
  }

  /** An earlier try may have been done although its reply was lost: nobody else can have stored it. */
  private async findStored(error: unknown): Promise<BranchData | undefined> {
    if (!(error instanceof AnswerNotFoundError)) return undefined;
    const { chatId, userId } = this.engine.options;
    if (!(await this.store.getMessage(chatId, this.id))) return undefined;
    return this.store.findBranchWith(chatId, this.id, { userId });
  }

  /** Looks whether it was canceled, reopened elsewhere or removed. */
  private look(): void {
    this.looking
      .run(async () => {
        const { chatId } = this.engine.options;
        const now = await this.store.getAnswer(chatId, this.id, { content: false });
        if (this.hasEnded || this.isFinishing) return;
        if (!now) this.ended(new AnswerNotFoundError(this.id));
        else if (now.claim !== this.claimed.claim) this.ended(new AnswerTakenError(this.id));
        else if (now.isCancelled) this.cancelled();
      })
      // The next look or save says the same, if it lasts.
      .catch((error: unknown) => this.endIfFinal(error));
  }

  private cancelled(): void {
    this.aborting.abort(new AnswerCancelledError(this.id));
    this.writing
      .run(() => this.settleCancelled())
      // The next look tries again; until then others see that it was canceled.
      .catch((error: unknown) => this.endIfFinal(error));
  }

  /** Stores what had arrived when it was canceled. */
  private async settleCancelled(): Promise<void> {
    if (this.hasEnded) return;
    // First, so that whatever its writer adds until then is stored.
    this.aborting.abort(new AnswerCancelledError(this.id));
    await this.saveEnd({ outcome: 'cancelled' });
    this.ended();
  }

  private async release(reason: ClosedError): Promise<void> {
    if (this.releasing) return this.releasing;
    if (this.hasEnded) return;
    this.aborting.abort(reason);
    this.releasing = this.writing.run(async () => {
      if (this.hasEnded) return;
      this.ended(reason);
      await this.saveEnd({ outcome: 'interrupted' });
    });
    return this.releasing;
  }

  /** The store takes calls only at once. A save that is under way stores the content, if not the newest of it. */
  private storeCloses(): void {
    const content: Pick<SaveAnswer, 'message'> = this.isSaving ? {} : { message: this.content };
    this.ended(new ClosedError('store'));
    this.releasing = this.saveEnd({ outcome: 'interrupted' }, content);
    // `dispose` says so.
    this.releasing.catch(() => undefined);
  }

  /** Not having it any more is an end as well. */
  private async saveEnd(
    end: Pick<SaveAnswer, 'outcome' | 'error'>,
    content: Pick<SaveAnswer, 'message'> = { message: this.content },
  ): Promise<void> {
    try {
      await this.store.saveAnswer({ ...this.which, ...content, ...end });
    } catch (error) {
      if (isGone(error)) this.ended(error);
      // The end is stored nevertheless, with the content that was stored last.
      else if (content.message && isUnstorable(error)) await this.saveEnd(end, {});
      else throw error;
    }
  }

  private endIfFinal(error: unknown): void {
    if (error instanceof ClosedError || isGone(error)) this.ended(error);
  }

  /** @throws what it ended with */
  private requireRunning(): void {
    this.signal.throwIfAborted();
    if (this.hasEnded) throw new ClosedError('answer');
  }

  /** Nothing of it runs any more. @param reason why, unless its writer ended it */
  private ended(reason?: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.timer?.stop();
    this.owned.dispose();
    this.engine.running.delete(this);
    if (reason) this.aborting.abort(reason);
  }
}

/** Whether the answer is another writer's, or nowhere any more. */
function isGone(error: unknown): error is Error {
  return (
    error instanceof AnswerTakenError ||
    error instanceof AnswerNotFoundError ||
    error instanceof ChatNotFoundError
  );
}

function isUnstorable(error: unknown): boolean {
  return error instanceof NotStorableError || error instanceof MessageTooLargeError;
}

function isParts(content: AnswerContent): content is readonly UIMessagePart[] {
  return Array.isArray(content);
}
