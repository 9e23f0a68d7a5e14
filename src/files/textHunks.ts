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
  let [beforeLine, afterLine] = [0, 0];
  let open: { beforeStart: number; removed: string[]; afterStart: number; added: string[] } | undefined;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      open = undefined;
      beforeLine += value.length;
      afterLine += value.length;
      continue;
    }
    if (!open) {
      open = { beforeStart: beforeLine, removed: [], afterStart: afterLine, added: [] };
      hunks.push(open);
    }
    if (removed) {
      open.removed.push(...value);
      beforeLine += value.length;
    } else {
      open.added.push(...value);
      afterLine += value.length;
    }
  }
  return hunks;
}

export function withHunkUndone(after: string, { afterStart, added, removed }: Hunk): string {
  return textLines(after)
    .toSpliced(afterStart, added.length, ...removed)
    .join('');
}

export function withHunkKept(before: string, { beforeStart, added, removed }: Hunk): string {
  return textLines(before)
    .toSpliced(beforeStart, removed.length, ...added)
    .join('');
}

export function countLines(hunks: readonly Hunk[]): { added: number; removed: number } {
  return {
    added: hunks.reduce((sum, { added }) => sum + added.length, 0),
    removed: hunks.reduce((sum, { removed }) => sum + removed.length, 0),
  };
}
