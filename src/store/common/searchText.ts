// The text that is indexed, and the text of queries. The index's tokenizer (unicode61) treats runs of letters and
// digits as words and everything else as gaps. That loses emoji, and makes one word of a whole sentence in scripts
// without spaces between words, so both are converted to a form it can find.

/** A gap for the tokenizer, invisible to users. */
const GAP = '\u200b';
/** Begins the word that stands for an emoji. It is in the private use area, which the tokenizer treats as letters. */
const EMOJI = '\ue000';
/** Marks the hits of a snippet while it is being made. */
export const HIT_START = '\ue001';
export const HIT_END = '\ue002';

// eslint-disable-next-line no-control-regex -- NUL is what is looked for, and these are all of ASCII but it
const ascii = /^[\x01-\x7f]*$/;
const reserved = /[\0\u200b\ue000-\ue002]/g;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;
const emojiWord = /\ue000([0-9a-f]+)/g;
/** Whether the text can contain any of them; takes a hundredth of the time of searching for them. */
const mayHaveUnspaced = /[\u2e80-\uffff]/;
const mayHaveEmoji = /[\xa9\xae\u203c-\uffff]/;
/** Letters, digits and private use, except signs that were not letters in the tokenizer's Unicode version. */
const word = /[[\p{L}\p{N}\p{Co}]--[\u19b0-\u19c9\u1cf2\u1cf3]]/v;
/** The tokenizer treats later additions to Unicode as letters, so it gets word boundaries; it drops some marks. */
const betweenWords = /[^\p{L}\p{N}\p{Co}\u0300-\u0331\p{ASCII}]+/gu;
/** Definite word separators: all ASCII that is neither letter nor digit, and the gap. */
const separators = /[^\p{L}\p{N}\P{ASCII}]+|\u200b+/u;

/** The maximum number of words used from a query. */
const MAX_WORDS = 64;
/** The maximum length read of a query, in UTF-16 units: a longer one was pasted. */
const MAX_QUERY_LENGTH = 20_000;

export function indexedText(text: string): string {
  if (ascii.test(text)) return text;
  const parted = text
    .toWellFormed()
    .normalize('NFC')
    // SQLite would end the text at a NUL.
    .replaceAll(reserved, ' ')
    .replaceAll(betweenWords, `${GAP}$&${GAP}`);
  const spaced = mayHaveUnspaced.test(parted) ? parted.replaceAll(unspaced, `${GAP}$&${GAP}`) : parted;
  if (!mayHaveEmoji.test(spaced)) return spaced;
  return spaced.replaceAll(emoji, (sign) => `${GAP}${EMOJI}${(sign.codePointAt(0) ?? 0).toString(16)}${GAP}`);
}

export function shownText(indexed: string): string {
  // The gaps go last: they keep the digits of an emoji from those of the text behind it.
  return indexed
    .replaceAll(emojiWord, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(GAP, '');
}

/** A condition for finding a text: consecutive words; the last one may be a prefix. */
export interface Term {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/**
 * The terms of a user's query: `"…"` is a phrase; the last word also matches as a prefix, as does a word with a `*`.
 * All other punctuation is ignored.
 */
export function searchTerms(query: string): Term[] {
  const text = query.slice(0, MAX_QUERY_LENGTH).trimEnd();
  const terms = new Map<string, Term>();
  let count = 0;
  // An unclosed quotation mark is still being typed.
  for (const { 0: source, 1: phrase, 2: end, 3: bare, index } of text.matchAll(/"([^"]*)("|$)|([^\s"]+)/g)) {
    const words = splitWords(phrase ?? bare ?? '').slice(0, MAX_WORDS - count);
    count += words.length;
    if (words.length === 0) continue;
    // `foo-bar` and `what's` are two adjacent words each for the index.
    const isLast = index + source.length === text.length;
    const isPrefix = phrase === undefined ? source.endsWith('*') || isLast : end === '';
    terms.set(`${words.join(' ')}${isPrefix ? '*' : ''}`, { words, isPrefix });
  }
  return [...terms.values()];
}

/** The FTS4 query: words are quoted, so that punctuation is no operator. Undefined: nothing to search for. */
export function matchExpression(query: string): string | undefined {
  const terms = searchTerms(query).map(({ words, isPrefix }) => `"${words.join(' ')}${isPrefix ? '*' : ''}"`);
  return terms.length > 0 ? terms.join(' ') : undefined;
}

/** Also the text between words that the tokenizer may treat as words: queries must be split as indexed texts are. */
function splitWords(text: string): string[] {
  const pieces = indexedText(text)
    .split(separators)
    .filter((piece) => piece !== '');
  const isWord = (piece: string): boolean => word.test(piece);
  return pieces.slice(pieces.findIndex(isWord), pieces.findLastIndex(isWord) + 1);
}
