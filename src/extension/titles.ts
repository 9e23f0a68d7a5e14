import { hiddenCharacters } from '../protocol/hiddenCharacters.ts';
import { oneLine } from './oneLine.ts';

/** The longest title, in characters. */
const MAX_LENGTH = 60;

/** A title from the first line of a question. */
export function titleFrom(question: string): string {
  const [line = ''] = question.trim().split('\n', 1);
  return oneLine(line, MAX_LENGTH);
}

/** What a model wrote for a title, without what is none: thoughts, Markdown, quotation marks, letters nobody sees. */
export function cleanTitle(written: string): string {
  const [line = ''] = written
    .replace(/^\s*<think(?:ing)?>.*?<\/think(?:ing)?>/su, '')
    .trim()
    .split(/[\r\n\u2028\u2029]/u, 1);
  const words = line
    .replaceAll(hiddenCharacters, ' ')
    .replace(/^[\s#>*_`~-]+/u, '')
    .replace(/^(?:title|标题)\s*[:：]\s*/iu, '')
    .replaceAll(/\*\*|__|`/gu, '')
    .replace(/^["'“”„«‘「『*_\s]+/u, '')
    .replace(/["'“”»’」』*_\s.。]+$/u, '');
  return oneLine(words, MAX_LENGTH);
}
