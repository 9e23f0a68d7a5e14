import { startOf } from './storedStrings.ts';

/** The first `limit` lines, and a note on how many were omitted and what to do about it. */
export function limitedLines(lines: readonly string[], limit: number, advice: string): string {
  const shown = lines.slice(0, limit).map((line) => limitedLine(line));
  const left = lines.length - limit;
  return left > 0 ? `${shown.join('\n')}\n… [${left} more left out. ${advice}]` : shown.join('\n');
}

/** A line cut to a useful length. */
export function limitedLine(line: string, limit = 500): string {
  return line.length > limit ? `${startOf(line, limit)}… [line cut]` : line;
}
