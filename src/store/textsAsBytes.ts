import type { SqlParameter, SqlValue } from './database.ts';

// sql.js writes a text into SQLite's memory letter by letter, and counts its bytes twice before; bytes it copies at
// once. Long texts are given as bytes that the statement makes text again, which takes a fifth of the time.

/** From so many UTF-16 units on it is worth another statement. */
const LONG = 256;

/** A parameter, or what looks like one between quotes. */
const placeholder = /'[^']*'|"[^"]*"|\?/g;
/** Statements whose parameters have numbers or names stay as they are. */
const named = /\?\d|[:@$]\w/;

const encoder = new TextEncoder();

/** Which parameters are long texts, a bit for each. */
export function longTexts(parameters: readonly SqlParameter[]): number {
  let found = 0;
  for (let index = 0; index < parameters.length && index < 31; index++) {
    const value = parameters[index];
    // Half of a pair is kept by sql.js as it is, and would be lost in UTF-8.
    if (typeof value === 'string' && value.length >= LONG && value.isWellFormed()) found |= 1 << index;
  }
  return found;
}

/** The statement that makes text of the bytes it is given in the place of long texts; undefined when it cannot. */
export function makingTexts(sql: string, long: number): string | undefined {
  if (named.test(sql)) return undefined;
  let index = 0;
  return sql.replace(placeholder, (found) => {
    if (found !== '?') return found;
    return isOneOf(long, index++) ? 'CAST(? AS TEXT)' : found;
  });
}

/**
 * The parameters of that statement.
 * @param room where texts become bytes as long as they find a place: to make room for each takes longer than the rest
 */
export function asBytes(
  parameters: readonly SqlParameter[],
  long: number,
  room: Uint8Array<ArrayBuffer>,
): SqlValue[] {
  let used = 0;
  return parameters.map((each, index) => {
    if (typeof each !== 'string' || !isOneOf(long, index)) return each;
    // A unit of UTF-16 takes three bytes at most.
    if (used + each.length * 3 > room.byteLength) return encoder.encode(each);
    const { written } = encoder.encodeInto(each, room.subarray(used));
    const bytes = room.subarray(used, used + written);
    used += written;
    return bytes;
  });
}

function isOneOf(long: number, index: number): boolean {
  return index < 31 && (long & (1 << index)) !== 0;
}
