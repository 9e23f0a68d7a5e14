import { hasWords, matchLines, NONE } from './lineMatches.ts';
import { differingSegments, type LinedText, type TextSegment } from './textSegments.ts';
import { changeLines, lineBy, linesOf, type LineHunk, type TrackedLine } from './trackedLines.ts';

/** A text whose lines are known by who wrote them, and that follows its changes. */
export class TrackedText implements LinedText {
  private all: TrackedLine[];
  /** Two of them take turns: a text of many lines is changed hundreds of times. */
  private offsets: Uint32Array;
  private otherOffsets: Uint32Array = new Uint32Array();

  private constructor(
    private current: string,
    lines: readonly TrackedLine[],
    offsets: Uint32Array,
  ) {
    this.all = [...lines];
    this.offsets = offsets.slice();
  }

  static of(text: string, by: number): TrackedText {
    const lines = linesOf(text).map((line) => lineBy(line, by));
    const offsets = new Uint32Array(lines.length + 1);
    for (const [index, line] of lines.entries())
      offsets[index + 1] = (offsets[index] ?? 0) + line.text.length;
    return new TrackedText(text, lines, offsets);
  }

  get text(): string {
    return this.current;
  }

  get lines(): readonly TrackedLine[] {
    return this.all;
  }

  get lineCount(): number {
    return this.all.length;
  }

  get starts(): Uint32Array {
    return this.offsets;
  }

  copy(): TrackedText {
    return new TrackedText(this.current, this.all, this.offsets);
  }

  /** Looks only at the lines that differ. @returns what was replaced */
  changeTo(text: string, by: number): readonly LineHunk[] {
    if (text === this.current) return [];
    const { all } = this;
    const segments = differingSegments(this, text);
    const { parts, hunks } = changeLines(
      segments.map(({ lineStart, lineEnd, start, end }) => ({
        before: all.slice(lineStart, lineEnd),
        texts: linesOf(text.slice(start, end)),
        above: all[lineStart - 1]?.id,
        below: all[lineEnd]?.id,
      })),
      by,
    );
    this.moveOffsets(segments, parts);
    for (const [index, { lineStart, lineEnd }] of [...segments.entries()].reverse())
      all.splice(lineStart, lineEnd - lineStart, ...(parts[index] ?? []));
    this.current = text;
    return hunks;
  }

  /**
   * Lines that the last change wrote here, and that are known from another file, such as the copy that a branch works in,
   * are those of that file. Only if half of the shorter text is the same: otherwise they are others.
   */
  takeFrom(other: TrackedText, by: number): void {
    const isOwn = (line: TrackedLine): boolean => line.by === by && hasWords(line.key);
    if (!this.all.some(isOwn)) return;
    const { all: matches } = matchLines(
      other.lines.map(({ key }) => key),
      this.lines.map(({ key }) => key),
    );
    const shared = matches.filter((line) => line !== NONE).length;
    if (shared === 0 || shared * 2 < Math.min(this.lineCount, other.lineCount)) return;
    this.all = this.all.map((line, index) => {
      const same = line.by === by ? other.lines[matches[index] ?? NONE] : undefined;
      return same ? { ...same, text: line.text } : line;
    });
  }

  /** Says more of lines by another one with the same text. */
  mergeWith(other: TrackedText, merge: (own: TrackedLine, others: TrackedLine) => TrackedLine): void {
    this.all = this.all.map((line, index) => {
      const same = other.lines[index];
      return same && same !== line ? merge(line, same) : line;
    });
  }

  private moveOffsets(segments: readonly TextSegment[], parts: readonly (readonly TrackedLine[])[]): void {
    const { offsets } = this;
    const count = segments.reduce(
      (sum, { lineStart, lineEnd }, index) => sum + (parts[index]?.length ?? 0) - (lineEnd - lineStart),
      this.lineCount,
    );
    const moved = this.otherOffsets.length > count ? this.otherOffsets : new Uint32Array(count * 2 + 1);
    let [from, to, by] = [0, 0, 0];
    const moveUntil = (end: number): void => {
      if (by === 0) moved.set(offsets.subarray(from, end), to);
      else for (let index = from; index < end; index++) moved[to + index - from] = (offsets[index] ?? 0) + by;
      to += end - from;
      from = end;
    };
    for (const [index, { lineStart, lineEnd, start }] of segments.entries()) {
      moveUntil(lineStart);
      let offset = start;
      for (const { text } of parts[index] ?? []) {
        moved[to++] = offset;
        offset += text.length;
      }
      from = lineEnd;
      by = offset - (offsets[lineEnd] ?? 0);
    }
    moveUntil(this.lineCount + 1);
    [this.offsets, this.otherOffsets] = [moved, offsets];
  }
}
