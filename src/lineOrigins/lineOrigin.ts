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

/**
 * The lines of a text that steps wrote. A line without words, such as a bracket, is in many places: it is only counted to
 * a step next to a line of that step.
 */
export function originsIn(
  { lines }: Pick<TrackedText, 'lines'>,
  writers: readonly (RecordedEdit | undefined)[],
): LineOrigin[] {
  const origins = lines.map((tracked, line) => originOf(tracked, line, writers));
  const isWeak = (line: number): boolean => {
    const { text } = lines[line] ?? {};
    return text !== undefined && !hasWords(text);
  };
  const isNextTo = (line: number, by: 1 | -1): boolean => {
    let next = line + by;
    while (isWeak(next)) next += by;
    const [own, near] = [origins[line], origins[next]];
    return own !== undefined && near !== undefined && isSameStep(own.edit, near.edit);
  };
  return origins.filter(
    (origin): origin is LineOrigin =>
      origin !== undefined && (!isWeak(origin.line) || isNextTo(origin.line, 1) || isNextTo(origin.line, -1)),
  );
}

function originOf(
  { by, cutBy, id }: TrackedLine,
  line: number,
  writers: readonly (RecordedEdit | undefined)[],
): LineOrigin | undefined {
  if (typeof by === 'number' && cutBy.length === 0) {
    const edit = writers[by];
    return edit && { line, edit, earlier: [], isChangedSince: false, id };
  }
  const wrote = typeof by === 'number' ? [by] : by.filter((writer, index) => writer !== by[index - 1]);
  const all = [...new Set([...wrote, ...cutBy])].sort((a, b) => b - a);
  const last = all.find((writer) => writers[writer] !== undefined);
  const [edit, ...earlier] = all.flatMap((writer) => writers[writer] ?? []);
  if (last === undefined || !edit) return undefined;
  return { line, edit, earlier, isChangedSince: all[0] !== last, id };
}

/** A step may change a file several times. */
export function isSameStep(
  a: Pick<RecordedEdit, 'chatId' | 'messageId'>,
  b: Pick<RecordedEdit, 'chatId' | 'messageId'>,
): boolean {
  return a.chatId === b.chatId && a.messageId === b.messageId;
}
