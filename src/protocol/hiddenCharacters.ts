/**
 * What nobody sees, or what turns the order of what follows it: controls but for the tab and the line feed, bidi
 * controls, zero-width characters, soft hyphens, fillers, tags, variation selectors, and the ends of lines and
 * paragraphs that only Unicode knows.
 */
const HIDDEN = '[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\uFFF0-\\uFFFB]';

/** Writing systems whose letters join or part by means of U+200C and U+200D. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** Those of them that are seen: what stands beside one that is spelled out would not be needed any more. */
const seen = (characters: string): string => `(?!${HIDDEN})[${characters}]`;

/** Writing systems without spaces, where U+200B says where a word ends. */
const SPACELESS = '\\p{Script=Khmer}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Myanmar}';

/** The flags that are written in tags, as U+1F3F4 and the letters of these. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((name) => [
  '\\u{1F3F4}',
  ...Array.from(name, (letter) => `\\u{E00${letter.charCodeAt(0).toString(16)}}`),
  '\\u{E007F}',
]);

/** Where such a character does what it is there for. Each ends with the character itself and what has to follow. */
const LEGITIMATE = [
  // Emoji of several parts, and how a sign is to be shown.
  '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?\\u200D(?=\\p{Extended_Pictographic})',
  '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]',
  '[0-9#*]\\uFE0F(?=\\u20E3)',
  ...FLAGS.flatMap((flag) =>
    flag
      .slice(1)
      .map((tag, at) => `${flag.slice(0, at + 1).join('')}${tag}(?=${flag.slice(at + 2).join('')})`),
  ),
  // Letters.
  `${seen(JOINING)}[\\u200C\\u200D]`,
  `[\\u200C\\u200D](?=${seen(JOINING)})`,
  `${seen(SPACELESS)}\\u200B(?=${seen(SPACELESS)})`,
  '\\p{Script=Han}[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
  `${seen('\\p{Script=Mongolian}')}[\\u180B-\\u180F]`,
].join('|');

const single = new RegExp(`^(?![\\t\\n])${HIDDEN}$`, 'u');

/**
 * Each hidden character of a text, but for those that are needed where they stand: in emoji, between letters of
 * scripts that join, at the end of a line as in `\r\n`. Global, so only for `matchAll`, `replaceAll`, `search` and
 * `split`, which don't keep a position.
 */
export const hiddenCharacters = new RegExp(`(?![\\t\\n]|\\r\\n)${HIDDEN}(?<!${LEGITIMATE})`, 'gu');

/** Whether a character can't be seen, or changes the order of others, wherever it stands. */
export function isHiddenCharacter(codePoint: number): boolean {
  return single.test(String.fromCodePoint(codePoint));
}

/** Whether a text has characters that hide, where they aren't needed. */
export function hasHiddenCharacters(text: string): boolean {
  return text.search(hiddenCharacters) !== -1;
}

/** A character by its number, as `‹U+202E›`. */
export function spelledOut(char: string): string {
  return `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}

/** A text with its hidden characters spelled out: as it may be shown where something is decided. */
export function withHiddenSpelledOut(text: string): string {
  return text.replaceAll(hiddenCharacters, spelledOut);
}
