import type { Fragment } from '../fragments/fragment.ts';

/** Turns the fragments of the system prompt into text. */
export interface ContextRenderer {
  render(fragments: readonly Fragment[]): string;
}
