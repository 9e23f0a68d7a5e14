import type { MessageView } from '../../protocol/views.ts';
import type { withLongRuns } from './longRuns.ts';
import type { ShownTodos } from './shownTodos.ts';

/** Loads what is said of answers of several steps: most of what is shown at first has none. */
export type LoadLongRuns = () => Promise<{ readonly withLongRuns: typeof withLongRuns }>;

/** What answers of several steps are shown with. */
export interface LongRunsDeps {
  readonly loadLongRuns: LoadLongRuns;
  readonly todos: ShownTodos;
}

/** Whether there may be an answer of several steps among these: all of those call tools. */
export function haveLongRuns(views: readonly MessageView[]): boolean {
  return views.some(({ parts }) => parts.some(({ type }) => type === 'tool'));
}
