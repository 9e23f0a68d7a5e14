import type { MessageData } from '../../engine/graph.ts';
import { visibleText } from './messageContent.ts';
import { isSaidAt, type NamedTime } from './namedTimes.ts';
import { HitFinder, type TextHit, type TextHits } from './textHits.ts';
import type { WordForms } from './wordForms.ts';

// One ranking for every store. A store finds which messages have which words of a query; the best of these by that
// alone are placed in their conversations; then their texts are read.

/** How quickly further hits of the same words count less, and how much long texts do: less than usual, as messages are short. */
const SATURATION = 0.6;
const LENGTH_WEIGHT = 0.3;
/** Fewer texts than this tell nothing of how rare a word is. */
const LEAST_TEXTS = 100;

/** How many hits are placed in their conversations, and how many texts are read at least. */
const PLACED = 500;
const LEAST_READ = 150;
/** Of a single word, which all of them have: what places and texts say changes their order little. */
const PLACED_OF_ONE = 150;
const LEAST_READ_OF_ONE = 60;
const PLACED_WHILE_TYPING = 100;
/** Of how many of the best, what is next to them is placed as well. */
export const WITH_NEIGHBORS = 60;
/** The total length of the texts that are read for their rank, in UTF-16 units. */
const MAX_READ = 600_000;
/** Of each further text. */
const LEAST_LENGTH = 2_000;

/** What counts besides a message's own words, as a share of what those words count. */
const NEIGHBOR = 0.5;
const NEIGHBOR_FADES = 0.7;
/** Of a word that the message has itself. */
const AGAIN = 0.25;
/** How far away, in messages. */
const NEIGHBORS = 6;
/** What is said about the same thing around it. */
const PASSAGE = 0.25;
/** What an answer has of its question. */
const ASKED = 0.3;
const CONVERSATION = 0.12;
const TITLE = 0.3;
/** Of how rare a time that the query names is among the best. */
const TIME = 2;
const NEAR = 0.35;
const ALL_WORDS = 0.5;
const QUESTION = 1.05;
/** Of an answer that asks back: it says less than one that tells. */
const ASKING_BACK = 0.7;
/** Words at most this far apart belong together. */
const NEAR_WORDS = 8;

/** By the index of the message in a store. */
export type HitId = number | string;

/** A message with words of a query. */
export interface Hit<I extends HitId> {
  readonly id: I;
  /** Which words: a bit each, in the order of the query. */
  readonly words: number;
  /** Of its text, in words. */
  readonly length: number;
}

export interface Placed<I extends HitId> {
  readonly id: I;
  readonly chat: number;
  readonly depth: number;
}

export interface Readable<I extends HitId> {
  readonly id: I;
  /** Of its chat. */
  readonly title: string;
  readonly message: MessageData;
}

/** How much each word of a query counts: rare ones more. @param counts in how many texts each word is */
export function raritiesOf(counts: readonly number[], texts: number): number[] {
  return counts.map((count) => {
    const all = Math.max(texts, count, LEAST_TEXTS);
    return Math.log(1 + (all - count + 0.5) / (count + 0.5));
  });
}

/** How many hits are looked at for as many results. @param words of the query @param isTyping the first that come to hand are enough */
export function lookedAt(
  words: number,
  limit: number,
  isTyping: boolean,
): { readonly placed: number; readonly read: number } {
  if (isTyping) return { placed: Math.max(PLACED_WHILE_TYPING, limit), read: limit };
  const [placed, read] = words === 1 ? [PLACED_OF_ONE, LEAST_READ_OF_ONE] : [PLACED, LEAST_READ];
  return { placed: Math.max(placed, limit), read: Math.max(read, limit) };
}

/** A message with its rank, best first. */
export interface Ranked extends Pick<TextHits, 'snippet'> {
  readonly message: MessageData;
  readonly rank: number;
}

const hasQuestion = /[?？]/u;
const asks = /[?？]\s*$/u;

interface Own<I extends HitId> {
  readonly hit: Hit<I>;
  readonly own: number;
}

/** The ranking of one search. */
export class Ranking<I extends HitId> {
  private readonly averageLength: number;
  /** Made for the first text: often nothing is found, of hundreds of misspellings. */
  private made: HitFinder | undefined;
  /** The best, and what its words make each count. */
  private readonly known = new Map<I, Own<I>>();
  private readonly context = new Map<I, number>();
  private readonly places = new Map<I, Placed<I>>();

  constructor(
    private readonly groups: readonly WordForms[],
    private readonly rarities: readonly number[],
    private readonly hits: readonly Hit<I>[],
    private readonly times: readonly NamedTime[] = [],
  ) {
    this.averageLength = Math.max(
      1,
      hits.reduce((sum, { length }) => sum + length, 0) / Math.max(1, hits.length),
    );
  }

