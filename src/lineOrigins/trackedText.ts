import { textLines } from '../base/textLines.ts';
import { changeLines } from './changedLines.ts';
import { LineList } from './lineList.ts';
import { hasWords, matchLines, NONE } from './lineMatches.ts';
import { differingSegments } from './textSegments.ts';
import { TrackedLine, type LineHunk } from './trackedLines.ts';

/** A text whose lines are known by who wrote them, and that follows its changes. */
export class TrackedText {
  private constructor(
    private current: string,
    private list: LineList,
  ) {}

  static of(text: string, by: number): TrackedText {
    return new TrackedText(text, LineList.of(textLines(text).map((line) => new TrackedLine(line, by))));
  }

  get text(): string {
    return this.current;
  }

  get lines(): readonly TrackedLine[] {
    return this.list.all();
  }

  copy(): TrackedText {
    return new TrackedText(this.current, this.list);
  }

  /** Looks only at the lines that differ. @returns what was replaced */
  changeTo(text: string, by: number): readonly LineHunk[] {
    const { list } = this;
    const segments = differingSegments(this.current, text).map(({ oldStart, oldEnd, start, end }) => ({
      first: list.lineAt(oldStart),
      end: list.lineAt(oldEnd),
      texts: textLines(text.slice(start, end)),
    }));
    const { parts, hunks } = changeLines(
      segments.map(({ first, end, texts }) => {
        const near = list.slice(first - 1, end + 1);
        const start = Math.min(first, 1);
        const before = near.slice(start, start + end - first);
        return { before, texts, above: near[start - 1]?.id, below: near[start + before.length]?.id };
      }),
      by,
    );
    // From the last one, so that those above keep their numbers.
    this.list = segments.reduceRight(
      (changed, { first, end }, index) => changed.with(first, end, parts[index] ?? []),
      list,
    );
    this.current = text;
    return hunks;
  }

  /**
   * Lines that the last change wrote here, and that are known from another file, such as the copy that a branch works in,
   * are those of that file. Only if half of the shorter text is the same: otherwise they are others.
   */
  takeFrom(other: TrackedText, by: number): void {
    const { lines } = this;
    if (!lines.some((line) => line.by === by && hasWords(line.text))) return;
    const known = other.lines;
    const { all: matches } = matchLines(
      known.map(({ key }) => key),
      lines.map(({ key }) => key),
    );
    const shared = matches.filter((line) => line !== NONE).length;
    if (shared === 0 || shared * 2 < Math.min(lines.length, known.length)) return;
    this.list = LineList.of(
      lines.map((line, index) => {
        const same = line.by === by ? known[matches[index] ?? NONE] : undefined;
        return same?.spaced(line.text) ?? line;
      }),
    );
  }

  /** Says more of lines by another one with the same text. */
  mergeWith(other: TrackedText, merge: (own: TrackedLine, others: TrackedLine) => TrackedLine): void {
    const { lines } = other;
    this.list = LineList.of(
      this.lines.map((line, index) => {
        const same = lines[index];
        return same && same !== line ? merge(line, same) : line;
      }),
    );
  }
}
