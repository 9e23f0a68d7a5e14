import type { SearchOptions, SearchResult } from '../../engine/store.ts';
import { lookedAt, raritiesOf, Ranking, WITH_NEIGHBORS, type Hit, type Placed } from '../common/ranking.ts';
import { hasFilters, type SearchFilters } from '../common/searchQuery.ts';
import {
  MAX_UNKNOWN,
  mayBeMisspelled,
  misspellings,
  readWanted,
  type Wanted,
  type WordForms,
} from '../common/wordForms.ts';
import type { StoreAccess } from './storeAccess.ts';
import { messageOf, type MessageRow } from './wire.ts';
import { queryOf } from './words.ts';

const DEFAULT_LIMIT = 50;
/** The maximum number of ranked hits: the newest. Several words share it. */
const MAX_RANKED = 10_000;
const LEAST_OF_A_WORD = 1_000;

interface Where {
  readonly chatId?: string;
  readonly userId?: string | undefined;
}

/** Best first, and for equal rank the newest first. */
export async function search(
  store: StoreAccess,
  where: Where,
  query: string,
  options: SearchOptions,
): Promise<SearchResult[]> {
  const { isTyping = false } = options;
  const wanted = await readWanted(query, isTyping);
  const limit = Math.max(0, Math.floor(options.limit ?? DEFAULT_LIMIT));
  const isListed = wanted.groups.length === 0;
  if (limit === 0 || (isListed && !hasFilters(wanted.filters))) {
    // A missing chat is reported as an error anyway.
    if (where.chatId !== undefined) await store.value('get_sharing($1)', [where.chatId]);
    return [];
  }
  const found = await findHits(store, where, wanted, options, limit);
  const { groups, counts, texts, placed, hits } = found;
  const rarities = raritiesOf(counts, texts);
  // A filter may leave out what is next to a hit.
  const isLimited = where.chatId !== undefined || wanted.required.length > 0 || hasFilters(wanted.filters);
  if (found.hasFurther && !isLimited && (options.roles ?? []).length === 0) {
    const best = new Ranking(groups, rarities, [...hits.values()]).best(WITH_NEIGHBORS, () => []);
    await addNextTo(store, best, wanted, found);
  }
  const ranking = new Ranking(groups, rarities, [...hits.values()], wanted.times);
  const most = lookedAt(groups.length, limit, isTyping);
  const best = ranking.inContext(
    ranking.best(most.placed, nextTo).flatMap((id) => placed.get(id) ?? []),
    most.read,
  );
  return ranking
    .byText(await readMessages(store, best))
    .slice(0, limit)
    .map(({ message, rank, snippet }) => ({ message, rank, snippet: snippet(options.marks ?? ['[', ']']) }));
}

interface Found {
  readonly groups: WordForms[];
  readonly counts: number[];
  readonly texts: number;
  readonly hits: Map<string, Hit<string>>;
  readonly placed: Map<string, Placed<string>>;
  /** Whether a word is in more messages than these. */
  readonly hasFurther: boolean;
}

async function findHits(
  store: StoreAccess,
  where: Where,
  wanted: Wanted,
  { roles = [], isTyping = false }: SearchOptions,
  limit: number,
): Promise<Found> {
  const isListed = wanted.groups.length === 0;
  const share = Math.floor(MAX_RANKED / Math.max(1, wanted.groups.length));
  const most = isListed ? limit : Math.max(LEAST_OF_A_WORD, share);
  const find = (words: readonly string[]): Promise<HitsRow[]> =>
    store.rows<HitsRow>('search_hits($1, $2, $3, $4, $5, $6, $7)', [
      where.chatId ?? null,
      where.userId ?? null,
      words,
      wanted.required.map((term) => queryOf([term])).filter((each) => each !== ''),
      queryOf(wanted.excluded),
      filtersJson(wanted.filters, roles),
      most,
    ]);
  const rows = await find(wanted.groups.map(queryOf));
  const known = new Set(rows.map(({ word }) => word));
  const groups = [...wanted.groups];
  const isCorrected = !isTyping && mayBeMisspelled(groups.length, known.size);
  const unknown = Array.from(isCorrected ? wanted.groups.entries() : [])
    .filter(([word]) => !known.has(word))
    .map(([word, forms]) => ({ word, forms, others: misspellings(forms) }))
    .filter(({ others }) => others.length > 0)
    .slice(0, MAX_UNKNOWN);
  for (const { word, forms, others } of unknown) {
    const [row] = await find([queryOf(others)]);
    if (row) rows.push({ ...row, word });
    groups[word] = [...forms, ...others];
  }
  const counts = groups.map((_, word) => rows.find((row) => row.word === word)?.counted ?? 0);
  const hits = new Map<string, Hit<string>>();
  const placed = new Map<string, Placed<string>>();
  for (const row of rows) addHits(row, isListed, hits, placed);
  const hasFurther = rows.some(({ counted, keys }) => {
    const { length } = numbersOf(keys);
    // What begins with a word may be in more messages than the server estimates.
    return length === most || counted > length;
  });
  return { groups, counts, texts: rows[0]?.texts ?? 0, hits, placed, hasFurther };
}

