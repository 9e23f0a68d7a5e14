import type { Fragment } from '../fragments/fragment.ts';

/** Turns the fragments of the system prompt into text. */
export interface ContextRenderer {
  /** Writes fragments as the system prompt of a model. */
  render(fragments: readonly Fragment[]): string;
}
