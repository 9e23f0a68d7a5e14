import { defineMessage } from '../engine/messageDescriptor.ts';
import type { ImportReport } from './importReport.ts';

/** The longest line that is read, in UTF-16 units. */
export const MAX_LINE = 64 * 1024 * 1024;

/** The deepest nesting of a record; deeper ones cannot be stored, and every reader is recursive. */
const MAX_RECORD_DEPTH = 200;

/**
 * The records of a text with one on each line, one after another. Invalid lines are left out and reported: a program
 * may have been killed in the middle of one. While a record is handled, the report is at its line.
 */
export function* recordLines(text: string, report: ImportReport): Generator {
  for (const { line, number, isLast } of linesOf(text)) {
    report.at(number);
    const record = line.length > MAX_LINE ? undefined : parsedRecord(line);
    if (record !== undefined) yield record;
    else if (isLast) report.add(defineMessage('A last line that was cut off'));
    else report.add(defineMessage('Lines that are not JSON, or are too long or nested too deep'));
  }
  report.at(undefined);
}

interface Line {
  readonly line: string;
  /** Counted from 1. */
  readonly number: number;
  readonly isLast: boolean;
}

/** What a file system leaves at the end of a file when the power fails: the next record follows it on the same line. */
const zeros = /^\0+|\0+$/gu;

/** Those with content, one after another: their list would be as large as the text. */
export function* linesOf(text: string): Generator<Line> {
  let before: Omit<Line, 'isLast'> | undefined;
  for (let [start, number] = [0, 1]; start < text.length; number++) {
    const end = text.indexOf('\n', start);
    const given = text.slice(start, end < 0 ? undefined : end);
    const line = given.startsWith('\0') || given.endsWith('\0') ? given.replaceAll(zeros, '') : given;
    if (line.trim() !== '') {
      if (before) yield { ...before, isLast: false };
      before = { line, number };
    }
    start = end < 0 ? text.length : end + 1;
  }
  if (before) yield { ...before, isLast: true };
}

/** One record; undefined when it is invalid or nested too deep. */
export function parsedRecord(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

export function isTooDeep(value: unknown, limit = MAX_RECORD_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  return Object.values(value).some((member) => isTooDeep(member, limit - 1));
}
