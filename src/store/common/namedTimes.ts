import { splitWords, withPlainLatin } from './searchText.ts';
import type { Language } from './stemmers.ts';

/** A month or a year that a query names. What happened then is told then or soon afterwards. */
export interface NamedTime {
  readonly year: number | undefined;
  /** From 0. */
  readonly month: number | undefined;
}

/** How long something is still told of, in days. */
const TOLD_LATER = 15;
const DAY = 86_400_000;

const aYear = /^(?:19[7-9]|20)\d\d$/u;
const asNumbers = /(?<!\d)(?<year>(?:19[7-9]|20)\d\d)(?:-|年)(?<month>1[0-2]|0?[1-9])(?!\d)/gu;
const inChinese = /(?<![\d年-])(?<month>1[0-2]|[1-9])月/gu;

/** The times that words of a query name: `in May 2026`, `2026-05`, `2026年5月`. */
export function namedTimes(query: string, languages: readonly Language[]): readonly NamedTime[] {
  const numbers = Array.from([...query.matchAll(asNumbers), ...query.matchAll(inChinese)], ({ groups }) => ({
    year: groups?.['year'] === undefined ? undefined : Number(groups['year']),
    month: Number(groups?.['month']) - 1,
  }));
  if (numbers.length > 0) return numbers;
  const words = splitWords(query);
  const years = words.flatMap((word, at) => (aYear.test(word) ? [{ year: Number(word), at }] : []));
  const months = words.flatMap((word, at) => {
    const month = monthOf(word, at, languages);
    return month === undefined ? [] : [{ month, at }];
  });
  if (months.length === 0) return years.map(({ year }) => ({ year, month: undefined }));
  // "From May to June 2026": a month is of the year behind it, else of the last one before it.
  return months.map(({ month, at }) => ({
    month,
    year: (years.find((year) => year.at > at) ?? years.at(-1))?.year,
  }));
}

/** "May" can be a month, "may" and a "May" that begins a sentence hardly. */
function monthOf(word: string, at: number, languages: readonly Language[]): number | undefined {
  const plain = withPlainLatin(word);
  for (const { stem, common, months, beginsAsMonth } of languages) {
    const month = beginsAsMonth(plain) ? months.get(stem(plain)) : undefined;
    if (month === undefined) continue;
    return !common.has(plain) || (at > 0 && word !== word.toLowerCase()) ? month : undefined;
  }
  return undefined;
}

/** Whether something was said at such a time, where the user is. */
export function isSaidAt(createdAt: number, { year, month }: NamedTime): boolean {
  const said = [new Date(createdAt), new Date(createdAt - TOLD_LATER * DAY)];
  return said.some(
    (each) =>
      (year === undefined || each.getFullYear() === year) &&
      (month === undefined || each.getMonth() === month),
  );
}
