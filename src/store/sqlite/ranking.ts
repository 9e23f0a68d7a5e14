/** How quickly further hits of the same words count less, and how much long texts do: both the usual values. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

export interface TextSizes {
  readonly count: number;
  /** In words. */
  readonly averageLength: number;
}

/** Statistics of all texts needed for ranking; the same for each hit of a query. */
export interface Corpus extends TextSizes {
  /** For each word or phrase of the query: the weight of a hit. */
  readonly rarities: readonly number[];
}

/** Of FTS4's `matchinfo(…, 'x')`, for each word or phrase: hits in this text, hits in all, and number of texts. */
const FIGURES = 3;

/** @param sizes FTS4's statistics of a table with one column: the number of texts and of words */
export function readSizes(sizes: Uint8Array): TextSizes {
  const [count = 0, words = 0] = readNumbers(sizes);
  // Rounded as FTS4 does it.
  return { count, averageLength: count > 0 ? Math.floor((words + Math.floor(count / 2)) / count) : 0 };
}

/** @param matchInfos FTS4's `matchinfo(…, 'x')` of `texts` hits, one after the other */
export function readCorpus(sizes: TextSizes, matchInfos: Uint8Array, texts: number): Corpus {
  const phrases = matchInfos.byteLength / (4 * FIGURES * texts);
  const textsWith = Array.from({ length: phrases }, (_, index) => numberAt(matchInfos, index * FIGURES + 2));
  const rarities = textsWith.map((count) => Math.log(1 + (sizes.count - count + 0.5) / (count + 0.5)));
  return { ...sizes, rarities };
}

/**
 * By BM25: hits of rare words count more, and those in short texts.
 * @param index of the text among those of `matchInfos`
 * @param length of the text, in words
 */
export function bm25(
  { averageLength, rarities }: Corpus,
  matchInfos: Uint8Array,
  index: number,
  length: number,
): number {
  const weight = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / Math.max(1, averageLength);
  let score = 0;
  let at = index * rarities.length * FIGURES;
  for (const rarity of rarities) {
    const hits = numberAt(matchInfos, at);
    score += (rarity * hits * (SATURATION + 1)) / (hits + SATURATION * weight);
    at += FIGURES;
  }
  return score;
}

/** Consecutive numbers as FTS4 writes them: seven bits a byte, the lowest first. */
export function readNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  let factor = 1;
  for (const byte of bytes) {
    number += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
    factor = 1;
  }
  return numbers;
}

/** A number of `matchinfo`, in the byte order of WebAssembly. Views of so few bytes cost more than reading them. */
function numberAt(bytes: Uint8Array, index: number): number {
  let number = 0;
  for (let at = index * 4 + 3; at >= index * 4; at--) number = (number << 8) | (bytes[at] ?? 0);
  return number >>> 0;
}

export interface Ranked {
  readonly key: number;
  readonly rank: number;
}

/** Keeps the best of many without storing all. Of equals, the one with the greater key, which is newer. */
export class Best {
  private kept: Ranked[] = [];
  private least: Ranked = { key: -Infinity, rank: -Infinity };

  constructor(private readonly limit: number) {}

  offer(key: number, rank: number): void {
    if (rank < this.least.rank || (rank === this.least.rank && key < this.least.key)) return;
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
    if (this.kept.length === this.limit) this.least = this.kept.at(-1) ?? this.least;
  }
}
