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
// eslint-disable-next-line no-control-regex -- as above
const plainSigns = /^[\x01-\x7f\u2010-\u203b\u203d-\u2048\u204a-\u206f]*$/;
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

/** Of ASCII and such signs as “, ’ and …, as most texts are: all of them are read in half the time. */
export function isPlain(text: string): boolean {
  return plainSigns.test(text);
}

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

/** The text in which hits are found: as `indexedText`, without the gaps that only SQLite's tokenizer needs. */
export function searchedText(text: string): string {
  if (isPlain(text)) return text;
  if (mayHaveUnspaced.test(text) || mayHaveEmoji.test(text)) return indexedText(text);
  return text.normalize('NFC').replaceAll(reserved, ' ');
}

export function shownText(indexed: string): string {
  // The gaps go last: they keep the digits of an emoji from those of the text behind it.
  return indexed
    .replaceAll(emojiWord, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(GAP, '');
}

/** Also the text between words that the tokenizer may treat as words: queries must be split as indexed texts are. */
export function splitWords(text: string): string[] {
  const pieces = indexedText(text)
    .split(separators)
    .filter((piece) => piece !== '');
  const isWord = (piece: string): boolean => word.test(piece);
  return pieces.slice(pieces.findIndex(isWord), pieces.findLastIndex(isWord) + 1);
}

/** A word of an indexed text: letters, digits, the characters for emoji, and combining marks. */
export const indexWord = /[\p{L}\p{N}\p{Co}\u0300-\u0331]+/gu;
/** The same of a text of ASCII in lower case. */
export const asciiWords = /[a-z0-9]+/g;
/** Those of words that are no part of another sign. */
export const looseMarks = '[\\u0300-\\u0331]';
const marks = /\p{Mn}/gu;
const latinMarks = /([A-Za-z])\p{Mn}+/gu;
const asciiWord = /^[a-z0-9]*$/i;
const oneUnspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;

/** A word for comparison: without accents, in lower case. */
export function folded(text: string): string {
  if (asciiWord.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replaceAll(marks, '').normalize('NFC').toLowerCase();
}

/** Signs that a folded text may have others for. */
const mayFold = /[[\p{L}\p{M}]--[a-zA-Z\p{Script=Han}\p{Script=Hangul}]]/gv;

/** A text with its signs folded one by one, of the same length: marks that are signs of their own stay. */
export function foldedInPlace(text: string): string {
  const known = new Map<string, string>();
  const fold = (sign: string): string => {
    // The one that stands at the end of words.
    const plain = folded(sign).replace('ς', 'σ');
    return plain.length === sign.length ? plain : sign;
  };
  // No other sign is of another length in lower case.
  const lower = text.replaceAll('İ', 'I').toLowerCase();
  return lower.replaceAll(mayFold, (sign) => {
    const plain = known.get(sign) ?? fold(sign);
    known.set(sign, plain);
    return plain;
  });
}

/** As `folded`, with the marks that make letters of their own in scripts other than Latin: what stemmers know. */
export function withPlainLatin(text: string): string {
  if (asciiWord.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replaceAll(latinMarks, '$1').normalize('NFC').toLowerCase();
}

/** Whether a word is one sign of a script that has no spaces between words. */
export function isUnspaced(word: string): boolean {
  return oneUnspaced.test(word);
}
