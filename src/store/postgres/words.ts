import { indexedText, searchTerms, shownText, HIT_END, HIT_START, type Term } from '../common/searchText.ts';

// PostgreSQL's own parser splits texts differently; it is given the words found here, with their positions.

/** A word: letters, digits, the characters for emoji, and combining marks. */
const word = /[\p{L}\p{N}\p{Co}\u0300-\u0331]+/gu;
const marks = /\p{Mn}/gu;
const ascii = /^[a-z0-9]*$/i;

/** The limits of a `tsvector`: longer words, larger positions and further words are left out. */
const MAX_WORD_BYTES = 2_000;
const MAX_PLACE = 16_383;
const MAX_PLACES = 255;
/** In UTF-16 units of the sent text; a `tsvector` is refused from a mebibyte on. */
const MAX_LENGTH = 250_000;

/** A word for comparison: without accents, in lower case. */
export function folded(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replaceAll(marks, '').normalize('NFC').toLowerCase();
}

/** The words of a text for the index, in the format of a `tsvector`, with their count. */
export function indexedWords(text: string): { readonly words: string | null; readonly count: number } {
  const places = new Map<string, number[]>();
  let count = 0;
  let length = 0;
  for (const [found] of indexedText(text).matchAll(word)) {
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

/** The terms of a user's query, each in the format of a `tsquery`. */
export function queriesOf(query: string): string[] {
  return termsOf(query).map(({ words, isPrefix }) =>
    words.map((each, at) => `${each}${isPrefix && at === words.length - 1 ? ':*' : ''}`).join(' <-> '),
  );
}

function termsOf(query: string): Term[] {
  return searchTerms(query).flatMap(({ words, isPrefix }) => {
    const parts = words.flatMap((each) => [...each.matchAll(word)].map(([found]) => folded(found)));
    const sayable = parts.filter((each) => each !== '' && each.length * 3 <= MAX_WORD_BYTES);
    return sayable.length === 0 ? [] : [{ words: sayable, isPrefix }];
  });
}

const SNIPPET_WORDS = 24;
/** How far into a text hits are searched, in UTF-16 units. */
const MAX_SEARCHED = 200_000;

interface Token {
  readonly start: number;
  readonly end: number;
  readonly lexeme: string;
}

/** The part of a text with the most hits, each hit between marks. */
export function snippetOf(text: string, query: string, [open, close]: readonly [string, string]): string {
  const indexed = indexedText(text.slice(0, MAX_SEARCHED));
  const tokens = Array.from(indexed.matchAll(word), ({ 0: found, index }): Token => ({
    start: index,
    end: index + found.length,
    lexeme: folded(found),
  }));
  const hits = hitsIn(tokens, termsOf(query));
  const first = bestStart(tokens.length, hits);
  const last = Math.min(tokens.length, first + SNIPPET_WORDS);
  const [begin, end] = [tokens[first], tokens[last - 1]];
  if (!begin || !end) return '';
  let at = first === 0 ? 0 : begin.start;
  let snippet = first === 0 ? '' : '…';
  for (const [index, token] of tokens.slice(first, last).entries()) {
    snippet += indexed.slice(at, token.start);
    const own = indexed.slice(token.start, token.end);
    snippet += hits.has(first + index) ? `${HIT_START}${own}${HIT_END}` : own;
    at = token.end;
  }
  snippet += last === tokens.length ? indexed.slice(at) : '…';
  return shownText(snippet).replaceAll(HIT_START, open).replaceAll(HIT_END, close);
}

function hitsIn(tokens: readonly Token[], terms: readonly Term[]): ReadonlySet<number> {
  const hits = new Set<number>();
  for (const at of tokens.keys()) {
    for (const { words, isPrefix } of terms) {
      const isHit = words.every((wanted, offset) => {
        const lexeme = tokens[at + offset]?.lexeme ?? '';
        return isPrefix && offset === words.length - 1 ? lexeme.startsWith(wanted) : lexeme === wanted;
      });
      if (isHit) for (const offset of words.keys()) hits.add(at + offset);
    }
  }
  return hits;
}

/** The start of a snippet that shows as many hits as possible, with some words before the first of them. */
function bestStart(length: number, hits: ReadonlySet<number>): number {
  const places = [...hits].sort((a, b) => a - b);
  let best = 0;
  let most = 0;
  for (const [index, place] of places.entries()) {
    const shown = places.slice(index).filter((each) => each < place + SNIPPET_WORDS).length;
    if (shown > most) [best, most] = [place, shown];
    if (index > 500) break;
  }
  return Math.max(0, Math.min(best - 4, length - SNIPPET_WORDS));
}
