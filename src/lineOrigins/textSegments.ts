import { hasWords } from './lineMatches.ts';

/** A text, and where its lines begin; behind the last one, its length. */
export interface LinedText {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly lineCount: number;
}

/** Where two texts differ: lines of the one, and a part of the other, that begins and ends with a line. */
export interface TextSegment {
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly start: number;
  readonly end: number;
}

/** How many characters are compared at once: slices are compared far faster than characters. */
const BLOCK = 16_384;

/** In how many lines a place is looked for at which both texts continue alike. */
const WINDOW = 48;

/** How many characters have to follow alike, so that it is the same place. */
const LEAST_ALIKE = 200;

/**
 * The parts of a text that differ from an earlier one, in order. Lines outside of them stayed; only a few lines next to each
 * difference are looked at, so that the length of a text hardly matters.
 */
export function differingSegments(old: LinedText, text: string): TextSegment[] {
  const first = commonStart(old.text, 0, old.text.length, text, 0, text.length);
  const atEnd = commonEnd(old, text, Math.min(old.text.length, text.length) - first);
  const [oldEnd, end] = [old.text.length - atEnd, text.length - atEnd];
  const segments: TextSegment[] = [];
  let [oldAt, at] = [0, 0];
  let common = Math.min(first, oldEnd, end);
  for (;;) {
    if (oldAt + common === oldEnd && at + common === end) return segments;
    const line = lineAt(old, oldAt + common);
    const whole = (old.starts[line] ?? 0) - oldAt;
    // A last line without an end may go on in the other text.
    const [lineStart, start] =
      whole > 0 && text[at + whole - 1] !== '\n' ? [line - 1, at] : [line, at + whole];
    const lineEnd = lineAt(old, oldEnd);
    const next =
      lineStart === lineEnd || start === end
        ? undefined
        : nextAlike(old, lineStart, oldEnd, text, start, end);
    if (!next) {
      segments.push({ lineStart, lineEnd, start, end });
      return segments;
    }
    segments.push({ lineStart, lineEnd: next.line, start, end: next.at });
    [oldAt, at] = [old.starts[next.line] ?? 0, next.at];
    common = next.length;
  }
}

/** The next place at which both texts have the same line, which stands near in none of them again, and continue alike. */
function nextAlike(
  old: LinedText,
  lineStart: number,
  oldEnd: number,
  text: string,
  start: number,
  end: number,
): { readonly line: number; readonly at: number; readonly length: number } | undefined {
  const own = new Map<string, number>();
  for (let line = lineStart; line < lineStart + WINDOW; line++) {
    const [from = oldEnd, to = oldEnd] = [old.starts[line], old.starts[line + 1]];
    if (from >= oldEnd) break;
    const found = old.text.slice(from, to);
    own.set(found, own.has(found) ? -1 : line);
  }
  const seen = new Set<string>();
  let [at, count] = [start, 0];
  while (at < end && count < WINDOW) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? end : newline + 1;
    const found = text.slice(at, next);
    const line = own.get(found) ?? -1;
    if (line !== -1 && !seen.has(found) && hasWords(found)) {
      const oldAt = old.starts[line] ?? 0;
      const alike = commonStart(old.text, oldAt, oldEnd, text, at, end);
      if (alike >= LEAST_ALIKE || (oldAt + alike === oldEnd && at + alike === end))
        return { line, at, length: alike };
    }
    seen.add(found);
    count += 1;
    at = next;
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
  let length = 0;
  let size = BLOCK;
  while (length < most) {
    const next = Math.min(length + size, most);
    if (a.slice(aStart + length, aStart + next) === b.slice(bStart + length, bStart + next)) length = next;
    else if (size === 1) return length;
    else size = Math.max(1, size >> 3);
  }
  return length;
}

/** How many characters of whole lines two texts end with alike, after what they begin with alike. */
function commonEnd(old: LinedText, text: string, most: number): number {
  const a = old.text;
  let length = 0;
  let size = BLOCK;
  while (length < most) {
    const next = Math.min(length + size, most);
    const isSame =
      a.slice(a.length - next, a.length - length) === text.slice(text.length - next, text.length - length);
    if (isSame) length = next;
    else if (size === 1) break;
    else size = Math.max(1, size >> 3);
  }
  // From the beginning of a line of both.
  let line = lineAt(old, a.length - length);
  if ((old.starts[line] ?? 0) < a.length - length) line += 1;
  for (; line < old.lineCount; line++) {
    const common = a.length - (old.starts[line] ?? 0);
    if (common === text.length || text[text.length - common - 1] === '\n') return common;
  }
  return 0;
}

/** The line that holds a place; at the end, the number of lines. */
function lineAt({ starts, lineCount }: LinedText, offset: number): number {
  let [low, high] = [0, lineCount];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
