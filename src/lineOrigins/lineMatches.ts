import { diffArrays } from 'diff';

/** In place of a line's number: it has no counterpart. */
export const NONE = -1;

/** How many differences are looked for between lines that are not unique; beyond that they have no counterparts. */
const MOST_DIFFERENCES = 1_000;

/** A part of both lists; the ends are excluded. */
export interface LineRange {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** For each line of a text, the number of the same line in an earlier one, or {@link NONE}. */
export interface LineMatches {
  readonly all: Int32Array;
  /** Without those that were moved: they rise. */
  readonly stayed: Int32Array;
  /** By line of the earlier text, 1 where it has a counterpart. */
  readonly isTaken: Uint8Array;
}

/**
 * Lines that stand in both once are found first, then what is between them, and at last those that were moved.
 * @param ranges the parts that correspond, in order: only moved lines are found elsewhere
 */
export function matchLines(
  before: readonly string[],
  after: readonly string[],
  ranges: readonly LineRange[] = [wholeRange(before, after)],
): LineMatches {
  const matches = new Int32Array(after.length).fill(NONE);
  const open = [...ranges];
  for (let range = open.pop(); range; range = open.pop()) {
    const inner = matchEnds(before, after, range, matches);
    if (inner.beforeStart === inner.beforeEnd || inner.afterStart === inner.afterEnd) continue;
    const known = uniqueLines(before, numbers(inner.beforeStart, inner.beforeEnd));
    const common = numbers(inner.afterStart, inner.afterEnd).filter((line) => known.has(after[line] ?? ''));
    if (common.length === 0) continue;
    const anchors = uniqueInOrder(known, uniqueLines(after, common));
    if (anchors.length === 0) {
      matchOthers(before, after, inner, matches);
      continue;
    }
    let { beforeStart, afterStart } = inner;
    for (const [beforeLine, afterLine] of anchors) {
      matches[afterLine] = beforeLine;
      open.push({ beforeStart, beforeEnd: beforeLine, afterStart, afterEnd: afterLine });
      [beforeStart, afterStart] = [beforeLine + 1, afterLine + 1];
    }
    open.push({ ...inner, beforeStart, afterStart });
  }
  const stayed = matches.slice();
  return { all: matches, stayed, isTaken: matchMoved(before, after, matches) };
}

/** What is between lines that stayed. */
export function gapsIn(range: LineRange, stayed: Int32Array): LineRange[] {
  const gaps: LineRange[] = [];
  let { beforeStart, afterStart } = range;
  const close = (beforeEnd: number, afterEnd: number): void => {
    if (beforeStart < beforeEnd || afterStart < afterEnd)
      gaps.push({ beforeStart, beforeEnd, afterStart, afterEnd });
    [beforeStart, afterStart] = [beforeEnd + 1, afterEnd + 1];
  };
  for (let line = range.afterStart; line < range.afterEnd; line++) {
    const match = stayed[line] ?? NONE;
    if (match !== NONE) close(match, line);
  }
  close(range.beforeEnd, range.afterEnd);
  return gaps;
}

function wholeRange(before: readonly string[], after: readonly string[]): LineRange {
  return { beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length };
}

/** Matches equal lines at both ends; returns what is between. */
function matchEnds(
  before: readonly string[],
  after: readonly string[],
  { beforeStart, beforeEnd, afterStart, afterEnd }: LineRange,
  matches: Int32Array,
): LineRange {
  while (beforeStart < beforeEnd && afterStart < afterEnd && before[beforeStart] === after[afterStart]) {
    matches[afterStart++] = beforeStart++;
  }
  while (beforeStart < beforeEnd && afterStart < afterEnd && before[beforeEnd - 1] === after[afterEnd - 1]) {
    matches[--afterEnd] = --beforeEnd;
  }
  return { beforeStart, beforeEnd, afterStart, afterEnd };
}

/** The lines that stand once in both parts: the longest list of them that keeps its order. */
function uniqueInOrder(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (const [key, afterLine] of after) {
    const beforeLine = before.get(key);
    if (beforeLine !== undefined && afterLine !== NONE && beforeLine !== NONE)
      pairs.push([beforeLine, afterLine]);
  }
  return longestInOrder(pairs.sort(([, a], [, b]) => a - b));
}

/** Patience sorting: of pairs in the order of their second numbers, those whose first ones rise as well. */
function longestInOrder(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  /** By length, the index of the pair with the smallest number that ends such a list. */
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length).fill(NONE);
  for (const [index, [beforeLine]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[0] ?? 0) < beforeLine) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? NONE : (ends[low - 1] ?? NONE);
    ends[low] = index;
  }
  const longest: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? NONE; index !== NONE; index = previous[index] ?? NONE) {
    const pair = pairs[index];
    if (pair) longest.push(pair);
  }
  return longest.reverse();
}

/** Lines that repeat, by the smallest difference. */
function matchOthers(
  before: readonly string[],
  after: readonly string[],
  { beforeStart, beforeEnd, afterStart, afterEnd }: LineRange,
  matches: Int32Array,
): void {
  const parts = diffArrays(before.slice(beforeStart, beforeEnd), after.slice(afterStart, afterEnd), {
    maxEditLength: MOST_DIFFERENCES,
  });
  let [beforeLine, afterLine] = [beforeStart, afterStart];
  for (const { value, added, removed } of parts ?? []) {
    if (!added && !removed) for (let i = 0; i < value.length; i++) matches[afterLine + i] = beforeLine + i;
    if (!added) beforeLine += value.length;
    if (!removed) afterLine += value.length;
  }
}

/**
 * A line that is gone in one place and new in another, where there is one such line, and what moved with it.
 * @returns which lines have a counterpart now
 */
function matchMoved(before: readonly string[], after: readonly string[], matches: Int32Array): Uint8Array {
  const isTaken = new Uint8Array(before.length);
  for (const line of matches) if (line !== NONE) isTaken[line] = 1;
  const gone = numbers(0, before.length).filter((line) => isTaken[line] === 0);
  if (gone.length === 0) return isTaken;
  const unique = uniqueLines(before, gone);
  const added = numbers(0, after.length).filter(
    (line) => matches[line] === NONE && unique.has(after[line] ?? ''),
  );
  const match = (afterLine: number, beforeLine: number): boolean => {
    if (matches[afterLine] !== NONE || isTaken[beforeLine] !== 0) return false;
    if (after[afterLine] !== before[beforeLine]) return false;
    matches[afterLine] = beforeLine;
    isTaken[beforeLine] = 1;
    return true;
  };
  for (const [key, afterLine] of uniqueLines(after, added)) {
    const beforeLine = unique.get(key) ?? NONE;
    if (afterLine === NONE || beforeLine === NONE || !hasWords(key)) continue;
    if (!match(afterLine, beforeLine)) continue;
    for (let by = 1; match(afterLine + by, beforeLine + by); by++);
    for (let by = 1; match(afterLine - by, beforeLine - by); by++);
  }
  return isTaken;
}

/** By line, its number; {@link NONE} for one that stands there more than once. */
function uniqueLines(lines: readonly string[], numbers: readonly number[]): ReadonlyMap<string, number> {
  const unique = new Map<string, number>();
  for (const number of numbers) {
    const line = lines[number] ?? '';
    unique.set(line, unique.has(line) ? NONE : number);
  }
  return unique;
}

/** Whether a line says anything: a bracket or a rule stands in many places. */
export function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

function numbers(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}
