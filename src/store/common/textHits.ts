import {
  asciiWords,
  folded,
  foldedInPlace,
  HIT_END,
  HIT_START,
  indexWord,
  isPlain,
  looseMarks,
  searchedText,
  shownText,
} from './searchText.ts';
import { partsOf, sharedBeginnings, type WordForms } from './wordForms.ts';

/** Long texts are searched in parts, which overlap by more than a word; in UTF-16 units. */
const MAX_SEARCHED = 200_000;
const OVERLAP = 2_000;
const SNIPPET_WORDS = 24;
/** What of them stands before the first hit. */
const WORDS_BEFORE = 4;
/** The maximum number of hits of each word of a query that are looked at: further ones say nothing more. */
const MAX_HITS = 200;
/** Of a word with its space. */
const USUAL_LENGTH = 8;
/** Hits that are further apart have nothing to do with each other; in words. */
const FAR_APART = 40;
/** What forms of a word begin with is looked for instead of each of them, if it is at least this long. */
const LEAST_SHARED = 4;

export interface TextHit {
  /** The index of the word among those of the query. */
  readonly group: number;
  /** In words; from the first hit on, where what is far apart is less far. */
  readonly place: number;
  readonly length: number;
  readonly weight: number;
}

export interface TextHits {
  /** How much each word of the query is there: the sum of the weights of its hits. */
  readonly weights: ReadonlyMap<number, number>;
  readonly placed: () => readonly TextHit[];
  /** The part of the text with the most hits, each between marks. */
  readonly snippet: (marks: readonly [string, string]) => string;
}

interface Wanted {
  readonly group: number;
  readonly words: readonly string[];
  readonly isPrefix: boolean;
  readonly weight: number;
}

/** Where a text has a word of the query, in UTF-16 units. */
interface Spot {
  readonly group: number;
  readonly start: number;
  readonly end: number;
  readonly length: number;
  readonly weight: number;
}

/** Finds the words of a query in texts. No text is split into words as a whole: that takes most of a search's time. */
export class HitFinder {
  /** By their first word. */
  private readonly whole = new Map<string, Wanted[]>();
  private readonly beginnings: Wanted[] = [];
  /** What a word of a text begins with if it may be wanted. */
  private readonly firsts: readonly string[];
  private readonly mayBeWanted: RegExp;
  // Of its own, as they keep where they are.
  private readonly asciiWords = new RegExp(asciiWords);
  private readonly anyWords = new RegExp(indexWord);

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
    const firsts = [...this.whole.keys(), ...this.beginnings.flatMap(({ words: [first = ''] }) => first)];
    this.firsts = sharedBeginnings(
      firsts.map((first) => first.replaceAll('ς', 'σ')),
      LEAST_SHARED,
    );
    this.mayBeWanted = new RegExp(this.firsts.join('|'), 'g');
  }

  /** Of a long text, the hits in the first part that has any. */
  find(text: string): TextHits {
    for (let at = 0; ; at += MAX_SEARCHED - OVERLAP) {
      const isLast = at + MAX_SEARCHED >= text.length;
      const part = this.read(isLast && at === 0 ? text : text.slice(at, at + MAX_SEARCHED));
      const spots = this.spotsIn(part);
      if (isLast || spots.length > 0) return hitsOf(part, spots, (from, to) => this.spotsIn(part, from, to));
    }
  }

  private read(text: string): SearchedText {
    const indexed = searchedText(text);
    return isPlain(indexed)
      ? new SearchedText(indexed, indexed.toLowerCase(), this.asciiWords, true)
      : new SearchedText(indexed, foldedInPlace(indexed), this.anyWords, false);
  }

  private spotsIn(text: SearchedText, from = 0, to = Infinity): Spot[] {
    const spots: Spot[] = [];
    if (this.firsts.length === 0) return spots;
    const pattern = text.hasMarks ? withMarks(this.firsts) : this.mayBeWanted;
    const counts = new Map<number, number>();
    const take = (spot: Spot): void => {
      const count = (counts.get(spot.group) ?? 0) + 1;
      counts.set(spot.group, count);
      if (count <= MAX_HITS) spots.push(spot);
    };
    pattern.lastIndex = from;
    for (let match = pattern.exec(text.plain); match; match = pattern.exec(text.plain)) {
      const start = match.index;
      if (start >= to) break;
      const word = text.wordFrom(start);
      if (word === undefined) continue;
      pattern.lastIndex = start + word.length;
      this.takeAt(text, start, word, take);
    }
    return spots;
  }

  /** Of one word of the query, the form that counts most. */
  private takeAt(text: SearchedText, start: number, word: string, take: (spot: Spot) => void): void {
    const known = text.asKnown(word, start);
    let best: Spot | undefined;
    const offer = ({ group, words: all, weight }: Wanted, end: number): void => {
      const spot = { group, start, end, length: all.length, weight };
      if (best?.group === group) {
        if (best.weight < weight) best = spot;
        return;
      }
      if (best) take(best);
      best = spot;
    };
    for (const wanted of this.whole.get(known) ?? []) {
      const end = endOf(text, start + word.length, wanted);
      if (end !== undefined) offer(wanted, end);
    }
    for (const wanted of this.beginnings)
      if (known.startsWith(wanted.words[0] ?? '')) offer(wanted, start + word.length);
    if (best) take(best);
  }
}

