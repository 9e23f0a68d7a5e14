import { namedTimes, type NamedTime } from './namedTimes.ts';
import { readQuery, type SearchFilters, type Term } from './searchQuery.ts';
import { indexWord, withPlainLatin } from './searchText.ts';
import type { Language } from './stemmers.ts';

/** One way in which a word of a query may stand in a text. */
export interface Form extends Term {
  /** How much it counts: 1 as it was typed, less for other forms. */
  readonly weight: number;
}

/** A word of a query, in all its forms. */
export type WordForms = readonly Form[];

/** What a store searches for. */
export interface Wanted {
  /** Any of them may stand in a text, in any of its forms. */
  readonly groups: readonly WordForms[];
  readonly required: readonly Term[];
  readonly excluded: readonly Term[];
  readonly filters: SearchFilters;
  /** What was said at one of these times counts more. */
  readonly times: readonly NamedTime[];
}

/** The maximum number of words looked for. A text with more was pasted: its longest words, the rarest, tell it from others. */
const MAX_GROUPS = 24;
const OF_PASTED = 6;
/** With these, as many as a number has bits. */
const MAX_PHRASES = 7;
/** Beyond this many words, only the typed forms are searched. */
const MAX_WITH_FORMS = 12;
const STEM_WEIGHT = 0.9;
const BEGINNING_WEIGHT = 0.8;
const MISSPELLED_WEIGHT = 0.6;
/** What an answer to a short query of an unknown language may be in. */
const MAX_OF_ANY_LANGUAGE = 3;
/** The shortest word in which a typing error is assumed. */
const LEAST_MISSPELLED = 4;
const MAX_MISSPELLED = 20;
const MAX_WITH_MISSPELLED = 3;
/** The maximum number of unknown words for which misspellings are searched. */
export const MAX_UNKNOWN = 2;

/** @param isTyping words are wanted as they are */
export async function readWanted(query: string, isTyping = false): Promise<Wanted> {
  const { words, required, excluded, filters } = readQuery(query);
  // What a language would tell of a single word is of no use for it as it is.
  if (words.length === 0 || (isTyping && words.length === 1)) {
    const groups = [...words.map((term) => [typed(term)]), ...phrasesOf(required)];
    return { groups, required, excluded, filters, times: [] };
  }
  const { languages } = await import('./stemmers.ts');
  const known = languagesOf(words, languages);
  const telling = words.filter(({ words: [word = '', ...more] }) => {
    return more.length > 0 || !known.some(({ common }) => common.has(withPlainLatin(word)));
  });
  const said = telling.length > 0 ? telling : words;
  const isPlain = isTyping || said.length > MAX_WITH_FORMS;
  const groups = longest(said).map((term) => (isPlain ? [typed(term)] : formsOf(term, known)));
  const times = isPlain ? [] : namedTimes(query, known);
  return { groups: [...groups, ...phrasesOf(required)], required, excluded, filters, times };
}

/** All of them are required; the first also count for the rank. */
function phrasesOf(required: readonly Term[]): WordForms[] {
  return required.slice(0, MAX_PHRASES).map((term) => [typed(term)]);
}

function typed(term: Term): Form {
  return { ...term, weight: 1 };
}

function longest(terms: readonly Term[]): readonly Term[] {
  if (terms.length <= MAX_GROUPS) return terms;
  const byLength = terms.toSorted((a, b) => b.words.join('').length - a.words.join('').length);
  const kept = new Set(byLength.slice(0, OF_PASTED));
  return terms.filter((term) => kept.has(term));
}

/** The first one is what the words are taken for; those of a short query without common words may be of any. */
function languagesOf(terms: readonly Term[], all: readonly Language[]): readonly Language[] {
  const words = terms.flatMap(({ words: [word = ''] }) => withPlainLatin(word));
  const counts = all.map(({ common }) => words.filter((word) => common.has(word)).length);
  const most = Math.max(...counts);
  if (most > 0) return all.filter((_, index) => counts[index] === most).slice(0, 1);
  return words.length <= MAX_OF_ANY_LANGUAGE ? all : all.slice(0, 1);
}

const letters = /^\p{L}{3,40}$/u;
const cyrillic = /\p{Script=Cyrillic}/u;