  /**
   * The best by the words they have, and what is found next to the best of them. Of equal ones, those that come first.
   * @param nextTo the messages stored before and after one
   */
  best(count: number, nextTo: (id: I) => readonly I[]): I[] {
    const worths = new Map<number, number>();
    const own = Float64Array.from(this.hits, ({ words, length }) => {
      let worth = worths.get(words);
      if (worth === undefined) {
        worth = this.rarities.reduce((sum, rarity, group) => sum + ((words >>> group) & 1) * rarity, 0);
        worths.set(words, worth);
      }
      return (worth * (SATURATION + 1)) / (1 + SATURATION * this.lengthWeight(length));
    });
    // Sorting numbers alone takes a tenth of the time.
    const least = own.toSorted().at(-count) ?? 0;
    const best: Own<I>[] = [];
    for (const [index, each] of own.entries()) {
      const hit = this.hits[index];
      if (hit && each >= least) best.push({ hit, own: each });
    }
    best.sort((a, b) => b.own - a.own).splice(count);
    const chosen = new Set(best.map(({ hit }) => hit.id));
    const around = new Set(best.slice(0, WITH_NEIGHBORS).flatMap(({ hit }) => nextTo(hit.id)));
    for (const id of chosen) around.delete(id);
    const others = new Map<I, Own<I>>();
    for (const [index, hit] of this.hits.entries())
      if (around.has(hit.id)) others.set(hit.id, { hit, own: own[index] ?? 0 });
    // Those that come first are nearest to the best.
    const next = Array.from(around, (id) => others.get(id) ?? []).flat();
    for (const each of [...best, ...next]) this.known.set(each.hit.id, each);
    return [...this.known.keys()];
  }

  /** Adds what the messages around them and their conversations lend. @returns the best of them */
  inContext(placed: readonly Placed<I>[], count: number): I[] {
    const ofChats = new Map<number, Placed<I>[]>();
    for (const each of placed) {
      this.places.set(each.id, each);
      const known = ofChats.get(each.chat);
      if (known) known.push(each);
      else ofChats.set(each.chat, [each]);
    }
    const ranked = Array.from(ofChats.values(), (inChat) => {
      const lent = CONVERSATION * lentBy(inChat.map(({ id }) => this.ownOf(id)));
      const sorted = inChat.toSorted((a, b) => a.depth - b.depth);
      return sorted.map(({ id }, index) => {
        const context = lent + this.lentByNeighbors(sorted, index);
        this.context.set(id, context);
        return { id, worth: this.ownOf(id) + context };
      });
    }).flat();
    const order = new Map(placed.map(({ id }, index) => [id, index]));
    const byOrder = (a: I, b: I): number => (order.get(a) ?? 0) - (order.get(b) ?? 0);
    return ranked
      .sort((a, b) => b.worth - a.worth || byOrder(a.id, b.id))
      .slice(0, count)
      .map(({ id }) => id);
  }

  /** The words that those near it have, each from where it is nearest, and how much they say together. */
  private lentByNeighbors(sorted: readonly Placed<I>[], index: number): number {
    const of = sorted[index];
    if (!of) return 0;
    const own = this.known.get(of.id)?.hit.words ?? 0;
    const passage = [this.ownOf(of.id)];
    const nearest = this.rarities.map(() => Infinity);
    const look = (step: 1 | -1): void => {
      for (let at = index + step; ; at += step) {
        const other = sorted[at];
        const apart = Math.abs((other?.depth ?? Infinity) - of.depth);
        if (!other || apart > NEIGHBORS) return;
        // Another version of the same message.
        if (apart === 0) continue;
        passage.push(this.ownOf(other.id));
        const words = this.known.get(other.id)?.hit.words ?? 0;
        for (const [group, known] of nearest.entries())
          if ((words >>> group) & 1 && apart < known) nearest[group] = apart;
      }
    };
    look(1);
    look(-1);
    const lent = nearest.reduce((sum, apart, group) => {
      const share = (own >>> group) & 1 ? AGAIN : 1;
      return sum + share * NEIGHBOR_FADES ** (apart - 1) * (this.rarities[group] ?? 0);
    }, 0);
    return NEIGHBOR * lent + PASSAGE * lentBy(passage);
  }