/** Where a phrase ends whose first word ends at `at`. */
function endOf(text: SearchedText, at: number, { words, isPrefix }: Wanted): number | undefined {
  let end = at;
  for (const [index, wanted] of words.entries()) {
    if (index === 0) continue;
    const next = text.nextWord(end);
    if (!next) return undefined;
    const known = text.asKnown(next.word, next.start);
    const isLast = index === words.length - 1;
    if (isPrefix && isLast ? !known.startsWith(wanted) : known !== wanted) return undefined;
    end = next.start + next.word.length;
  }
  return end;
}

/** As in a text with marks that are signs of their own. */
function withMarks(beginnings: readonly string[]): RegExp {
  return new RegExp(beginnings.map((each) => Array.from(each).join(`${looseMarks}*`)).join('|'), 'g');
}

interface Word {
  readonly start: number;
  readonly word: string;
}

const mark = new RegExp(looseMarks, 'u');
const letterOrDigit = /[\p{L}\p{N}\p{Co}\u0300-\u0331]/u;

/** A text with its words where they are. */
class SearchedText {
  readonly hasMarks: boolean;

  /**
   * @param indexed as it is shown, apart from what `shownText` takes out
   * @param plain in lower case and without accents, of the same length
   * @param isPlain whether these are all of the folding of its words
   */
  constructor(
    readonly indexed: string,
    readonly plain: string,
    private readonly words: RegExp,
    private readonly isPlain: boolean,
  ) {
    this.hasMarks = !isPlain && mark.test(plain);
  }

  /** The word that begins there, if one does. */
  wordFrom(start: number): string | undefined {
    if (start > 0 && this.isInWord(start - 1)) return undefined;
    const found = this.nextWord(start);
    return found?.start === start ? found.word : undefined;
  }

  nextWord(from: number): Word | undefined {
    this.words.lastIndex = from;
    const match = this.words.exec(this.plain);
    return match ? { start: match.index, word: match[0] } : undefined;
  }

  /** As words of a query are. */
  asKnown(word: string, start: number): string {
    return this.isPlain ? word : folded(this.indexed.slice(start, start + word.length));
  }

  /** The last words before a place, at most `count`. */
  wordsBefore(at: number, count: number): Word[] {
    for (let length = count * USUAL_LENGTH; ; length *= 2) {
      let from = Math.max(0, at - length);
      // Not from within a word.
      while (from > 0 && this.isInWord(from - 1)) from--;
      const words: Word[] = [];
      for (let next = this.nextWord(from); next && next.start < at;) {
        words.push(next);
        next = this.nextWord(next.start + next.word.length);
      }
      if (from === 0 || words.length >= count) return words.slice(-count);
    }
  }

