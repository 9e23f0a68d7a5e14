import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';

/** A file by its path, with the lines of it that are meant. */
export function rangeText({
  path: given,
  startLine,
  endLine,
}: {
  readonly path: string;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}): string {
  const path = withHiddenSpelledOut(given);
  if (startLine === undefined) return path;
  return endLine === undefined || endLine === startLine
    ? `${path}:${startLine}`
    : `${path}:${startLine}–${endLine}`;
}
