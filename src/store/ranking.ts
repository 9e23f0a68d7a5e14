/** How fast more hits of the same words come to count less, and how much a long text counts less (both as is usual). */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * How well a text answers a query, by BM25: hits of rare words count more, and those in short texts.
 * @param matchInfo what FTS4's `matchinfo(…, 'pcnalx')` says of the text, for a table of one column
 */
export function bm25(matchInfo: Uint8Array): number {
  const { byteLength, byteOffset, buffer } = matchInfo;
  const numbers = new Uint32Array(buffer, byteOffset, byteLength / 4);
  const [phrases = 0, , texts = 0, averageLength = 0, length = 0] = numbers;
  const weight = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / Math.max(1, averageLength);
  let score = 0;
  for (let phrase = 0; phrase < phrases; phrase++) {
    const hits = numbers[5 + phrase * 3] ?? 0;
    const textsWithHits = numbers[7 + phrase * 3] ?? 0;
    const rarity = Math.log(1 + (texts - textsWithHits + 0.5) / (textsWithHits + 0.5));
    score += (rarity * hits * (SATURATION + 1)) / (hits + SATURATION * weight);
  }
  return score;
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
