import type { NewDraft } from '../engine/store.ts';

/** Keeps answers outside of a store that could not take them, so that they outlive the window. */
export interface AnswerKeeper {
  list(): readonly NewDraft[];
  keep(answer: NewDraft): void;
  forget(messageId: string): void;
}

/** Leads to a keeper, which is loaded when there is something to keep or to bring back. */
export interface AnswerKeeping {
  readonly isEmpty: () => boolean;
  readonly open: () => Promise<AnswerKeeper>;
}
