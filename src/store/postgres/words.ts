import type { Term } from '../common/searchQuery.ts';
import { folded, indexedText, indexWord } from '../common/searchText.ts';
import { partsOf, withoutFound } from '../common/wordForms.ts';

// PostgreSQL's own parser splits texts differently; it is given the words found here, with their positions.

/** The limits of a `tsvector`: longer words, larger positions and further words are left out. */
const MAX_WORD_BYTES = 2_000;
const MAX_PLACE = 16_383;
const MAX_PLACES = 255;
/** In UTF-16 units of the sent text; a `tsvector` is refused from a mebibyte on. */
const MAX_LENGTH = 250_000;

/** The words of a text for the index, in the format of a `tsvector`, with their count. */
export function indexedWords(text: string): { readonly words: string | null; readonly count: number } {
  const places = new Map<string, number[]>();
  let count = 0;
  let length = 0;
  for (const [found] of indexedText(text).matchAll(indexWord)) {
    count += 1;
    const lexeme = folded(found);
    if (lexeme === '' || lexeme.length * 3 > MAX_WORD_BYTES) continue;
    const known = places.get(lexeme);
    if (known) {
      if (known.length < MAX_PLACES && count <= MAX_PLACE) known.push(count);
    } else if (length < MAX_LENGTH) {
      places.set(lexeme, [Math.min(count, MAX_PLACE)]);
      length += lexeme.length + 10;
    }
  }
  const words = [...places].map(([lexeme, at]) => `${lexeme}:${at.join(',')}`).join(' ');
  return { words: words === '' ? null : words, count };
}

/** Any of them, in the format of a `tsquery`; '' if none can be in the index. */
export function queryOf(terms: readonly Term[]): string {
  const queries = withoutFound(terms).flatMap((term) => {
    const parts = partsOf(term).map(folded);
    const sayable = parts.filter((each) => each !== '' && each.length * 3 <= MAX_WORD_BYTES);
    return sayable.length === 0 ? [] : [`(${sayable.join(' <-> ')}${term.isPrefix ? ':*' : ''})`];
  });
  // Some differ by their accents alone.
  return [...new Set(queries)].join(' | ');
}