  /** Ranks messages by their texts. @param texts those of the best so far, in their order */
  byText(texts: readonly Readable<I>[]): Ranked[] {
    let left = MAX_READ;
    const lentByTime = this.lentByTime(texts);
    const titles = new Map<string, number>();
    const asked = new Map<string, number>();
    const read = texts.map(({ id, title, message }) => {
      const text = visibleText(message);
      const isRead = left > 0 || text.length <= LEAST_LENGTH;
      const found = this.finder.find(isRead ? text : text.slice(0, LEAST_LENGTH));
      left -= text.length;
      // What is known without the text counts where it was not read to its end.
      const ofText = this.worthOf(found, this.known.get(id)?.hit.length ?? 1);
      const worth = isRead ? ofText : Math.max(ofText, this.ownOf(id));
      if (hasQuestion.test(text)) asked.set(this.placeOf(id, 0), worth);
      const named = titles.get(title) ?? this.titleWorth(title);
      titles.set(title, named);
      const own = worth * (message.name === 'user' ? QUESTION : asks.test(text) ? ASKING_BACK : 1);
      const lent = TITLE * named + lentByTime(message) + (this.context.get(id) ?? 0);
      return { id, message, found, rank: own + lent };
    });
    return read
      .map(({ id, message, found: { snippet }, rank }): Ranked => {
        const question = asked.get(this.placeOf(id, -1)) ?? 0;
        return { message, snippet, rank: rank + ASKED * question };
      })
      .sort((a, b) => b.rank - a.rank || newestFirst(a.message, b.message));
  }

  /** Of each time as of a word: the fewer messages are of it, the more it says. */
  private lentByTime(texts: readonly Readable<I>[]): (message: MessageData) => number {
    const counts = this.times.map(
      (time) => texts.filter(({ message }) => isSaidAt(message.createdAt, time)).length,
    );
    const rarities = raritiesOf(counts, texts.length);
    return ({ createdAt }) =>
      TIME *
      Math.max(
        0,
        ...this.times.map((time, index) => (isSaidAt(createdAt, time) ? (rarities[index] ?? 0) : 0)),
      );
  }

  private placeOf(id: I, step: number): string {
    const place = this.places.get(id);
    return place ? `${place.chat} ${place.depth + step}` : '';
  }

  /** By BM25, and more where words stand near each other, in the order of the query most. */
  private worthOf({ weights, placed }: TextHits, length: number): number {
    const near = new Map<number, number>();
    if (weights.size > 1)
      for (const [index, hit] of placed().entries()) this.offerNear(near, hit, placed(), index);
    const weight = this.lengthWeight(length);
    let worth = 0;
    let whole = 0;
    let had = 0;
    for (const [group, rarity] of this.rarities.entries()) {
      const count = weights.get(group) ?? 0;
      whole += rarity;
      if (count > 0) had += rarity;
      worth += (rarity * count * (SATURATION + 1)) / (count + SATURATION * weight);
    }
    for (const each of near.values()) worth += NEAR * each;
    return whole > 0 ? worth * (1 - ALL_WORDS + ALL_WORDS * (had / whole)) : worth;
  }

  private offerNear(near: Map<number, number>, hit: TextHit, hits: readonly TextHit[], index: number): void {
    for (let next = index + 1; next < hits.length; next++) {
      const other = hits[next];
      const apart = (other?.place ?? Infinity) - hit.place - hit.length + 1;
      if (!other || apart > NEAR_WORDS) return;
      if (other.group === hit.group) continue;
      const isInOrder = other.group > hit.group;
      const pair = Math.min(hit.group, other.group) * 32 + Math.max(hit.group, other.group);
      const rarity = Math.min(this.rarities[hit.group] ?? 0, this.rarities[other.group] ?? 0);
      const worth = (rarity * (isInOrder ? 1 : 0.7)) / Math.sqrt(Math.max(1, apart));
      if (worth > (near.get(pair) ?? 0)) near.set(pair, worth);
    }
  }

  private get finder(): HitFinder {
    return (this.made ??= new HitFinder(this.groups));
  }

  private ownOf(id: I): number {
    return this.known.get(id)?.own ?? 0;
  }

  private titleWorth(title: string): number {
    if (title === '') return 0;
    const { weights } = this.finder.find(title);
    return Array.from(weights.keys(), (group) => this.rarities[group] ?? 0).reduce(
      (sum, each) => sum + each,
      0,
    );
  }

  private lengthWeight(length: number): number {
    return 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / this.averageLength;
  }
}

function newestFirst(a: MessageData, b: MessageData): number {
  return b.createdAt - a.createdAt || b.depth - a.depth;
}

/** What the best messages of a conversation make it count. */
function lentBy(worths: readonly number[]): number {
  return worths
    .toSorted((a, b) => b - a)
    .slice(0, 6)
    .reduce((sum, worth, index) => sum + worth * 0.7 ** index, 0);
}
