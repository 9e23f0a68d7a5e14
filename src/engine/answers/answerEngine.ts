import type { Event } from '../../base/disposable.ts';
import type { ContextEngineOptions } from '../contextEngineTypes.ts';
import type { StoreChange } from '../graph.ts';
import type { WorkingBranch } from '../workingBranch.ts';

/** What answers need of their engine. */
export interface AnswerEngine {
  readonly options: ContextEngineOptions;
  readonly working: WorkingBranch;
  /** Changes of its chat. */
  readonly onDidChange: Event<StoreChange>;
  /** Runs between the other calls of the engine. @throws ClosedError */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** What ends with the engine. */
  readonly running: RunningAnswers;
}

/** Something that runs, and ends with its engine. */
export interface Running {
  /** Settles once nothing of it runs any more. */
  end(): Promise<void>;
}

/** The writers of an engine, and the watches that wait. */
export class RunningAnswers {
  isClosed = false;
  private readonly all = new Set<Running>();

  add(each: Running): void {
    this.all.add(each);
  }

  delete(each: Running): void {
    this.all.delete(each);
  }

  /** @throws the first error of storing what had arrived, once all have ended */
  async close(): Promise<void> {
    this.isClosed = true;
    const ended = await Promise.allSettled(Array.from(this.all, (each) => each.end()));
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
