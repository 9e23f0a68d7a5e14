import { hasWords, matchLines, NONE } from './lineMatches.ts';
import { changeLines, lineBy, linesOf, type LineHunk, type TrackedLine } from './trackedLines.ts';

/** How much of two texts is compared at once, in UTF-16 units. */
const BLOCK = 16_384;

/** A text whose lines are known by who wrote them. Never changes: each change makes another one. */
export class TrackedText {
  private constructor(
    readonly text: string,
    readonly lines: readonly TrackedLine[],
    /** What the last change replaced. */
    readonly hunks: readonly LineHunk[],
  ) {}

  static of(text: string, by: number): TrackedText {
    const lines = linesOf(text).map((line) => lineBy(line, by));
    const added = lines.map(({ id }) => id);
    return new TrackedText(text, lines, [{ by, removed: [], added, above: undefined, below: undefined }]);
  }

  /** After a change: only the lines between the first difference and the last one are looked at. */
  changedTo(text: string, by: number): TrackedText {
    if (text === this.text) return this;
    const { lines } = this;
    const [start, startOffset] = this.linesIn(commonStart(this.text, text));
    const [end, endLength] = this.linesAtEnd(text, startOffset, start);
    const middle = linesOf(text.slice(startOffset, text.length - endLength));
    const changed = changeLines(lines.slice(start, end), middle, by);
    const hunks = changed.hunks.map((hunk) => ({
      ...hunk,
      above: hunk.above ?? lines[start - 1]?.id,
      below: hunk.below ?? lines[end]?.id,
    }));
    return new TrackedText(text, [...lines.slice(0, start), ...changed.lines, ...lines.slice(end)], hunks);
  }

  /**
   * Lines that the last change wrote here, and that are known from another file, such as the copy that a branch works in,
   * are those of that file. Only if half of the shorter text is the same: otherwise they are others.
   */
  takenFrom(other: TrackedText, by: number): TrackedText {
    const isOwn = (line: TrackedLine): boolean => line.by === by && hasWords(line.key);
    if (!this.lines.some(isOwn)) return this;
    const { all: matches } = matchLines(
      other.lines.map(({ key }) => key),
      this.lines.map(({ key }) => key),
    );
    const shared = matches.filter((line) => line !== NONE).length;
    if (shared === 0 || shared * 2 < Math.min(this.lines.length, other.lines.length)) return this;
    const lines = this.lines.map((line, index) => {
      const same = line.by === by ? other.lines[matches[index] ?? NONE] : undefined;
      return same ? { ...same, text: line.text } : line;
    });
    return new TrackedText(this.text, lines, this.hunks);
  }

  /** How many whole lines lie in the first characters, and how long these lines are. */
  private linesIn(length: number): [number, number] {
    let [count, offset] = [0, 0];
    for (const { text } of this.lines) {
      if (offset + text.length > length || !text.endsWith('\n')) break;
      count += 1;
      offset += text.length;
    }
    return [count, offset];
  }

  /** The first of the lines that both texts end with, and how long these lines are. */
  private linesAtEnd(text: string, startOffset: number, start: number): [number, number] {
    const most = Math.min(this.text.length, text.length) - startOffset;
    const common = commonEnd(this.text, text, most);
    let [first, length] = [this.lines.length, 0];
    while (first > start) {
      const next = length + (this.lines[first - 1]?.text.length ?? 0);
      if (next > common) break;
      const offset = text.length - next;
      if (offset > 0 && text[offset - 1] !== '\n') break;
      first -= 1;
      length = next;
    }
    return [first, length];
  }
}

/** How many characters two texts begin with alike. Comparing slices is far faster than comparing characters. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  for (let size = BLOCK; size >= 1;) {
    const end = Math.min(start + size, most);
    if (end > start && a.slice(start, end) === b.slice(start, end)) start = end;
    else if (size === 1) break;
    else size = Math.max(1, size >> 3);
    if (start === most) break;
  }
  return start;
}

/** The same at their ends. */
function commonEnd(a: string, b: string, most: number): number {
  let length = 0;
  for (let size = BLOCK; size >= 1;) {
    const next = Math.min(length + size, most);
    const isSame =
      next > length &&
      a.slice(a.length - next, a.length - length) === b.slice(b.length - next, b.length - length);
    if (isSame) length = next;
    else if (size === 1) break;
    else size = Math.max(1, size >> 3);
    if (length === most) break;
  }
  return length;
}
