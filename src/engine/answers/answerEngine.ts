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
}

/** Something that runs, and ends with its engine. */
export interface Running {
  /** Settles once nothing of it runs any more. */
  end(): Promise<void>;
}
