import { defineMessage } from '../engine/messageDescriptor.ts';
import type { ImportReport } from './importReport.ts';

/** The longest line that is read, in UTF-16 units. */
const MAX_LINE = 64 * 1024 * 1024;

/** The deepest nesting of a record; deeper ones cannot be stored, and every reader is recursive. */
const MAX_RECORD_DEPTH = 200;

/** Invalid lines are left out and reported: a program may have been killed in the middle of one. */
export function recordLines(text: string, report: ImportReport): unknown[] {
  const records: unknown[] = [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const [index, line] of lines.entries()) {
    const record = line.length > MAX_LINE ? undefined : parsedRecord(line);
    if (record !== undefined) records.push(record);
    else if (index === lines.length - 1) report.add(defineMessage('A last line that was cut off'));
    else report.add(defineMessage('Lines that are not JSON, or are too long or nested too deep'));
  }
  return records;
}

/** One record; undefined when it is invalid or nested too deep. */
export function parsedRecord(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return isTooDeep(value, MAX_RECORD_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

export function isTooDeep(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  return Object.values(value).some((member) => isTooDeep(member, limit - 1));
}
