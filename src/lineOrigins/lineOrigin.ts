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
  const isWeak = (line: number): boolean => {
    const { key } = lines[line] ?? {};
    return key !== undefined && !hasWords(key);
  };
  const isNextTo = (line: number, by: 1 | -1): boolean => {
    let next = line + by;
    while (isWeak(next)) next += by;
    const [own, near] = [origins[line], origins[next]];
    return own !== undefined && near !== undefined && isSameStep(own.edit, near.edit);
  };
  const found: LineOrigin[] = [];
  for (const [line, origin] of origins.entries()) {
    if (!origin) continue;
    if (!isWeak(line) || isNextTo(line, 1) || isNextTo(line, -1)) found.push({ line, ...origin });
  }
  return found;
}

function originOf(line: TrackedLine, writers: readonly (RecordedEdit | undefined)[]): Origin | undefined {
  const { by, cutBy, id } = line;
  if (typeof by === 'number' && cutBy.length === 0) {
    const edit = writers[by];
    return edit && { edit, earlier: [], isChangedSince: false, id };
  }
  const all = [...new Set(typeof by === 'number' ? [by, ...cutBy] : [...by, ...cutBy])].sort((a, b) => b - a);
  const last = all.find((writer) => writers[writer] !== undefined);
  const [edit, ...earlier] = all.flatMap((writer) => writers[writer] ?? []);
  if (last === undefined || !edit) return undefined;
  return { edit, earlier, isChangedSince: all[0] !== last, id };
}

/** A step may change a file several times. */
export function isSameStep(
  a: Pick<RecordedEdit, 'chatId' | 'messageId'>,
  b: Pick<RecordedEdit, 'chatId' | 'messageId'>,
): boolean {
  return a.chatId === b.chatId && a.messageId === b.messageId;
}
