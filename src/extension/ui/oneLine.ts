/** A text as one line of at most `limit` visible characters, cut with an ellipsis. */
export function oneLine(text: string, limit: number): string {
  // A character may have several code units, but hardly ever this many.
  const start = text
    .slice(0, limit * 20)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (start.length <= limit) return start;
  const characters = Array.from(new Intl.Segmenter().segment(start), ({ segment }) => segment);
  if (characters.length <= limit) return start;
  return `${characters
    .slice(0, limit - 1)
    .join('')
    .trimEnd()}…`;
}
