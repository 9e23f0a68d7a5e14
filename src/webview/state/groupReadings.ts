import type { PartView, ReadingView } from '../../protocol/views.ts';

/** Parts that are shown in one row, by index. */
export interface ReadingsGroup {
  readonly from: number;
  /** The last one. */
  readonly to: number;
  readonly readings: readonly ReadingView[];
}

/**
 * Which parts of an answer are shown separately (by index) and which in one row: successful calls that only read
 * something, with only reasoning in between. Calls that failed, ask, changed something, or are still running are
 * never in such a row, nor is the last call while the answer may continue.
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

export function indexesOf({ from, to }: ReadingsGroup): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Parts allowed between two calls of a row: reasoning, and invisible ones. */
function isBetween(part: PartView): boolean {
  return (
    part.type === 'reasoning' || part.type === 'nothing' || (part.type === 'text' && part.text.trim() === '')
  );
}

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
