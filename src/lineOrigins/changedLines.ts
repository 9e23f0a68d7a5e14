import { continueChanged } from './continuedLines.ts';
import { gapsIn, matchLines, NONE, type LineMatches, type LineRange } from './lineMatches.ts';
import { TrackedLine, type LineHunk, type LineId } from './trackedLines.ts';

/** Lines that take the place of others. */
export interface ReplacedLines {
  readonly before: readonly TrackedLine[];
  readonly texts: readonly string[];
  /** What stands above and below both. */
  readonly above: LineId | undefined;
  readonly below: LineId | undefined;
}

/** What became of all that was replaced in one change: the new lines of each part. */
export interface ChangedLines {
  readonly parts: readonly (readonly TrackedLine[])[];
  readonly hunks: readonly LineHunk[];
}

/**
 * The lines after a change: those that stayed or moved are the same ones, changed ones keep the writers of what is left
 * of them, and the rest is written by the one who made the change.
 */
export function changeLines(replaced: readonly ReplacedLines[], by: number): ChangedLines {
  const before = replaced.flatMap((each) => each.before);
  const lines = replaced.flatMap(({ texts }) => texts.map((text) => new TrackedLine(text, by)));
  const ranges = rangesOf(replaced);
  const matches = matchLines(
    before.map(({ key }) => key),
    lines.map(({ key }) => key),
    ranges,
  );
  for (const [index, line] of lines.entries()) {
    const same = before[matches.all[index] ?? NONE];
    if (same) lines[index] = same.spaced(line.text);
  }
  const gaps = ranges.map((range) => gapsIn(range, matches.stayed));
  continueChanged({ before, lines, matches, gaps: gaps.flat(), by });
  return {
    parts: ranges.map(({ afterStart, afterEnd }) => lines.slice(afterStart, afterEnd)),
    hunks: replaced.flatMap((each, index) => {
      const range = ranges[index];
      return range ? hunksOf(each, { before, lines, matches, range, gaps: gaps[index] ?? [], by }) : [];
    }),
  };
}

/** Where each part is, when they stand behind each other. */
function rangesOf(replaced: readonly ReplacedLines[]): LineRange[] {
  let [beforeEnd, afterEnd] = [0, 0];
  return replaced.map(({ before, texts }) => {
    const [beforeStart, afterStart] = [beforeEnd, afterEnd];
    beforeEnd += before.length;
    afterEnd += texts.length;
    return { beforeStart, beforeEnd, afterStart, afterEnd };
  });
}

/** What replaced what in one part, between lines that stayed in their order. */
function hunksOf(
  { above, below }: ReplacedLines,
  {
    before,
    lines,
    matches,
    range,
    gaps,
    by,
  }: {
    readonly before: readonly TrackedLine[];
    readonly lines: readonly TrackedLine[];
    readonly matches: LineMatches;
    readonly range: LineRange;
    readonly gaps: readonly LineRange[];
    readonly by: number;
  },
): LineHunk[] {
  const idAt = (index: number): LineId | undefined => {
    if (index < range.beforeStart) return above;
    return index < range.beforeEnd ? before[index]?.id : below;
  };
  return gaps.flatMap(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    const removed = before.slice(beforeStart, beforeEnd).filter((_, i) => !matches.isTaken[beforeStart + i]);
    const added = lines.slice(afterStart, afterEnd).filter((_, i) => matches.all[afterStart + i] === NONE);
    if (removed.length === 0 && added.length === 0) return [];
    const ids = (of: readonly TrackedLine[]): LineId[] => of.map(({ id }) => id);
    return [
      {
        ...{ by, removed: ids(removed), added: ids(added) },
        ...{ above: idAt(beforeStart - 1), below: idAt(beforeEnd) },
      },
    ];
  });
}
