import { DamagedDataError } from '../../engine/errors.ts';
import type { SearchAllOptions, SearchOptions, SearchResult } from '../../engine/store.ts';
import type { ChatRef } from './chats.ts';
import type { Reader, SqlParameter, SqlRow, SqlValue } from './database.ts';
import { asStoredMessage, messageColumns, selectExtent } from './messages.ts';
import { integer, optionalText, text } from './rows.ts';
import { lookedAt, raritiesOf, Ranking, type Hit, type Placed, type Readable } from '../common/ranking.ts';
import { hasFilters, type SearchFilters, type Term } from '../common/searchQuery.ts';
import {
  MAX_UNKNOWN,
  mayBeMisspelled,
  misspellings,
  sharedBeginnings,
  withoutFound,
  type Wanted,
  type WordForms,
} from '../common/wordForms.ts';

export { readWanted } from '../common/wordForms.ts';

const DEFAULT_LIMIT = 50;

/**
 * The maximum number of ranked hits: the newest. Words found more often are not selective, and ranking all of 100,000
 * hits takes longer than a user who types should wait.
 */
const MAX_RANKED = 20_000;
/** Of several words, which share it: the rarest of them tell most. */
const MAX_OF_SEVERAL = 10_000;
const LEAST_OF_A_WORD = 1_000;
/** Of these while they are typed. */
const MAX_WHILE_TYPING = 3_000;

export function searchChat(
  reader: Reader,
  chat: ChatRef,
  wanted: Wanted,
  options: SearchOptions,
): SearchResult[] {
  const extent = selectExtent(reader, chat);
  if (!extent) return [];
  const { count, least, most } = extent;
  // If all keys in between belong to this chat, the chat of each need not be checked.
  const isAlone = most - least + 1 === count;
  return search(reader, wanted, options, {
    range: [least, most],
    joined: isAlone ? [] : [{ sql: 'm.chatKey = ?', parameters: [chat.key] }],
    messages: count,
  });
}

