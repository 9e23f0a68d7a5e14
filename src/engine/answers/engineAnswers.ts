import { ClosedError } from '../errors.ts';
import { checkedId } from '../storable.ts';
import type { AnswerEngine, Running } from './answerEngine.ts';
import { AnswerRunningError } from './answerErrors.ts';
import type {
  Answers,
  AnswerState,
  AnswerWriter,
  ListAnswers,
  OpenAnswer,
  UnfinishedAnswer,
  WatchAnswer,
} from './answerTypes.ts';
import { AnswerWatch } from './answerWatch.ts';
import type { ClaimedAnswer } from './engineAnswerWriter.ts';
import { unfinishedAnswer } from './unfinishedAnswer.ts';

/** Loaded with the first answer that is written: most engines write none. */
const loadWriting = () => import('./beginAnswer.ts');

type Writing = Awaited<ReturnType<typeof loadWriting>>;

/** The answers of an engine's chat. */
export class EngineAnswers implements Answers {
  private readonly running = new Set<Running>();
  private isClosed = false;

  constructor(private readonly engine: AnswerEngine) {}

  open(options: OpenAnswer = {}): Promise<AnswerWriter> {
    const given = { ...options };
    return this.begin((writing) => writing.claimAnswer(this.engine, given));
  }

  reopen(id: string): Promise<AnswerWriter> {
    return this.begin((writing) => writing.reclaimAnswer(this.engine, checkedId(id, 'message id')));
  }

  watch(id: string, { signal }: WatchAnswer = {}): AsyncIterableIterator<AnswerState> {
    return new AnswerWatch(this.engine, this.running, checkedId(id, 'message id'), signal);
  }

  cancel(id: string): Promise<boolean> {
    const { store, chatId, userId } = this.engine.options;
    return this.opened(() => store.cancelAnswer(chatId, checkedId(id, 'message id'), { userId }));
  }

  list({ status }: ListAnswers = {}): Promise<UnfinishedAnswer[]> {
    const { store, chatId } = this.engine.options;
    return this.opened(async () => {
      const all = (await store.listAnswers(chatId)).map(unfinishedAnswer);
      return status === undefined ? all : all.filter((each) => each.status === status);
    });
  }

  discard(id: string): Promise<boolean> {
    const { store, chatId, userId } = this.engine.options;
    return this.opened(async () => {
      const known = await store.getAnswer(chatId, checkedId(id, 'message id'), { content: false });
      if (known?.status === 'running') throw new AnswerRunningError(id);
      return known !== undefined && store.discardAnswer(chatId, id, known.claim, { userId });
    });
  }

  /** Ends every writer and every wait. @throws the first error of storing what had arrived, once all have ended */
  async close(): Promise<void> {
    this.isClosed = true;
    const ended = await Promise.allSettled([...this.running].map((each) => each.end()));
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private begin(claim: (writing: Writing) => Promise<ClaimedAnswer>): Promise<AnswerWriter> {
    const { engine, running } = this;
    return engine.exclusive(async () => {
      const writing = await loadWriting();
      const writer = new writing.EngineAnswerWriter(engine, await claim(writing), (each) => {
        running.delete(each);
      });
      running.add(writer);
      if (!this.isClosed) return writer;
      // The engine was closed while it was claimed.
      await writer.end();
      throw new ClosedError('engine');
    });
  }

  private opened<T>(work: () => Promise<T>): Promise<T> {
    return this.engine.exclusive(async () => {
      await this.engine.working.open();
      return work();
    });
  }
}
