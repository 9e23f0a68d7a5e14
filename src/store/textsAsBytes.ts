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

/** What SQLite is given in the place of a statement and its parameters. */
export interface Given {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The same statement with long texts as bytes. */
export function textsAsBytes(sql: string, parameters: readonly SqlParameter[]): Given {
  if (!parameters.some(isLong) || named.test(sql)) return { sql, values: parameters };
  let index = 0;
  const casting = sql.replace(placeholder, (found) => {
    if (found !== '?') return found;
    return isLong(parameters[index++]) ? 'CAST(? AS TEXT)' : found;
  });
  return {
    sql: casting,
    values: parameters.map((each) => (isLong(each) ? encoder.encode(each) : each)),
  };
}

/** Half of a pair is kept by sql.js as it is, and would be lost in UTF-8. */
function isLong(value: SqlParameter | undefined): value is string {
  return typeof value === 'string' && value.length >= LONG && value.isWellFormed();
}
