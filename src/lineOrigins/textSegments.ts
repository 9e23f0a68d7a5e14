import { hasWords } from './lineMatches.ts';

/** Where two texts differ: parts of both that begin and end with a line. */
export interface TextSegment {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly start: number;
  readonly end: number;
}

/** How many characters are compared at once, a power of 8: slices are compared far faster than characters. */
const BLOCK = 8 ** 5;

/** In how many lines a place is looked for at which both texts continue alike; mostly it is in the first few. */
const WINDOWS = [12, 48] as const;

/** How many characters have to follow alike, so that it is the same place. */
const LEAST_ALIKE = 200;

/**
 * The parts of a text that differ from an earlier one, in order. Lines outside of them stayed; only a few lines next to each
 * difference are looked at, so that the length of a text hardly matters.
 */
export function differingSegments(old: string, text: string): TextSegment[] {
  let common = commonStart(old, 0, old.length, text, 0, text.length);
  const atEnd = commonEnd(old, text, Math.min(old.length, text.length) - common);
  const [oldEnd, end] = [old.length - atEnd, text.length - atEnd];
  const segments: TextSegment[] = [];
  let [oldAt, at] = [0, 0];
  while (oldAt + common < oldEnd || at + common < end) {
    const [oldStart, start] = [lineStart(old, oldAt + common), lineStart(text, at + common)];
    const isBoth = oldStart < oldEnd && start < end;
    const next = isBoth ? nextAlike(old, oldStart, oldEnd, text, start, end) : undefined;
    segments.push({ oldStart, oldEnd: next?.oldAt ?? oldEnd, start, end: next?.at ?? end });
    if (!next) break;
    ({ oldAt, at, common } = next);
  }
  return segments;
}

/** A place at which both texts continue alike. */
interface Alike {
  readonly oldAt: number;
  readonly at: number;
  readonly common: number;
}

/** The next place at which both texts have the same line, which stands near in none of them again, and continue alike. */
function nextAlike(
  old: string,
  oldStart: number,
  oldEnd: number,
  text: string,
  start: number,
  end: number,
): Alike | undefined {
  for (const window of WINDOWS) {
    const own = new Map<string, number>();
    for (let [at, count] = [oldStart, 0]; at < oldEnd && count < window; count++) {
      const next = lineEnd(old, at, oldEnd);
      const line = old.slice(at, next);
      own.set(line, own.has(line) ? -1 : at);
      at = next;
    }
    const seen = new Set<string>();
    for (let [at, count] = [start, 0]; at < end && count < window; count++) {
      const next = lineEnd(text, at, end);
      const line = text.slice(at, next);
      const oldAt = own.get(line) ?? -1;
      if (oldAt !== -1 && !seen.has(line) && hasWords(line)) {
        const common = commonStart(old, oldAt, oldEnd, text, at, end);
        if (common >= LEAST_ALIKE || (oldAt + common === oldEnd && at + common === end))
          return { oldAt, at, common };
      }
      seen.add(line);
      at = next;
    }
  }
  return undefined;
}

/** How many characters two parts begin with alike. */
function commonStart(
  a: string,
  aStart: number,
  aEnd: number,
  b: string,
  bStart: number,
  bEnd: number,
): number {
  const most = Math.min(aEnd - aStart, bEnd - bStart);
  return commonLength(
    most,
    (from, to) => a.slice(aStart + from, aStart + to) === b.slice(bStart + from, bStart + to),
  );
}

/** How many characters of whole lines two texts end with alike. @param most after what they begin with alike */
function commonEnd(a: string, b: string, most: number): number {
  const length = commonLength(
    most,
    (from, to) => a.slice(a.length - to, a.length - from) === b.slice(b.length - to, b.length - from),
  );
  const [aAt, bAt] = [a.length - length, b.length - length];
  if (lineStart(a, aAt) === aAt && lineStart(b, bAt) === bAt) return length;
  return a.length - lineEnd(a, aAt, a.length);
}

/** How far two texts are alike. @param isAlike whether they are from one place to another */
function commonLength(most: number, isAlike: (from: number, to: number) => boolean): number {
  let length = 0;
  for (let size = BLOCK; size > 0 && length < most;) {
    const next = Math.min(length + size, most);
    if (isAlike(length, next)) length = next;
    else size >>= 3;
  }
  return length;
}

/** Where the line begins that holds a place, or that ends there if it has no end. */
function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the next line begins. */
function lineEnd(text: string, at: number, end: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? end : newline + 1;
}