  /** From a place on, at most `count`. */
  wordsFrom(at: number, count: number): Word[] {
    const words: Word[] = [];
    for (let next = this.nextWord(at); next && words.length < count;) {
      words.push(next);
      next = this.nextWord(next.start + next.word.length);
    }
    return words;
  }

  private isInWord(at: number): boolean {
    const code = this.plain.charCodeAt(at);
    if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
    // The second half of a sign of two.
    const isSecond = code >= 0xdc00 && code <= 0xdfff;
    return letterOrDigit.test(String.fromCodePoint(this.plain.codePointAt(isSecond ? at - 1 : at) ?? 0));
  }
}

function hitsOf(
  text: SearchedText,
  spots: readonly Spot[],
  find: (from: number, to: number) => readonly Spot[],
): TextHits {
  const weights = new Map<number, number>();
  for (const { group, weight } of spots) weights.set(group, (weights.get(group) ?? 0) + weight);
  let placed: readonly TextHit[] | undefined;
  const place = (): readonly TextHit[] => (placed ??= placedIn(text, spots));
  const snippet = (marks: readonly [string, string]): string => {
    const start = spots[bestStart(place())]?.start ?? 0;
    return snippetFrom(text, start, find, marks);
  };
  return { weights, placed: place, snippet };
}

function placedIn(text: SearchedText, spots: readonly Spot[]): TextHit[] {
  let place = 0;
  let before: Spot | undefined;
  return spots.map((spot): TextHit => {
    if (before && spot.start > before.start) {
      let apart = 0;
      for (let at = before.start; apart < FAR_APART; apart++) {
        const word = text.nextWord(at);
        if (!word || word.start >= spot.start) break;
        at = word.start + word.word.length;
      }
      place += apart;
    }
    before = spot;
    const { group, length, weight } = spot;
    return { group, place, length, weight };
  });
}

/** The first hit of a snippet that shows as many words of the query as possible. */
function bestStart(hits: readonly TextHit[]): number {
  let best = 0;
  let most = 0;
  for (const [index, { place }] of hits.entries()) {
    const shown = new Set<number>();
    let count = 0;
    for (let next = index; next < hits.length; next++) {
      const hit = hits[next];
      if (!hit || hit.place >= place + SNIPPET_WORDS) break;
      shown.add(hit.group);
      count += 1;
    }
    const worth = shown.size * SNIPPET_WORDS + count;
    if (worth > most) [best, most] = [index, worth];
  }
  return best;
}

/** @param start of the first hit */
function snippetFrom(
  text: SearchedText,
  start: number,
  find: (from: number, to: number) => readonly Spot[],
  [open, close]: readonly [string, string],
): string {
  const following = text.wordsFrom(start, SNIPPET_WORDS);
  const wanted = Math.max(WORDS_BEFORE, SNIPPET_WORDS - following.length);
  // One more says whether the text begins there.
  const before = text.wordsBefore(start, wanted + 1);
  const isFromBeginning = before.length <= wanted;
  const words = [...before.slice(isFromBeginning ? 0 : 1), ...following].slice(0, SNIPPET_WORDS);
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return '';
  const end = last.start + last.word.length;
  const isToEnd = text.nextWord(end) === undefined;
  const hits = find(first.start, end);
  let at = isFromBeginning ? 0 : first.start;
  let snippet = isFromBeginning ? '' : '…';
  for (const word of words) {
    snippet += text.indexed.slice(at, word.start);
    at = word.start + word.word.length;
    const own = text.indexed.slice(word.start, at);
    const isHit = hits.some((hit) => word.start >= hit.start && word.start < hit.end);
    snippet += isHit ? `${HIT_START}${own}${HIT_END}` : own;
  }
  snippet += isToEnd ? text.indexed.slice(at) : '…';
  return shownText(snippet).replaceAll(HIT_START, open).replaceAll(HIT_END, close);
}
