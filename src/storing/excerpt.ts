/** In UTF-16 units. */
const MAX_EXCERPT = 200;

/** How a text begins, on one line, with no half of a surrogate pair at the end. */
export function excerptOf(whole: string): string {
  // Little of a long text is needed, and blanks that are left out make it no longer.
  const line = whole
    .slice(0, MAX_EXCERPT * 10)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_EXCERPT && whole.length <= MAX_EXCERPT * 10) return line;
  return `${line.slice(0, MAX_EXCERPT - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
