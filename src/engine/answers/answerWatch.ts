import { deferred } from '../../base/deferred.ts';
import { systemScheduler } from '../../base/scheduler.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { AnswerData } from '../answerData.ts';
import { ClosedError } from '../errors.ts';
import { readUIMessage } from '../uiMessage.ts';
import type { AnswerEngine, Running } from './answerEngine.ts';
import { AnswerNotFoundError } from './answerErrors.ts';
import type { AnswerState } from './answerTypes.ts';
import { unfinishedAnswer } from './unfinishedAnswer.ts';

/** How often it is looked for what no store tells, such as the end of the writer's process, in milliseconds. */
const LOOK_MS = 2_000;

/**
 * How long a writer has to be gone before it is told, in milliseconds: a process may see that another one has ended before
 * it has read the last of what that one stored.
 */
const CATCH_UP_MS = 1_000;

type Step = IteratorResult<AnswerState, undefined>;

const over: Step = { done: true, value: undefined };

/** Listens and has a timer only while a caller waits for the next state. */
export class AnswerWatch implements AsyncIterableIterator<AnswerState>, Running {
  private readonly steps = new Sequencer();
  private seen: Pick<AnswerData, 'version' | 'status'> | undefined;
  private goneSince: number | undefined;
  private isOver = false;
  private isClosed = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly engine: AnswerEngine,
    private readonly id: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    return this.steps.run(() => this.step());
  }

  return(): Promise<Step> {
    this.leave();
    return Promise.resolve(over);
  }

  end(): Promise<void> {
    this.isClosed = true;
    this.wake?.();
    return this.steps.idle();
  }

  private readonly leave = (): void => {
    this.isOver = true;
    this.wake?.();
  };

  private async step(): Promise<Step> {
    const { engine, signal } = this;
    if (signal?.aborted === true) this.leave();
    if (this.hasLeft()) return over;
    signal?.addEventListener('abort', this.leave);
    engine.running.add(this);
    try {
      // Makes the chat if need be.
      await engine.exclusive(() => engine.working.open());
      for (;;) {
        const woken = deferred<undefined>();
        // Before it is read: what comes while it is read is not missed.
        const stop = this.listen(() => woken.resolve(undefined));
        try {
          const state = await this.read();
          if (this.hasLeft()) return over;
          if (state) {
            this.isOver = state.status !== 'running';
            return { done: false, value: state };
          }
          await woken.promise;
        } finally {
          stop();
        }
        if (this.hasLeft()) return over;
      }
    } catch (error) {
      this.isOver = true;
      throw error;
    } finally {
      engine.running.delete(this);
      signal?.removeEventListener('abort', this.leave);
    }
  }

  /** @throws ClosedError */
  private hasLeft(): boolean {
    if (this.isOver) return true;
    if (this.isClosed) throw new ClosedError('engine');
    return false;
  }

  private listen(wake: () => void): () => void {
    const { engine, id } = this;
    this.wake = wake;
    const listening = [
      engine.onDidChange((change) => {
        if (change.kind !== 'draft' || change.answerId === id) wake();
      }),
      engine.options.store.onWillClose(wake),
      systemScheduler.after(LOOK_MS, wake),
    ];
    return () => {
      this.wake = undefined;
      for (const each of listening) each.dispose();
    };
  }

  /** A state that was not seen. */
  private async read(): Promise<AnswerState | undefined> {
    const { id, seen } = this;
    const { store, chatId } = this.engine.options;
    const now = await store.getAnswer(chatId, id, { content: !seen });
    if (now && seen?.version === now.version && seen.status === now.status) return undefined;
    if (this.mayHaveMore(now)) return undefined;
    const answer = now && seen ? await store.getAnswer(chatId, id) : now;
    if (answer) {
      this.seen = { version: answer.version, status: answer.status };
      return unfinishedAnswer(answer);
    }
    // One that has gone from the drafts became a message in the same moment.
    const stored = await store.getMessage(chatId, id);
    const message = stored && readUIMessage(stored.data);
    if (message) return { id, status: 'completed', message };
    if (seen) throw new AnswerNotFoundError(id);
    return undefined;
  }

  /** Its writer seems to be gone, without having said so. */
  private mayHaveMore(now: AnswerData | undefined): boolean {
    if (now?.status !== 'interrupted' || now.version !== this.seen?.version) {
      this.goneSince = undefined;
      return false;
    }
    this.goneSince ??= performance.now();
    return performance.now() - this.goneSince < CATCH_UP_MS;
  }
}
