import { chineseBook } from './chineseBook.ts';
import type { DemoBook } from './demoBook.ts';
import { englishBook } from './englishBook.ts';

const books: readonly DemoBook[] = [englishBook, chineseBook];

/** In the language of the question, where it shows by its letters; else in that of the interface. */
export function bookFor(question: string, language: string): DemoBook {
  const isChinese =
    /\p{Script=Han}/u.test(question) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question);
  return isChinese || /^zh\b/iu.test(language) ? chineseBook : englishBook;
}

/** Whether a question asks for something in any language: keywords are typed in English also where answers are not. */
export function asksFor(question: string, wanted: (book: DemoBook) => RegExp | string): boolean {
  return books.some((book) => {
    const asks = wanted(book);
    return typeof asks === 'string' ? asks === question : asks.test(question);
  });
}
