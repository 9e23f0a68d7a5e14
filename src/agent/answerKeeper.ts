import type { NewDraft } from '../engine/store.ts';

/** Keeps answers outside of a store that could not save them, so that they survive the window. */
export interface AnswerKeeper {
  list(): readonly NewDraft[];
  keep(answer: NewDraft): void;
  forget(messageId: string): void;
}

/** Loads a keeper when there is an answer to keep or to restore. */
export interface AnswerKeeping {
  readonly isEmpty: () => boolean;
  readonly open: () => Promise<AnswerKeeper>;
}
