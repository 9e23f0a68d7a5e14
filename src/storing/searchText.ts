// What the index reads of a text, and what it is asked for. Its tokenizer (unicode61) takes runs of letters and digits
// for words and all else for gaps. That loses emoji, and makes one word of a whole sentence in scripts that put no
// spaces between words, so both are put in a form it can find.

/** A gap to the tokenizer, and nothing to the eye. */
const GAP = '\u200b';
/** Begins the word that stands for an emoji. It is of the private use area, which the tokenizer takes for letters. */
const EMOJI = '\ue000';
/** Around the hits of a snippet while it is being made. */
export const HIT_START = '\ue001';
export const HIT_END = '\ue002';

// eslint-disable-next-line no-control-regex -- NUL is what is looked for, and these are all of ASCII but it
const ascii = /^[\x01-\x7f]*$/;
const reserved = /[\0\u200b\ue000-\ue002]/g;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;
const emojiWord = /\ue000([0-9a-f]+)/g;
/** Whether it can have any of them, which takes a hundredth of the time of looking for them. */
const mayHaveUnspaced = /[\u2e80-\uffff]/;
const mayHaveEmoji = /[\xa9\xae\u203c-\uffff]/;
/** Letters, digits and private use, but for the signs that were no letters yet in the Unicode of the tokenizer. */
const word = /[[\p{L}\p{N}\p{Co}]--[\u19b0-\u19c9\u1cf2\u1cf3]]/v;
/** The tokenizer takes what came to Unicode after it for letters: it is given the ends of words. It drops some marks. */
const betweenWords = /[^\p{L}\p{N}\p{Co}\u0300-\u0331\p{ASCII}]+/gu;
/** What parts words for certain: all of ASCII that is neither letter nor digit, and the gap. */
const separators = /[^\p{L}\p{N}\P{ASCII}]+|\u200b+/u;

/** No question has more words than this that count. */
const MAX_WORDS = 64;
/** What stands further on in a question is not read, in UTF-16 units: a user pasted it. */
const MAX_QUERY_LENGTH = 20_000;

/** A text as the index gets it. */
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

/** A piece of what the index holds, as a user reads it. */
export function shownText(indexed: string): string {
  return indexed
    .replaceAll(GAP, '')
    .replaceAll(emojiWord, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** What a text has to have to be found: words that follow one another; the last may go on. */
export interface Term {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/**
 * What a user's words ask for: `"…"` is a phrase; the last word also finds what begins with it, as does a word with a
 * `*`. No other punctuation means anything.
 */
export function searchTerms(query: string): Term[] {
  const text = query.slice(0, MAX_QUERY_LENGTH).trimEnd();
  const terms = new Map<string, Term>();
  let count = 0;
  // A quotation mark that is not closed yet is being typed.
  for (const { 0: source, 1: phrase, 2: end, 3: bare, index } of text.matchAll(/"([^"]*)("|$)|([^\s"]+)/g)) {
    const words = splitWords(phrase ?? bare ?? '').slice(0, MAX_WORDS - count);
    count += words.length;
    if (words.length === 0) continue;
    // `foo-bar` and `what's` are two words each to the index, next to one another.
    const isLast = index + source.length === text.length;
    const isPrefix = phrase === undefined ? source.endsWith('*') || isLast : end === '';
    terms.set(`${words.join(' ')}${isPrefix ? '*' : ''}`, { words, isPrefix });
  }
  return [...terms.values()];
}

/**
 * What FTS4 is asked for a user's words. Words are quoted, so that no punctuation is taken for an operator.
 * Undefined when there is nothing to look for.
 */
export function matchExpression(query: string): string | undefined {
  const terms = searchTerms(query).map(({ words, isPrefix }) => `"${words.join(' ')}${isPrefix ? '*' : ''}"`);
  return terms.length > 0 ? terms.join(' ') : undefined;
}

/**
 * The words of a text, and what stands between them that the tokenizer may take for words: what is looked for has to be
 * the same to it as what it has indexed.
 */
function splitWords(text: string): string[] {
  const pieces = indexedText(text)
    .split(separators)
    .filter((piece) => piece !== '');
  const isWord = (piece: string): boolean => word.test(piece);
  return pieces.slice(pieces.findIndex(isWord), pieces.findLastIndex(isWord) + 1);
}
