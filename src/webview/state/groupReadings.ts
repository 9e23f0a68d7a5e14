import type { PartView } from '../../protocol/views.ts';
import type { ReadingView } from '../../protocol/workViews.ts';

/** Parts that are shown in one row, by their numbers. */
export interface ReadingsGroup {
  readonly from: number;
  /** The last one. */
  readonly to: number;
  readonly readings: readonly ReadingView[];
}

/**
 * Which parts of an answer are shown by themselves (by their numbers) and which in one row: calls that only looked at
 * something and ended well, where nothing but thoughts stands between them. What failed, asks, changed something, or is
 * still at work is never in such a row, and neither is the last call while the answer may go on.
 */
export function groupReadings(parts: readonly PartView[], isStreaming: boolean): (number | ReadingsGroup)[] {
  const groups: ReadingsGroup[] = [];
  const calls: number[] = [];
  const readings: ReadingView[] = [];
  const end = (isLast: boolean): void => {
    const before = isLast && isStreaming ? -1 : calls.length;
    const [from] = calls;
    const to = calls.slice(0, before).at(-1);
    if (from !== undefined && to !== undefined && from !== to)
      groups.push({ from, to, readings: readings.slice(0, before) });
    calls.length = 0;
    readings.length = 0;
  };
  parts.forEach((part, index) => {
    const reading = part.type === 'tool' && part.state === 'done' ? part.reading : undefined;
    if (reading) {
      calls.push(index);
      readings.push(reading);
    } else if (!isBetween(part)) end(false);
  });
  end(true);
  return withOthers(parts.length, groups);
}

/** The numbers of the parts in a row. */
export function indexesOf({ from, to }: ReadingsGroup): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** What may stand between two calls of one row: thoughts, and what shows nothing. */
function isBetween(part: PartView): boolean {
  return (
    part.type === 'reasoning' || part.type === 'nothing' || (part.type === 'text' && part.text.trim() === '')
  );
}

/** Each part that is in no row stands in its place. */
function withOthers(count: number, groups: readonly ReadingsGroup[]): (number | ReadingsGroup)[] {
  const items: (number | ReadingsGroup)[] = [];
  let next = 0;
  const fill = (to: number): void => {
    for (; next < to; next += 1) items.push(next);
  };
  for (const group of groups) {
    fill(group.from);
    items.push(group);
    next = group.to + 1;
  }
  fill(count);
  return items;
}
