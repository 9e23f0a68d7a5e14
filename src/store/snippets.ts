import type { Reader } from './database.ts';
import { integer, text } from './rows.ts';
import { HIT_END, HIT_START, shownText } from '../storing/searchText.ts';

/** How many words of a text a snippet shows. */
const SNIPPET_WORDS = 24;

const snippetOf = (table: string): string =>
  `SELECT docid AS key, snippet(${table}, '${HIT_START}', '${HIT_END}', '…', 0, ${SNIPPET_WORDS}) AS snippet
    FROM ${table} WHERE ${table} MATCH ?`;
const fromIndex = `${snippetOf('messageTexts')} AND docid IN (SELECT value FROM json_each(?))`;

// A temporary table is not part of the database: neither a file nor a journal contains it.
const create = `CREATE VIRTUAL TABLE IF NOT EXISTS temp.foundTexts
  USING fts4(text, tokenize=unicode61, matchinfo=fts3)`;
/** The limit keeps SQLite from merging the two queries, which would build each text twice. */
const fill = `INSERT INTO temp.foundTexts (docid, text)
  SELECT rowid, text FROM (SELECT rowid, text FROM indexedTexts
    WHERE rowid IN (SELECT value FROM json_each(?)) LIMIT -1)`;
const fromFound = snippetOf('foundTexts');

/** The marks around hits in a snippet. */
export type Marks = readonly [start: string, end: string];

/** The input for snippets. */
export interface Found {
  readonly expression: string;
  readonly keys: readonly number[];
  /** The total number of words in the texts. */
  readonly words: number;
  /** A lower bound for the number of texts the expression finds; these are among them. */
  readonly hits: number;
}

/**
 * Snippets of texts around the hits, by key. Even for a few texts, the index goes through all hits; if those are more
 * than the texts have words, building an index of these texts alone is faster.
 */
export function readSnippets(reader: Reader, found: Found, [start, end]: Marks): Map<number, string> {
  const keys = JSON.stringify(found.keys);
  const rows =
    found.words < found.hits
      ? readFromFound(reader, found.expression, keys)
      : reader.all(fromIndex, [found.expression, keys]);
  return new Map(
    rows.map((row) => {
      const snippet = shownText(text(row, 'snippet'));
      return [integer(row, 'key'), snippet.replaceAll(HIT_START, start).replaceAll(HIT_END, end)];
    }),
  );
}

function readFromFound(reader: Reader, expression: string, keys: string): ReturnType<Reader['all']> {
  reader.all(create);
  reader.all('SAVEPOINT found');
  try {
    reader.all(fill, [keys]);
    return reader.all(fromFound, [expression]);
  } finally {
    // Rolling back costs less than deleting, and less than writing the index.
    reader.all('ROLLBACK TO found');
    reader.all('RELEASE found');
  }
}
