import type { SqlParameter, SqlValue } from './database.ts';

// sql.js writes a text into SQLite's memory character by character, after counting its bytes twice; bytes it copies
// at once. Long texts are passed as bytes that the statement converts to text, which takes a fifth of the time.

/** The length in UTF-16 units from which another statement pays off. */
const LONG = 256;

/** A parameter, or a quoted text, which may contain a question mark. */
const placeholder = /'[^']*'|"[^"]*"|\?/g;
/** Statements with numbered or named parameters are left unchanged. */
const named = /\?\d|[:@$]\w/;

const encoder = new TextEncoder();

/** Which parameters are long texts, one bit for each. */
export function longTexts(parameters: readonly SqlParameter[]): number {
  let found = 0;
  for (let index = 0; index < parameters.length && index < 31; index++) {
    const value = parameters[index];
    // sql.js keeps a lone surrogate as it is; it would be lost in UTF-8.
    if (typeof value === 'string' && value.length >= LONG && value.isWellFormed()) found |= 1 << index;
  }
  return found;
}

/** The statement that converts bytes to text for these parameters; undefined when it cannot. */
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
 * @param room a buffer for texts converted to bytes while they fit: allocating each takes longer than the rest
 */
export function asBytes(
  parameters: readonly SqlParameter[],
  long: number,
  room: Uint8Array<ArrayBuffer>,
): SqlValue[] {
  let used = 0;
  return parameters.map((each, index) => {
    if (typeof each !== 'string' || !isOneOf(long, index)) return each;
    // A UTF-16 unit takes three bytes at most.
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
