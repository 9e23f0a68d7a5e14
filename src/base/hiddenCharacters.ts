/**
 * Characters that are invisible or reorder the following text: controls except the tab and the line feed, bidi
 * controls, zero-width characters, soft hyphens, fillers, tags, variation selectors, and the line and paragraph
 * separators of Unicode.
 */
const HIDDEN = '[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\uFFF0-\\uFFFB]';

/** Scripts whose letters join or separate by means of U+200C and U+200D. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** The visible ones among them: a joiner next to a spelled-out character has no effect. */
const seen = (characters: string): string => `(?!${HIDDEN})[${characters}]`;

/** Scripts without spaces, where U+200B marks the end of a word. */
const SPACELESS = '\\p{Script=Khmer}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Myanmar}';

/** The flags that are encoded with tags, as U+1F3F4 and tag letters. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((name) => [
  '\\u{1F3F4}',
  ...Array.from(name, (letter) => `\\u{E00${letter.charCodeAt(0).toString(16)}}`),
  '\\u{E007F}',
]);

/** Where such a character is legitimate: each ends with the character and the text that must follow. */
const LEGITIMATE = [
  // Emoji of several parts, and presentation selectors.
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
 * Each hidden character of a text, except where it is needed: in emoji, between letters of joining scripts, at the
 * end of a line as in `\r\n`. Global, so only for `matchAll`, `replaceAll`, `search` and `split`, which do not keep a
 * position.
 */
export const hiddenCharacters = new RegExp(`(?![\\t\\n]|\\r\\n)${HIDDEN}(?<!${LEGITIMATE})`, 'gu');

/** Whether a character is invisible, or reorders others, in any context. */
export function isHiddenCharacter(codePoint: number): boolean {
  return single.test(String.fromCodePoint(codePoint));
}

/** Whether a text has hidden characters that are not needed. */
export function hasHiddenCharacters(text: string): boolean {
  return text.search(hiddenCharacters) !== -1;
}

/** A character by its code point, as `‹U+202E›`. */
export function spelledOut(char: string): string {
  return `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}

/** A text with its hidden characters spelled out, for display where the user makes a decision. */
export function withHiddenSpelledOut(text: string): string {
  return text.replaceAll(hiddenCharacters, spelledOut);
}