interface HitsRow {
  readonly word: number;
  readonly chats: string;
  readonly keys: string;
  readonly depths: string;
  readonly lengths: string;
  readonly counted: number;
  readonly texts: number;
}

function addHits(
  { word, ...row }: HitsRow,
  isListed: boolean,
  hits: Map<string, Hit<string>>,
  placed: Map<string, Placed<string>>,
): void {
  const [chats, keys, depths, lengths] = [row.chats, row.keys, row.depths, row.lengths].map(numbersOf);
  for (const [index, key] of (keys ?? []).entries()) {
    const chat = chats?.[index] ?? 0;
    const id = `${chat} ${key}`;
    const words = isListed ? 0 : 1 << word;
    const known = hits.get(id);
    hits.set(id, { id, words: words | (known?.words ?? 0), length: lengths?.[index] ?? 1 });
    if (!known) placed.set(id, { id, chat, depth: depths?.[index] ?? 0 });
  }
}

interface NextToRow {
  readonly chat: number;
  readonly key: number;
  readonly depth: number;
  readonly word_count: number;
  readonly found: number;
}

/** Words that are too frequent to be looked for alone, next to the best hits: the answer to a question that was found. */
async function addNextTo(
  store: StoreAccess,
  ids: readonly string[],
  { excluded }: Wanted,
  { groups, hits, placed }: Found,
): Promise<void> {
  const [chats, keys] = placesOf(ids);
  const words = groups.map(queryOf);
  const rows = await store.rows<NextToRow>('search_next_to($1, $2, $3, $4)', [
    chats,
    keys,
    words,
    queryOf(excluded),
  ]);
  for (const { chat, key, depth, word_count: length, found } of rows) {
    if (found === 0) continue;
    const id = `${chat} ${key}`;
    hits.set(id, { id, words: found | (hits.get(id)?.words ?? 0), length });
    placed.set(id, { id, chat, depth });
  }
}

function nextTo(id: string): string[] {
  const [chat, key] = id.split(' ').map(Number);
  return [-1, 1].map((step) => `${chat ?? 0} ${(key ?? 0) + step}`);
}

function placesOf(ids: readonly string[]): [chats: unknown[], keys: unknown[]] {
  const places = ids.map((id) => id.split(' '));
  return [places.map(([chat]) => chat), places.map(([, key]) => key)];
}

/** An array of numbers as PostgreSQL writes it. */
function numbersOf(array: string): number[] {
  return array === '{}' ? [] : array.slice(1, -1).split(',').map(Number);
}

function filtersJson(
  { titles, authors, files, before, since }: SearchFilters,
  roles: readonly string[],
): string {
  const given = <T>(values: readonly T[]): readonly T[] | undefined =>
    values.length > 0 ? values : undefined;
  return JSON.stringify({
    roles: given(roles),
    titles: given(titles),
    authors: given(authors),
    // As they stand in JSON.
    files: given(files.map((file) => JSON.stringify(file).slice(1, -1))),
    before,
    since,
  });
}

type FoundRow = MessageRow & {
  readonly chat_id: string;
  readonly chat: number;
  readonly title: string | null;
};

async function readMessages(store: StoreAccess, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await store.rows<FoundRow>('search_messages($1, $2)', placesOf(ids));
  return rows.map((row) => ({
    id: `${row.chat} ${row.key}`,
    title: row.title ?? '',
    message: messageOf(row, row.chat_id),
  }));
}
