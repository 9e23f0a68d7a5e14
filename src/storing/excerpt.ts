/** In UTF-16 units. */
const MAX_EXCERPT = 200;

/** The beginning of a text, on one line, with no half surrogate pair at the end. */
export function excerptOf(whole: string): string {
  // Only the beginning of a long text is needed, and removing white space makes it no longer.
  const line = whole
    .slice(0, MAX_EXCERPT * 10)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_EXCERPT && whole.length <= MAX_EXCERPT * 10) return line;
  return `${line.slice(0, MAX_EXCERPT - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
