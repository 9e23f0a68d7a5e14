import { hiddenCharacters } from '../../base/hiddenCharacters.ts';
import { oneLine } from '../ui/shownName.ts';

/** In characters. */
const MAX_LENGTH = 60;

export function titleFrom(question: string): string {
  const [line = ''] = question.trim().split('\n', 1);
  return oneLine(line, MAX_LENGTH);
}

/** Without thoughts, Markdown, links, icons and invisible letters. */
export function cleanTitle(written: string): string {
  const [line = ''] = written
    .replace(/^\s*<think(?:ing)?>.*?<\/think(?:ing)?>/su, '')
    .trim()
    .split(/[\r\n\u2028\u2029]/u, 1);
  // More than fits in a title would be cut off anyway.
  const words = untilSame(line.replaceAll(hiddenCharacters, ' ').slice(0, MAX_WRITTEN), (text) =>
    withoutMarkup(text)
      .replace(/^[\s#>*_`~-]+/u, '')
      .replace(/^(?:title|标题)\s*[:：]\s*/iu, '')
      .replace(/^["'“”„«‘「『*_\s]+/u, '')
      .replace(/["'“”»’」』*_\s.。]+$/u, ''),
  );
  return oneLine(words, MAX_LENGTH);
}

/** In UTF-16 units. */
const MAX_WRITTEN = 1_000;

/** Tags that browsers and Markdown know; `List<string>` is not one. */
const TAG =
  /<\/?(?:a|abbr|b|big|blockquote|body|br|center|code|del|details|div|em|embed|font|form|h[1-6]|hr|i|iframe|img|input|ins|kbd|li|link|mark|meta|object|ol|p|pre|q|s|samp|script|small|span|strike|strong|style|sub|summary|sup|svg|table|td|th|title|tr|tt|u|ul|var|video)(?:[\s/][^<>]*)?>/giu;

/** The text of a line of Markdown: the label of a link or a picture, and an address without its scheme. */
function withoutMarkup(line: string): string {
  return untilSame(line, (text) => text.replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/gu, '$1'))
    .replaceAll(/\]\(/gu, '] (')
    .replaceAll(/<([a-z][a-z\d+.-]*:[^<>\s]*)>/giu, '$1')
    .replaceAll(TAG, '')
    .replaceAll(/[a-z][a-z\d+.-]*:\/\//giu, '')
    .replaceAll(/(?<![\p{L}\p{N}])www\./giu, '')
    .replaceAll(/\$\(([a-z\d~-]+)\)/giu, '$1')
    .replaceAll(/\*\*|__|~~|`/gu, '')
    .replaceAll(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1')
    .replaceAll(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]*[^\s_])_(?![\p{L}\p{N}_])/gu, '$1');
}

/** Repeated, because removing a match may join two halves into another one. */
function untilSame(text: string, step: (text: string) => string): string {
  for (let before = text; ;) {
    const after = step(before);
    if (after === before) return after;
    before = after;
  }
}
