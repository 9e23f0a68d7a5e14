import type { SqlParameter } from './database.ts';

/** The limit keeps SQLite from merging the two queries, which would call our function twice for each text. */
export const indexTexts = `INSERT INTO messageTexts (docid, text)
  SELECT rowid, text FROM (SELECT rowid, text FROM indexedTexts WHERE rowid BETWEEN ? AND ? LIMIT -1)
  WHERE text <> ''`;

/** The statement above, and its predecessor in version 0.1.0. */
const indexing =
  /^INSERT INTO messageTexts \(docid, text\)\s+SELECT rowid, text FROM (\(SELECT rowid, text FROM )?indexedTexts WHERE rowid BETWEEN \? AND \?/;

/** How many texts are indexed at once: usually a few milliseconds of work. */
const PIECE = 25;

export interface KeyRange {
  readonly first: number;
  readonly last: number;
}

/** Statements that read or change the index; SQLite's own checks compare it with the texts. */
const usesIndex = /\bmessageTexts|\b(?:integrity|quick)_check\b/i;

/** Whether a statement needs a complete word index. New texts only add to it. */
export function needsIndex(sql: string): boolean {
  return usesIndex.test(sql) && !indexing.test(sql);
}

/** Undefined for any other statement. */
export function textsIndexedBy(sql: string, parameters: readonly SqlParameter[]): KeyRange | undefined {
  if (!indexing.test(sql)) return undefined;
  const [first, last] = parameters;
  return typeof first === 'number' && typeof last === 'number' ? { first, last } : undefined;
}

export function nextPiece(
  ranges: readonly KeyRange[],
): { readonly piece: KeyRange; readonly rest: readonly KeyRange[] } | undefined {
  const [range, ...others] = ranges;
  if (!range) return undefined;
  const { first, last } = range;
  if (last < first + PIECE) return { piece: range, rest: others };
  return {
    piece: { first, last: first + PIECE - 1 },
    rest: [{ first: first + PIECE, last }, ...others],
  };
}

export function withRange(ranges: readonly KeyRange[], range: KeyRange): KeyRange[] {
  const before = ranges.at(-1);
  if (before?.last !== range.first - 1) return [...ranges, range];
  return [...ranges.slice(0, -1), { first: before.first, last: range.last }];
}
