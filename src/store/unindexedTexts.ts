import type { SqlParameter } from './database.ts';

/** The limit keeps SQLite from making one query of the two, in which each text would be made twice: it calls us for it. */
export const indexTexts = `INSERT INTO messageTexts (docid, text)
  SELECT rowid, text FROM (SELECT rowid, text FROM indexedTexts WHERE rowid BETWEEN ? AND ? LIMIT -1)
  WHERE text <> ''`;

/** The statement above, and the one that stood in its place in version 0.1.0. */
const indexing =
  /^INSERT INTO messageTexts \(docid, text\)\s+SELECT rowid, text FROM (\(SELECT rowid, text FROM )?indexedTexts WHERE rowid BETWEEN \? AND \?/;

/** How many texts are brought into the index at once: a few milliseconds of work as a rule. */
const PIECE = 25;

/** Messages by their keys, from the first to the last. */
export interface KeyRange {
  readonly first: number;
  readonly last: number;
}

/** What reads or changes the index; SQLite's own checks compare it with the texts. */
const usesIndex = /\bmessageTexts|\b(?:integrity|quick)_check\b/i;

/** Whether a statement needs the index of words to be whole. New texts only add to it. */
export function needsIndex(sql: string): boolean {
  return usesIndex.test(sql) && !indexing.test(sql);
}

/** The messages whose texts a statement brings into the index; undefined for one that does something else. */
export function textsIndexedBy(sql: string, parameters: readonly SqlParameter[]): KeyRange | undefined {
  if (!indexing.test(sql)) return undefined;
  const [first, last] = parameters;
  return typeof first === 'number' && typeof last === 'number' ? { first, last } : undefined;
}

/** The first of these messages that are brought into the index at once, and what is left then. */
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

/** With a further range, which becomes part of the one before when it follows it. */
export function withRange(ranges: readonly KeyRange[], range: KeyRange): KeyRange[] {
  const before = ranges.at(-1);
  if (before?.last !== range.first - 1) return [...ranges, range];
  return [...ranges.slice(0, -1), { first: before.first, last: range.last }];
}