function formsOf(term: Term, languages: readonly Language[]): WordForms {
  const [word = '', ...more] = term.words;
  const plain = withPlainLatin(word);
  if (more.length > 0 || !letters.test(plain)) return [typed(term)];
  const forms = new Map<string, Form>();
  const add = (form: string, weight: number, isPrefix = false): void => {
    const key = `${form}${isPrefix ? '*' : ''}`;
    if (!forms.has(key)) forms.set(key, { words: [form], isPrefix, weight });
  };
  add(plain, 1);
  for (const { irregular } of languages)
    for (const form of irregular.get(plain) ?? []) add(form, STEM_WEIGHT);
  for (const [index, language] of languages.entries())
    for (const form of inflected(term, plain, language, index === 0)) add(form, STEM_WEIGHT);
  if (term.isPrefix) add(plain, BEGINNING_WEIGHT, true);
  return [...forms.values()];
}

/** Of a language that the word is only perhaps of, what is longer seldom ends what is looked for by a word or two. */
const LONG_ENDING = 3;

/** Words of the same stem; those that the word begins are found by a beginning, for a hundredth of the cost. */
function inflected(
  { isPrefix }: Term,
  word: string,
  { stem, endings }: Language,
  isLikely: boolean,
): string[] {
  const root = stem(word);
  if (root.length < 2) return [];
  const bases = new Set([root, word]);
  const last = root.at(-1) ?? '';
  // `famili` of "families", `stop` of "stopped".
  if (last === 'i') bases.add(root.slice(0, -1));
  else if (isLikely && !/[aeiouy]/u.test(last) && !cyrillic.test(last)) bases.add(root + last);
  if (isPrefix && Array.from(bases).every((base) => base.startsWith(word))) return [];
  const kept =
    isLikely || cyrillic.test(word) ? endings : endings.filter(({ length }) => length < LONG_ENDING);
  const made = Array.from(bases, (base) => kept.map((ending) => base + ending)).flat();
  const isFound = (form: string): boolean => (isPrefix ? form.startsWith(word) : form === word);
  return [...new Set(made)].filter((form) => !isFound(form) && stem(form) === root);
}

/** What finds all of them: what begins as another does needs not be looked for. */
export function withoutFound(terms: readonly Term[]): readonly Term[] {
  const beginnings = terms.filter(({ words, isPrefix }) => isPrefix && words.length === 1);
  const isFound = (term: Term): boolean =>
    beginnings.some((each) => each !== term && (term.words[0] ?? '').startsWith(each.words[0] ?? ''));
  return terms.filter((term) => term.words.length > 1 || !isFound(term));
}

/** Beginnings such that each of the words has one of them: what some begin with if it is at least so long, or a word. */
export function sharedBeginnings(words: readonly string[], least: number): string[] {
  const shared: string[] = [];
  for (const word of words.toSorted()) {
    const last = shared.at(-1);
    if (last === undefined) {
      shared.push(word);
      continue;
    }
    let length = 0;
    while (length < last.length && last[length] === word[length]) length++;
    if (length === last.length) continue;
    if (length >= least) shared[shared.length - 1] = word.slice(0, length);
    else shared.push(word);
  }
  return shared;
}

const alphabets = [
  [/^[a-z]+$/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/^[а-яё]+$/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюяё'],
  [/^[α-ω]+$/u, 'αβγδεζηθικλμνοπρσςτυφχψω'],
] as const;

/** What a word that is nowhere may have been meant as: all that differ from it by one letter. */
export function misspellings(forms: WordForms): WordForms {
  const [form] = forms;
  const [word = '', ...more] = form?.words ?? [];
  const alphabet = alphabets.find(([isOf]) => isOf.test(word))?.[1];
  if (more.length > 0 || word.length < LEAST_MISSPELLED || word.length > MAX_MISSPELLED || !alphabet)
    return [];
  const others = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    const [first = '', second = ''] = after;
    if (first !== '') others.add(before + after.slice(1));
    if (second !== '') others.add(before + second + first + after.slice(2));
    for (const letter of alphabet) {
      others.add(before + letter + after);
      if (first !== '') others.add(before + letter + after.slice(1));
    }
  }
  others.delete(word);
  return Array.from(others, (each) => ({ words: [each], isPrefix: false, weight: MISSPELLED_WEIGHT }));
}

/**
 * Which words of a query may have been typed wrongly: unknown ones of a query of few words, or of one of which nothing
 * is known.
 */
export function mayBeMisspelled(groups: number, known: number): boolean {
  return known === 0 || groups <= MAX_WITH_MISSPELLED;
}

/** The words of a form as a tokenizer reads them. */
export function partsOf({ words }: Term): string[] {
  return words.flatMap((each) => Array.from(each.matchAll(indexWord), ([part]) => part));
}
