import {
  asciiWords,
  folded,
  indexedText,
  indexWord,
  isAscii,
  shownText,
  HIT_END,
  HIT_START,
} from './searchText.ts';
import { partsOf, type WordForms } from './wordForms.ts';

/** Long texts are searched in parts, which overlap by more than a word; in UTF-16 units. */
const MAX_SEARCHED = 200_000;
const OVERLAP = 2_000;
const SNIPPET_WORDS = 24;
/** The maximum number of hits that a snippet is chosen by. */
const MAX_CHOSEN_BY = 500;

interface Token {
  readonly start: number;
  readonly end: number;
}

export interface TextHit {
  /** The index of the word among those of the query. */
  readonly group: number;
  /** In words from the beginning of the text. */
  readonly place: number;
  readonly length: number;
  readonly weight: number;
}

export interface TextHits {
  readonly hits: readonly TextHit[];
  /** In words. */
  readonly length: number;
  /** The part of the text with the most hits, each between marks. */
  readonly snippet: (marks: readonly [string, string]) => string;
}

interface Wanted {
  readonly group: number;
  readonly words: readonly string[];
  readonly isPrefix: boolean;
  readonly weight: number;
}

/** Finds the words of a query in texts. */
export class HitFinder {
  /** By their first word. */
  private readonly whole = new Map<string, Wanted[]>();
  private readonly beginnings: Wanted[] = [];

  constructor(groups: readonly WordForms[]) {
    for (const [group, forms] of groups.entries()) {
      for (const form of forms) {
        const words = partsOf(form).map(folded);
        const [first] = words;
        if (first === undefined) continue;
        const wanted = { group, words, isPrefix: form.isPrefix, weight: form.weight };
        if (words.length === 1 && form.isPrefix) this.beginnings.push(wanted);
        else this.whole.set(first, [...(this.whole.get(first) ?? []), wanted]);
      }
    }
  }

  /** Of a long text, the hits in the first part that has any. */
  find(text: string): TextHits {
    for (let at = 0; ; at += MAX_SEARCHED - OVERLAP) {
      const isLast = at + MAX_SEARCHED >= text.length;
      const found = this.findIn(isLast && at === 0 ? text : text.slice(at, at + MAX_SEARCHED));
      if (isLast || found.hits.length > 0) return found;
    }
  }

  private findIn(text: string): TextHits {
    const indexed = indexedText(text);
    const tokens: Token[] = [];
    const words: string[] = [];
    // Most texts are of ASCII alone, which is read in half the time.
    const isPlain = isAscii(indexed);
    const matches = isPlain ? indexed.toLowerCase().matchAll(asciiWords) : indexed.matchAll(indexWord);
    for (const { 0: found, index } of matches) {
      tokens.push({ start: index, end: index + found.length });
      words.push(isPlain ? found : folded(found));
    }
    const hits: TextHit[] = [];
    for (const [place, word] of words.entries()) {
      // Of one word of the query, the form that counts most.
      let best: TextHit | undefined;
      const offer = ({ group, words: all, weight }: Wanted): void => {
        const hit = { group, place, length: all.length, weight };
        if (best?.group === group) {
          if (best.weight < weight) best = hit;
          return;
        }
        if (best) hits.push(best);
        best = hit;
      };
      for (const wanted of this.whole.get(word) ?? []) if (standsAt(words, place, wanted)) offer(wanted);
      for (const wanted of this.beginnings) if (word.startsWith(wanted.words[0] ?? '')) offer(wanted);
      if (best) hits.push(best);
    }
    return {
      hits,
      length: words.length,
      snippet: (marks) => snippetOf(indexed, tokens, hits, marks),
    };
  }
}

function standsAt(words: readonly string[], place: number, { words: wanted, isPrefix }: Wanted): boolean {
  return wanted.every((each, offset) => {
    const word = words[place + offset] ?? '';
    return isPrefix && offset === wanted.length - 1 ? word.startsWith(each) : word === each;
  });
}

function snippetOf(
  indexed: string,
  tokens: readonly Token[],
  found: readonly TextHit[],
  [open, close]: readonly [string, string],
): string {
  const hits = new Set<number>();
  for (const { place, length } of found) for (let at = place; at < place + length; at++) hits.add(at);
  const first = bestStart(tokens.length, found);
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

/** The start of a snippet that shows as many words of the query as possible, with some text before the first. */
function bestStart(length: number, hits: readonly TextHit[]): number {
  const places = hits.slice(0, MAX_CHOSEN_BY);
  let best = 0;
  let most = 0;
  for (const [index, { place }] of places.entries()) {
    const shown = new Set<number>();
    let count = 0;
    for (let next = index; next < places.length; next++) {
      const hit = places[next];
      if (!hit || hit.place >= place + SNIPPET_WORDS) break;
      shown.add(hit.group);
      count += 1;
    }
    const worth = shown.size * SNIPPET_WORDS + count;
    if (worth > most) [best, most] = [place, worth];
  }
  return Math.max(0, Math.min(best - 4, length - SNIPPET_WORDS));
}
