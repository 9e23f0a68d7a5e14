import type { MessageView } from '../../protocol/views.ts';
import type { withLongRuns } from './longRuns.ts';

/** Loads the code for answers of several steps: few messages that are shown at first have any. */
export type LoadLongRuns = () => Promise<{ readonly withLongRuns: typeof withLongRuns }>;

/** Whether these may include an answer of several steps: all of those call tools. */
export function haveLongRuns(views: readonly MessageView[]): boolean {
  return views.some(({ parts }) => parts.some(({ type }) => type === 'tool'));
}
