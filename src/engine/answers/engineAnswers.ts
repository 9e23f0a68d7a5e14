import { checkedId } from '../storable.ts';
import type { AnswerEngine } from './answerEngine.ts';
import type {
  Answers,
  AnswerState,
  AnswerWriter,
  ListAnswers,
  OpenAnswer,
  UnfinishedAnswer,
  WatchAnswer,
} from './answerTypes.ts';

/** Loaded with the first call: most engines have none. */
const loadCalls = () => import('./answerCalls.ts');

type Calls = Awaited<ReturnType<typeof loadCalls>>;

/** The answers of an engine's chat. */
export class EngineAnswers implements Answers {
  constructor(private readonly engine: AnswerEngine) {}

  open(options: OpenAnswer = {}): Promise<AnswerWriter> {
    const given = { ...options };
    return this.call((calls) => calls.openAnswer(this.engine, given));
  }

  reopen(id: string): Promise<AnswerWriter> {
    return this.call((calls) => calls.reopenAnswer(this.engine, id));
  }

  watch(id: string, { signal }: WatchAnswer = {}): AsyncIterableIterator<AnswerState> {
    checkedId(id, 'message id');
    let watching: Promise<InstanceType<Calls['AnswerWatch']>> | undefined;
    const watch = () =>
      (watching ??= loadCalls().then(({ AnswerWatch }) => new AnswerWatch(this.engine, id, signal)));
    const states: AsyncIterableIterator<AnswerState> = {
      next: async () => (await watch()).next(),
      return: async () => (await watch()).return(),
      [Symbol.asyncIterator]: () => states,
    };
    return states;
  }

  cancel(id: string): Promise<boolean> {
    return this.call((calls) => calls.cancelAnswer(this.engine, id));
  }

  list(options: ListAnswers = {}): Promise<UnfinishedAnswer[]> {
    const given = { ...options };
    return this.call((calls) => calls.listAnswers(this.engine, given));
  }

  discard(id: string): Promise<boolean> {
    return this.call((calls) => calls.discardAnswer(this.engine, id));
  }

  /** Opens the chat first, or makes it. */
  private call<T>(work: (calls: Calls) => Promise<T>): Promise<T> {
    const { engine } = this;
    return engine.exclusive(async () => {
      await engine.working.open();
      return work(await loadCalls());
    });
  }
}
