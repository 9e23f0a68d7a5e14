import type { Database as SqlDatabase } from 'sql.js';
import type { SqlValue } from './database.ts';

// sql.js copies a text returned by a JavaScript function, and the text of an error it throws, to the stack of
// SQLite's module, which is 5 MiB. A longer text overwrites other memory, and SQLite becomes unusable for the whole
// process. Bytes are copied to the heap, and SQLite accepts them as text. All functions are made here, so that no
// result can be returned the other way. (Parameters, SQL and results of queries use the heap anyway.)

/** In UTF-16 units, each of which is three bytes at most: far from filling the stack. */
const MAX_ON_STACK = 16_384;
const MAX_ERROR = 1_000;

const encoder = new TextEncoder();

export function addFunction(
  database: SqlDatabase,
  name: string,
  compute: (first: SqlValue, second: SqlValue) => string,
): void {
  // eslint-disable-next-line no-restricted-syntax -- the one place where functions are made
  database.create_function(name, (first: SqlValue, second: SqlValue) => {
    try {
      return offTheStack(compute(first, second));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new Error(message.slice(0, MAX_ERROR), { cause });
    }
  });
}

function offTheStack(text: string): string | Uint8Array {
  return text.length <= MAX_ON_STACK ? text : encoder.encode(text);
}
