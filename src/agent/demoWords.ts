const COMMON_WORDS = new Set(
  (
    'a about again also an and another are as at be but by can compare could difference do does else for from give ' +
    'had has have how i if in instead into is it its know less let like list longer make me more much my name need no not now of on ' +
    'or our please shorter should show so some tell than that the their them then there these they this to too us ' +
    'versus vs want was we were what when where which who why will with would write yes you your'
  ).split(' '),
);

/** The words of a text, as they are written. */
export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_'’-]+/gu) ?? [];
}

/** The keywords of a question, in order, without repeats; empty if it has only common words. */
export function findKeywords(question: string): string[] {
  const telling = splitWords(question).filter((word) => !COMMON_WORDS.has(word.toLowerCase()));
  return [...new Set(telling)].map((word) => word.slice(0, 40));
}

/** Up to four words that name what a question is about. */
export function topicOf(question: string): string[] {
  const telling = findKeywords(question);
  const words =
    telling.length > 0 ? telling : [...new Set(splitWords(question))].map((word) => word.slice(0, 40));
  return words.length > 0 ? words.slice(0, 4) : ['your message'];
}

/** At most 80 graphemes, on one line. */
export function clipped(text: string): string {
  const line = text.slice(0, 500).replace(/\s+/gu, ' ').trim();
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : line;
}
