import { diffArrays } from 'diff';
import { textLines } from '../base/textLines.ts';

/** Lines of one text that replace lines of another; line numbers from 0. */
export interface Hunk {
  readonly beforeStart: number;
  /** Including line ends. */
  readonly removed: readonly string[];
  readonly afterStart: number;
  readonly added: readonly string[];
}

/** How long to search for the smallest difference, in milliseconds; beyond that, everything counts as one hunk. */
const COMPARE_MS = 500;

/** The differences of two texts, from the top. */
export function hunksOf(before: string, after: string): Hunk[] {
  const [old, now] = [textLines(before), textLines(after)];
  const parts = diffArrays(old, now, { timeout: COMPARE_MS });
  if (!parts) return [{ beforeStart: 0, removed: old, afterStart: 0, added: now }];
  const hunks: Hunk[] = [];
  let [beforeStart, afterStart] = [0, 0];
  let [beforeLine, afterLine] = [0, 0];
  const close = (): void => {
    const removed = old.slice(beforeStart, beforeLine);
    const added = now.slice(afterStart, afterLine);
    if (removed.length > 0 || added.length > 0) hunks.push({ beforeStart, removed, afterStart, added });
  };
  for (const { count, added, removed } of parts) {
    const isSame = !added && !removed;
    if (isSame) close();
    if (!added) beforeLine += count;
    if (!removed) afterLine += count;
    if (isSame) [beforeStart, afterStart] = [beforeLine, afterLine];
  }
  close();
  return hunks;
}

export function withHunkUndone(after: string, { afterStart, added, removed }: Hunk): string {
  return withLinesReplaced(after, afterStart, added.length, removed);
}

export function withHunkKept(before: string, { beforeStart, added, removed }: Hunk): string {
  return withLinesReplaced(before, beforeStart, removed.length, added);
}

function withLinesReplaced(text: string, start: number, count: number, by: readonly string[]): string {
  const lines = textLines(text);
  return [...lines.slice(0, start), ...by, ...lines.slice(start + count)].join('');
}

export function countLines(hunks: readonly Hunk[]): { added: number; removed: number } {
  return {
    added: hunks.reduce((sum, { added }) => sum + added.length, 0),
    removed: hunks.reduce((sum, { removed }) => sum + removed.length, 0),
  };
}
