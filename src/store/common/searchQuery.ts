import { isUnspaced, splitWords } from './searchText.ts';

/** A condition for finding a text: consecutive words; the last one may be a prefix. */
export interface Term {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** What a query asks for besides its words. */
export interface SearchFilters {
  /** Parts of titles of chats, in lower case. */
  readonly titles: readonly string[];
  /** Who said it: `user`, `assistant`, or the name of a user. */
  readonly authors: readonly string[];
  /** Parts of paths of files, in lower case. */
  readonly files: readonly string[];
  readonly before: number | undefined;
  readonly since: number | undefined;
}

export interface SearchQuery {
  /** Any of them may stand in a text. */
  readonly words: readonly Term[];
  /** Phrases: each stands in every text that is found. */
  readonly required: readonly Term[];
  readonly excluded: readonly Term[];
  readonly filters: SearchFilters;
}

/** The maximum number of words used from a query. */
const MAX_WORDS = 64;
/** The maximum length read of a query, in UTF-16 units: a longer one was pasted. */
const MAX_QUERY_LENGTH = 20_000;
/** What is longer is a text and has no operators: `-v` in it is an option of a command. */
const MAX_WITH_OPERATORS = 300;
/** The maximum number of filters of a kind. */
const MAX_FILTERS = 8;

/** Shorter beginnings stand in nearly every text: among other words, they are read as whole words. */
const LEAST_BEGINNING = 3;

const pieces = /(?:(-)(?=["\p{L}\p{N}]))?(?:(in|by|file|before|since):)?(?:"([^"]*)("|$)|([^\s"]+))/giu;

const unfinished = /^-?(?:in|by|file|before|since):$/iu;

/**
 * Reads a user's query: `"…"` is a phrase that must stand there, `-word` one that must not; `in:`, `by:`, `file:`,
 * `before:` and `since:` limit the messages. The last word also matches as a prefix, as does a word with a `*`. All
 * other punctuation is ignored.
 */
export function readQuery(query: string): SearchQuery {
  const text = query.slice(0, MAX_QUERY_LENGTH).trimEnd();
  const hasOperators = text.length <= MAX_WITH_OPERATORS;
  const words: (Term & { readonly isMarked: boolean })[] = [];
  const required: Term[] = [];
  const excluded: Term[] = [];
  const filters: ReadFilters = { titles: [], authors: [], files: [], before: undefined, since: undefined };
  let count = 0;
  for (const match of text.matchAll(pieces)) {
    // Splitting what else was pasted takes longer than finding its first words.
    if (count >= MAX_WORDS && !hasOperators) break;
    const [source, minus, filter, phrase, end] = match;
    const bare = match[5] ?? '';
    // It is still being typed.
    if (hasOperators && unfinished.test(bare)) continue;
    const operand = phrase ?? bare;
    if (hasOperators && filter !== undefined && minus === undefined) {
      if (takeFilter(filters, filter.toLowerCase(), operand)) continue;
    }
    // What is no operator after all is read with what stands before it.
    const whole = phrase ?? (filter !== undefined || !hasOperators ? source : bare);
    const found = splitWords(whole).slice(0, MAX_WORDS - count);
    count += found.length;
    if (found.length === 0) continue;
    const isLast = match.index + source.length === text.length;
    if (hasOperators && minus !== undefined) {
      // A word that is still being typed excludes nothing but itself.
      excluded.push({ words: found, isPrefix: source.endsWith('*') });
    } else if (phrase !== undefined) {
      // An unclosed quotation mark is still being typed.
      required.push({ words: found, isPrefix: end === '' });
    } else {
      const isMarked = source.endsWith('*');
      words.push(...termsOf(whole, found, isMarked || isLast).map((term) => ({ ...term, isMarked })));
    }
  }
  return {
    words: distinct(words.length + required.length > 1 ? words.map(withoutShortBeginning) : words),
    required: distinct(required),
    excluded: distinct(excluded),
    filters,
  };
}

export function hasFilters({ titles, authors, files, before, since }: SearchFilters): boolean {
  return titles.length + authors.length + files.length > 0 || before !== undefined || since !== undefined;
}

/** `foo-bar` is two adjacent words for the index; of a run of signs without spaces, any two adjacent ones may match. */
function termsOf(source: string, words: readonly string[], isPrefix: boolean): Term[] {
  // Of `Zoë's`, `l'ami` and `isn't`, the short part at the apostrophe says nothing.
  const said = /[’']/u.test(source) ? words.filter(({ length }) => length > 2) : [];
  if (said.length > 0 && said.length < words.length)
    return said.map((each) => ({ words: [each], isPrefix: isPrefix && each === words.at(-1) }));
  const terms: Term[] = [];
  let run: string[] = [];
  let rest: string[] = [];
  const endRun = (): void => {
    if (run.length === 1) terms.push({ words: run, isPrefix: false });
    for (const index of run.slice(1).keys())
      terms.push({ words: run.slice(index, index + 2), isPrefix: false });
    run = [];
  };
  const endRest = (isEnd: boolean): void => {
    if (rest.length > 0) terms.push({ words: rest, isPrefix: isEnd && isPrefix });
    rest = [];
  };
  for (const each of words) {
    if (isUnspaced(each)) {
      endRest(false);
      run.push(each);
    } else {
      endRun();
      rest.push(each);
    }
  }
  endRun();
  endRest(true);
  return terms;
}

function withoutShortBeginning(term: Term & { readonly isMarked: boolean }): Term {
  const isShort = (term.words.at(-1) ?? '').length < LEAST_BEGINNING;
  return isShort && !term.isMarked ? { ...term, isPrefix: false } : term;
}

interface ReadFilters extends SearchFilters {
  readonly titles: string[];
  readonly authors: string[];
  readonly files: string[];
  before: number | undefined;
  since: number | undefined;
}

/** @returns whether it is one */
function takeFilter(filters: ReadFilters, name: string, operand: string): boolean {
  const value = operand.trim().toLowerCase();
  if (value === '') return true;
  const add = (list: string[], each: string): boolean => {
    if (list.length < MAX_FILTERS) list.push(each);
    return true;
  };
  switch (name) {
    case 'in':
      return add(filters.titles, value);
    case 'by':
      return add(filters.authors, authorOf(value));
    case 'file':
      return add(filters.files, value);
    default: {
      const time = timeOf(value);
      if (time === undefined) return false;
      if (name === 'before') filters.before = time;
      else filters.since = time;
      return true;
    }
  }
}

function authorOf(value: string): string {
  if (['me', 'user', 'question', 'questions'].includes(value)) return 'user';
  return ['assistant', 'agent', 'model', 'ai', 'answer', 'answers'].includes(value) ? 'assistant' : value;
}

/** The beginning of a day, a month or a year, where the user is. */
function timeOf(value: string): number | undefined {
  const [, year, month = '1', day = '1'] = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/u.exec(value) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31)
    return undefined;
  return new Date(Number(year), Number(month) - 1, Number(day)).getTime();
}

function distinct(terms: readonly Term[]): Term[] {
  return [
    ...new Map(terms.map((term) => [`${term.words.join(' ')}${term.isPrefix ? '*' : ''}`, term])).values(),
  ];
}