export function searchAll(reader: Reader, wanted: Wanted, options: SearchAllOptions): SearchResult[] {
  const { userId } = options;
  const isWanted = `trashedAt IS NULL ${userId === undefined ? '' : 'AND userId = ?'}`;
  const parameters = userId === undefined ? [] : [userId];
  // If all chats are wanted, the chat of each message need not be checked.
  const other = reader.getKept(`SELECT 1 AS found FROM chats WHERE NOT (${isWanted}) LIMIT 1`, parameters);
  const inWanted = { sql: `m.chatKey IN (SELECT key FROM chats WHERE ${isWanted})`, parameters };
  return search(reader, wanted, options, {
    range: undefined,
    joined: other ? [inWanted] : [],
    messages: Infinity,
  });
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

interface Scope {
  /** The least and the greatest key. */
  readonly range: readonly [number, number] | undefined;
  /** Conditions on the message `m`. */
  readonly joined: readonly Condition[];
  /** The maximum number of messages in it. */
  readonly messages: number;
}

function search(reader: Reader, wanted: Wanted, options: SearchOptions, scope: Scope): SearchResult[] {
  const limit = Math.max(0, Math.floor(options.limit ?? DEFAULT_LIMIT));
  if (limit === 0) return [];
  const conditions = [
    ...scope.joined,
    ...roleConditions(options),
    ...filterConditions(reader, wanted.filters),
  ];
  const within: Scope = { ...scope, joined: conditions };
  const isListed = wanted.groups.length === 0;
  if (isListed && !hasFilters(wanted.filters)) return [];
  const found = isListed ? selectNewest(reader, within, limit) : selectHits(reader, wanted, within, options);
  const ranking = new Ranking(found.groups, found.rarities, found.hits, wanted.times);
  if (found.hits.length === 0) return [];
  const most = lookedAt(found.groups.length, limit, options.isTyping ?? false);
  const placed = selectPlaces(
    reader,
    ranking.best(most.placed, (key) => [key - 1, key + 1]),
  );
  const best = ranking.inContext(placed, most.read);
  return ranking
    .byText(selectMessages(reader, best))
    .slice(0, limit)
    .map(({ message, rank, snippet }) => ({ message, rank, snippet: snippet(options.marks ?? ['[', ']']) }));
}

function roleConditions({ roles = [] }: SearchOptions): Condition[] {
  return roles.length === 0
    ? []
    : [{ sql: `m.name IN (${roles.map(() => '?').join(', ')})`, parameters: roles }];
}

function filterConditions(reader: Reader, filters: SearchFilters): Condition[] {
  const { titles, authors, files, before, since } = filters;
  return [
    ...titles.map((title) => ({
      sql: 'm.chatKey IN (SELECT value FROM json_each(?))',
      parameters: [JSON.stringify(selectTitled(reader, title))],
    })),
    ...authors.map(authorCondition),
    ...files.map((file) => {
      // As it stands in JSON.
      const part = `%${JSON.stringify(file)
        .slice(1, -1)
        .replaceAll(/[\\%_]/g, '\\$&')}%`;
      return { sql: `(m.effects LIKE ? ESCAPE '\\' OR m.data LIKE ? ESCAPE '\\')`, parameters: [part, part] };
    }),
    ...(before === undefined ? [] : [{ sql: 'm.createdAt < ?', parameters: [before] }]),
    ...(since === undefined ? [] : [{ sql: 'm.createdAt >= ?', parameters: [since] }]),
  ];
}

function authorCondition(author: string): Condition {
  if (author === 'user') return { sql: "m.name = 'user'", parameters: [] };
  if (author === 'assistant') return { sql: "m.name <> 'user'", parameters: [] };
  const ofUser = 'm.chatKey IN (SELECT key FROM chats WHERE userId = ? COLLATE NOCASE)';
  return { sql: `m.name = 'user' AND ${ofUser}`, parameters: [author] };
}

function selectTitled(reader: Reader, title: string): number[] {
  const titled = reader.all('SELECT key, title FROM chats WHERE title IS NOT NULL AND trashedAt IS NULL');
  return titled
    .filter((row) => text(row, 'title').toLowerCase().includes(title))
    .map((row) => integer(row, 'key'));
}

interface Found {
  readonly groups: readonly WordForms[];
  readonly rarities: readonly number[];
  readonly hits: readonly Hit<number>[];
}

/** The number of texts and of words in the index. */
const sizesOfAll = 'SELECT value FROM messageTexts_stat WHERE id = 0';

/** The newest first. */
function selectHits(
  reader: Reader,
  { groups: asked, required, excluded }: Wanted,
  scope: Scope,
  { isTyping = false }: SearchOptions,
): Found {
  const share = Math.floor((isTyping ? MAX_WHILE_TYPING : MAX_OF_SEVERAL) / asked.length);
  const least = isTyping ? share : LEAST_OF_A_WORD;
  const most = asked.length === 1 ? MAX_RANKED : Math.max(least, share);
  const keysOfForms = (forms: WordForms, alike: number): number[] => {
    const known = indexed(reader, forms, alike);
    if (known.length === 0) return [];
    return selectKeys(reader, matchExpression(known, required, excluded), scope, most);
  };
  const keys = asked.map((forms) => keysOfForms(forms, ALIKE_FORMS));
  const groups = [...asked];
  const isKnown = keys.map(({ length }) => length > 0);
  if (!isTyping && mayBeMisspelled(asked.length, isKnown.filter(Boolean).length)) {
    const unknown = [...asked.keys()].filter((group) => isKnown[group] === false).slice(0, MAX_UNKNOWN);
    for (const group of unknown) {
      const others = misspellings(asked[group] ?? []);
      groups[group] = [...(asked[group] ?? []), ...others];
      keys[group] = keysOfForms(others, ALIKE_MISSPELLED);
    }
  }
  if (keys.every(({ length }) => length === 0)) return { groups, rarities: [], hits: [] };
  const hits = joined(reader, keys, isTyping);
  const [texts = 0] = readNumbers(bytes(reader.get(sizesOfAll)?.['value'] ?? null));
  const counts = keys.map((found) => countOf(found, most));
  return { groups, rarities: raritiesOf(counts, Math.min(texts, scope.messages)), hits };
}

/** In how many first letters words are looked for together: forms of one word, and what one may have been meant as. */
const ALIKE_FORMS = 4;
const ALIKE_MISSPELLED = 2;
/** Fewer are looked for one by one. */
const MANY_ALIKE = 8;
const wordsBetween = `SELECT json_group_array(term) AS words FROM messageTextsWords
  WHERE term >= ? AND term < ? AND col = '*'`;

/** The index has such words as they are, but for the letter that ends Greek ones. */
const plainWord = /^[a-zа-яёα-ω]+$/u;

/** Without words that the index does not have, where that is seen of many at once: each one costs a search. @param least how many letters they share */
function indexed(reader: Reader, forms: WordForms, least: number): WordForms {
  const plainOf = ({ words: [word = '', ...more], isPrefix }: Term): string | undefined =>
    more.length === 0 && !isPrefix && plainWord.test(word) ? word.replaceAll('ς', 'σ') : undefined;
  const words = forms.flatMap((form) => plainOf(form) ?? []);
  const missing = new Set<string>();
  for (const beginning of sharedBeginnings(words, least)) {
    const alike = words.filter((word) => word.startsWith(beginning));
    if (alike.length < MANY_ALIKE) continue;
    const row = reader.get(wordsBetween, [beginning, `${beginning}\u{10ffff}`]);
    const found = new Set(row ? (JSON.parse(text(row, 'words')) as string[]) : []);
    for (const word of alike) if (!found.has(word)) missing.add(word);
  }
  return forms.filter((form) => !missing.has(plainOf(form) ?? ''));
}

/** @param keys of each word, against their order @param isTyping of several words, which they are is enough */
function joined(reader: Reader, keys: readonly (readonly number[])[], isTyping: boolean): Hit<number>[] {
  const [only, ...more] = keys;
  if (only && more.length === 0) {
    const lengthOf = selectLengths(reader, only);
    return only.map((id) => ({ id, words: 1, length: lengthOf(id) }));
  }
  const words = new Map<number, number>();
  for (const [group, found] of keys.entries())
    for (const key of found) words.set(key, (words.get(key) ?? 0) | (1 << group));
  const all = Float64Array.from(words.keys()).sort().reverse();
  const lengthOf = isTyping ? () => 1 : selectLengths(reader, all);
  return Array.from(all, (id) => ({ id, words: words.get(id) ?? 0, length: lengthOf(id) }));
}

/** In how many texts a word is; where only the newest were looked at, as many as if it was always as frequent. */
function countOf(keys: readonly number[], most: number): number {
  const [newest = 0, oldest = 0] = [keys[0], keys.at(-1)];
  return keys.length < most ? keys.length : Math.round((most * newest) / (newest - oldest + 1));
}

/** The FTS4 query: words are quoted, so that punctuation is no operator. */
function matchExpression(forms: WordForms, required: readonly Term[], excluded: readonly Term[]): string {
  const any = (terms: readonly Term[]): string => `(${withoutFound(terms).map(quoted).join(' OR ')})`;
  const wanted = any(forms);
  const further = required.map(quoted).filter((each) => wanted !== `(${each})`);
  const all = [wanted, ...further].join(' AND ');
  return excluded.length === 0 ? all : `(${all}) NOT ${any(excluded)}`;
}

function quoted({ words, isPrefix }: Term): string {
  return `"${words.join(' ')}${isPrefix ? '*' : ''}"`;
}

// SQLite returns one long value in half the time of as many rows, and leaves nothing behind to be collected.

/** The newest first. */
function selectKeys(reader: Reader, expression: string, { range, joined }: Scope, most: number): number[] {
  // A cross join, because the word index must always come first.
  const join = joined.length === 0 ? '' : 'CROSS JOIN messages m ON m.key = messageTexts.docid';
  const where = [
    'messageTexts MATCH ?',
    ...(range ? ['messageTexts.docid BETWEEN ? AND ?'] : []),
    ...joined.map(({ sql }) => sql),
  ].join(' AND ');
  const row = reader.get(
    `SELECT json_group_array(key) AS keys FROM (SELECT messageTexts.docid AS key FROM messageTexts ${join}
      WHERE ${where} ORDER BY messageTexts.docid DESC LIMIT ${most})`,
    [expression, ...(range ?? []), ...joined.flatMap(({ parameters }) => parameters)],
  );
  return row ? keysOf(row) : [];
}

/** What filters alone ask for. */
function selectNewest(reader: Reader, { range, joined }: Scope, limit: number): Found {
  const where = [
    "m.type <> 'internal'",
    ...(range ? ['m.key BETWEEN ? AND ?'] : []),
    ...joined.map(({ sql }) => sql),
  ].join(' AND ');
  const row = reader.get(
    `SELECT json_group_array(key) AS keys FROM (SELECT m.key FROM messages m WHERE ${where} ORDER BY m.key DESC LIMIT ?)`,
    [...(range ?? []), ...joined.flatMap(({ parameters }) => parameters), limit],
  );
  const hits = (row ? keysOf(row) : []).map((id) => ({ id, words: 0, length: 1 }));
  return { groups: [], rarities: [], hits };
}

/** Reads the whole key range of the hits, unless they are few and far apart. */
const SPARSE = 3;
const packed = "count(*) AS count, CAST(group_concat(size, '') AS BLOB) AS sizes";
/** SQLite reads a range of keys in their order; a query within this one to say so would cost a sixth more. */
const inRange = 'messageTexts_docsize WHERE docid BETWEEN ? AND ?';
const lengthsBetween = `SELECT ${packed} FROM ${inRange}`;
const keysBetween = `SELECT json_group_array(docid) AS keys FROM ${inRange}`;
const lengthsOf = `SELECT json_group_array(docid) AS keys, ${packed} FROM (SELECT d.docid, d.size
  FROM json_each(?) wanted CROSS JOIN messageTexts_docsize d ON d.docid = wanted.value LIMIT -1)`;

/** FTS4's own function looks up each, which takes most of a search's time. @param keys against their order */
function selectLengths(reader: Reader, keys: ArrayLike<number>): (key: number) => number {
  const [most, least] = [keys[0] ?? 0, keys[keys.length - 1] ?? 0];
  const lengths =
    most - least < keys.length * SPARSE
      ? selectLengthsBetween(reader, least, most)
      : selectLengthsOf(reader, keys);
  return (key) => {
    const length = lengths instanceof Map ? lengths.get(key) : lengths[key - least];
    // A text with a hit has at least one word.
    if (length === undefined || length === 0) throw damagedIndex();
    return length;
  };
}

/** By the distance from the least key. */
function selectLengthsBetween(reader: Reader, least: number, most: number): ArrayLike<number> {
  const found = readLengths(reader.getKept(lengthsBetween, [least, most]));
  if (found.length === most - least + 1) return found;
  // Some keys have no text.
  const row = reader.getKept(keysBetween, [least, most]);
  const lengths = new Float64Array(most - least + 1);
  for (const [index, key] of (row ? keysOf(row) : []).entries()) lengths[key - least] = found[index] ?? 0;
  return lengths;
}

function selectLengthsOf(reader: Reader, keys: ArrayLike<number>): Map<number, number> {
  const row = reader.get(lengthsOf, [JSON.stringify(Array.from(keys))]);
  const found = readLengths(row);
  return new Map((row ? keysOf(row) : []).map((key, index) => [key, found[index] ?? 0]));
}

/** @throws DamagedDataError when one of them is no number of words */
function readLengths(row: SqlRow | undefined): number[] {
  const count = row ? integer(row, 'count') : 0;
  if (!row || count === 0) return [];
  const lengths = readNumbers(bytes(row['sizes'] ?? null));
  if (lengths.length !== count) throw damagedIndex();
  return lengths;
}

/** Consecutive numbers as FTS4 writes them: seven bits a byte, the lowest first. */
function readNumbers(values: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  let factor = 1;
  for (const byte of values) {
    number += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
    factor = 1;
  }
  return numbers;
}

function keysOf(row: SqlRow): number[] {
  return numbersIn(row, 'keys');
}

function numbersIn(row: SqlRow, column: string): number[] {
  // SQLite has written them.
  return JSON.parse(text(row, column)) as number[];
}

function bytes(value: SqlValue): Uint8Array {
  if (!(value instanceof Uint8Array)) throw damagedIndex();
  return value;
}

function damagedIndex(): DamagedDataError {
  return new DamagedDataError('its text index');
}

const places = `SELECT json_group_array(key) AS keys, json_group_array(chatKey) AS chats, json_group_array(depth) AS depths
  FROM (SELECT m.key, m.chatKey, m.depth FROM json_each(?) wanted CROSS JOIN messages m ON m.key = wanted.value LIMIT -1)`;

/** In the order of the keys. */
function selectPlaces(reader: Reader, keys: readonly number[]): Placed<number>[] {
  const row = reader.get(places, [JSON.stringify(keys)]);
  if (!row) return [];
  const [chats, depths] = [numbersIn(row, 'chats'), numbersIn(row, 'depths')];
  return keysOf(row).map((id, index) => ({ id, chat: chats[index] ?? 0, depth: depths[index] ?? 0 }));
}

const messagesByKeys = `SELECT ${messageColumns}, c.id AS chatId, c.title FROM json_each(?) wanted
  CROSS JOIN messages m ON m.key = wanted.value CROSS JOIN chats c ON c.key = m.chatKey ORDER BY wanted.key`;

function selectMessages(reader: Reader, keys: readonly number[]): Readable<number>[] {
  return reader.all(messagesByKeys, [JSON.stringify(keys)]).map((row) => ({
    id: integer(row, 'key'),
    title: optionalText(row, 'title') ?? '',
    message: asStoredMessage(row, text(row, 'chatId')).message,
  }));
}
