/** Marks before and after each hit: characters that nobody types. */
export const MARKS = ['\u{F0000}', '\u{F0001}'] as const;

/** How much is kept before the first hit, in UTF-16 units: more text on the left would push it out of view. */
const BEFORE = 16;

/** A line of text, and the positions of its hits. */
export interface Snippet {
  readonly text: string;
  /** Start and end, in UTF-16 units. */
  readonly hits: [number, number][];
}

/** Reads a snippet with {@link MARKS} in it: one line, with the first hit near its beginning. */
export function readSnippet(marked: string): Snippet {
  const [start, end] = MARKS;
  // The `#` of a heading is not part of the text.
  const line = marked
    .replace(/^\s*#{1,6}\s/u, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const hits: [number, number][] = [];
  let text = '';
  for (const [index, piece] of line.split(start).entries()) {
    const [hit = '', ...rest] = index === 0 ? ['', piece] : piece.split(end);
    if (hit !== '') hits.push([text.length, text.length + hit.length]);
    // The fences of a code block are not part of the text.
    text += hit + rest.join('').replaceAll(/`{3,}\w* ?/gu, '');
  }
  return fromFirstHit(text, hits);
}

function fromFirstHit(text: string, hits: [number, number][]): Snippet {
  const first = hits[0]?.[0] ?? 0;
  if (first <= BEFORE) return { text, hits };
  const space = text.indexOf(' ', first - BEFORE);
  // A text without spaces is cut at the hit itself.
  const from = space >= 0 && space < first ? space + 1 : first;
  return {
    text: `…${text.slice(from)}`,
    hits: hits.map(([begin, end]) => [begin - from + 1, end - from + 1]),
  };
}
