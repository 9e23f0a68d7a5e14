/** How fast more hits of the same words come to count less, and how much a long text counts less (both as is usual). */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** What ranking has to know of all texts; the same for each hit of a query. */
export interface Corpus {
  /** In words. */
  readonly averageLength: number;
  /** Of each word or phrase of the query: how many texts have it. */
  readonly textsWith: readonly number[];
  /** Of each of them: how much a hit of it says. */
  readonly rarities: readonly number[];
}

/** @param matchInfo what FTS4's `matchinfo(…, 'pcnax')` says of any hit, for a table of one column */
export function readCorpus(matchInfo: Uint8Array): Corpus {
  const [phrases = 0, , texts = 0, averageLength = 0, ...counts] = numbersIn(matchInfo);
  const textsWith = Array.from({ length: phrases }, (_, phrase) => counts[phrase * 3 + 2] ?? 0);
  const rarities = textsWith.map((count) => Math.log(1 + (texts - count + 0.5) / (count + 0.5)));
  return { averageLength, textsWith, rarities };
}

/**
 * How well a text answers a query, by BM25: hits of rare words count more, and those in short texts.
 * @param matchInfo what FTS4's `matchinfo(…, 'y')` says of the text
 * @param length of the text, in words
 */
export function bm25({ averageLength, rarities }: Corpus, matchInfo: Uint8Array, length: number): number {
  const weight = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / Math.max(1, averageLength);
  const hitsOf = numbersIn(matchInfo);
  let score = 0;
  for (const [phrase, rarity] of rarities.entries()) {
    const hits = hitsOf[phrase] ?? 0;
    score += (rarity * hits * (SATURATION + 1)) / (hits + SATURATION * weight);
  }
  return score;
}

/**
 * The words of a text, as FTS4 notes them in its table of sizes: seven bits a byte, the lowest first.
 * @returns undefined when it is no such note
 */
export function readLength(size: Uint8Array): number | undefined {
  let length = 0;
  for (const [index, byte] of size.entries()) {
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length;
  }
  return undefined;
}

function numbersIn({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

export interface Ranked {
  readonly key: number;
  readonly rank: number;
}

/** Keeps the best of many, without keeping the many. Of equals, the one with the greater key, which is newer. */
export class Best {
  private kept: Ranked[] = [];
  private least = -Infinity;

  constructor(private readonly limit: number) {}

  offer(key: number, rank: number): void {
    if (rank < this.least) return;
    this.kept.push({ key, rank });
    if (this.kept.length >= this.limit * 2 + 100) this.prune();
  }

  /** Best first. */
  list(): readonly Ranked[] {
    this.prune();
    return this.kept;
  }

  private prune(): void {
    this.kept = this.kept.sort((a, b) => b.rank - a.rank || b.key - a.key).slice(0, this.limit);
    if (this.kept.length === this.limit) this.least = this.kept.at(-1)?.rank ?? -Infinity;
  }
}
