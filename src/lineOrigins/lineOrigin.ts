import { hasWords } from './lineMatches.ts';
import type { RecordedEdit } from './recordedFiles.ts';
import type { LineId, TrackedLine } from './trackedLines.ts';
import type { TrackedText } from './trackedText.ts';

/** Where a line comes from. */
export interface LineOrigin {
  /** From 0. */
  readonly line: number;
  /** The last step that wrote some of it, or deleted something in it. */
  readonly edit: RecordedEdit;
  /** Earlier steps that some of it is from, the latest first. */
  readonly earlier: readonly RecordedEdit[];
  /** Something else changed it after the step: the user, a formatter, another program. */
  readonly isChangedSince: boolean;
  readonly id: LineId;
}

type Origin = Omit<LineOrigin, 'line'>;

/**
 * The lines of a text that steps wrote. A line without words, such as a bracket, is in many places: it is only counted to
 * a step next to a line of that step.
 */
export function originsIn(
  { lines }: Pick<TrackedText, 'lines'>,
  writers: readonly (RecordedEdit | undefined)[],
): LineOrigin[] {
  const origins = lines.map((line) => originOf(line, writers));
  const isWeak = lines.map(({ key }) => !hasWords(key));
  const isNextTo = (line: number, by: 1 | -1): boolean => {
    let next = line + by;
    while (isWeak[next] === true) next += by;
    const [own, near] = [origins[line], origins[next]];
    return own !== undefined && near !== undefined && isSameStep(own.edit, near.edit);
  };
  return origins.flatMap((origin, line) =>
    origin && (isWeak[line] !== true || isNextTo(line, 1) || isNextTo(line, -1)) ? [{ line, ...origin }] : [],
  );
}

function originOf(line: TrackedLine, writers: readonly (RecordedEdit | undefined)[]): Origin | undefined {
  const { by, cutBy, id } = line;
  const touches = typeof by === 'number' ? [by, ...cutBy] : [...by, ...cutBy];
  const all = [...new Set(touches)].sort((a, b) => b - a);
  const steps = all.flatMap((writer) => {
    const edit = writers[writer];
    return edit ? [{ writer, edit }] : [];
  });
  const [last, ...earlier] = steps;
  if (!last) return undefined;
  return {
    edit: last.edit,
    earlier: earlier.map(({ edit }) => edit),
    isChangedSince: all.some((writer) => writer > last.writer),
    id,
  };
}

/** A step may change a file several times. */
export function isSameStep(a: RecordedEdit, b: RecordedEdit): boolean {
  return a.chatId === b.chatId && a.messageId === b.messageId;
}
