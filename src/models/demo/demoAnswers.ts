import { sumIn } from './arithmetic.ts';
import { codeSamples, FIVE_LANGUAGES } from './codeSamples.ts';
import { DEMO_TOPICS, type DemoBook, type DemoTopic } from './demoBook.ts';
import { asksFor } from './demoBooks.ts';
import { clipped, splitWords } from './demoQuestions.ts';

export interface DemoQuestion {
  /** The questions of this path, first to last; the last is the one to answer. */
  readonly questions: readonly string[];
  /** 1 for the first try at this question after these messages, 2 for the next. */
  readonly attempt: number;
}

export interface DemoAnswer {
  readonly reasoning: string;
  readonly text: string;
  /** How many times slower than usual it streams. */
  readonly slowness: number;
  /** True: an error ends it half-way. */
  readonly fails: boolean;
}

/** A keyword counts only in short questions, so that a real question that contains one is not mistaken for it. */
const KEYWORD_WORDS = 6;
const KEYWORD_CHARACTERS = 60;

/** A longer question asks for more than what was written about its topic. */
const TOPIC_WORDS = 12;
const TOPIC_CHARACTERS = 100;

const SUGGESTIONS = 4;
const EARLIER = 3;

const LONG_PARAGRAPHS = 60;

/** Two branches, and two tries at one question, read differently; the same input gives the same text. */
export function demoAnswer(book: DemoBook, asked: DemoQuestion): DemoAnswer {
  const { questions, attempt } = asked;
  const question = questions.at(-1) ?? '';
  const written = DEMO_TOPICS.find((topic) => asksFor(question, ({ answers }) => answers[topic].question));
  const mayHaveKeyword = written === undefined && isShort(question, KEYWORD_WORDS, KEYWORD_CHARACTERS);
  const asks = (wanted: (book: DemoBook) => RegExp): boolean => mayHaveKeyword && asksFor(question, wanted);
  const text = written
    ? topicText(book, written, attempt)
    : asks(({ asksLong }) => asksLong)
      ? longText(book)
      : asks(({ asksHelp }) => asksHelp)
        ? helpText(book)
        : (sumText(book, question) ??
          closestText(book, asked) ??
          (asks(({ asksCode }) => asksCode) ? codeText(book) : unknownText(book, asked)));
  const fails = asks(({ asksFailure }) => asksFailure);
  return {
    reasoning: asks(({ asksThinking }) => asksThinking)
      ? book.thinking(clipped(question), questions.length)
      : '',
    text: [
      text,
      ...(attempt > 1 ? [book.again(attempt)] : []),
      fails ? book.unread : (book.tips[(questions.length + attempt) % book.tips.length] ?? ''),
    ].join('\n\n'),
    slowness: asks(({ asksSlow }) => asksSlow) ? 8 : 1,
    fails,
  };
}

function isShort(question: string, words: number, characters: number): boolean {
  return question.length <= characters && splitWords(question).length <= words;
}

function topicText(
  { answers }: DemoBook,
  topic: DemoTopic,
  attempt: number,
  ...note: readonly string[]
): string {
  const { title, texts } = answers[topic];
  return [`## ${title}`, ...note, texts[(attempt - 1) % texts.length] ?? texts[0]].join('\n\n');
}

/** What was written for another question about the same; undefined if nothing was. */
function closestText(book: DemoBook, { questions, attempt }: DemoQuestion): string | undefined {
  const question = questions.at(-1) ?? '';
  if (!isShort(question, TOPIC_WORDS, TOPIC_CHARACTERS)) return undefined;
  const topic = DEMO_TOPICS.find((each) => asksFor(question, ({ answers }) => answers[each].asks));
  if (topic === undefined) return undefined;
  // A greeting has no wording that would have to be the same.
  const note = topic === 'hello' ? [] : [book.closest(book.answers[topic].question)];
  return topicText(book, topic, attempt, ...note);
}

function sumText(book: DemoBook, question: string): string | undefined {
  const sum = sumIn(question);
  if (sum === undefined) return undefined;
  return sum.value === undefined ? book.noSum(sum.expression) : book.sum(sum.expression, String(sum.value));
}

function helpText(book: DemoBook): string {
  return book.help(DEMO_TOPICS.map((topic) => book.answers[topic].question));
}

function codeText({ answers, codeTitle, codeIntroduction }: DemoBook): string {
  const samples = FIVE_LANGUAGES.flatMap((topic) => [`**${answers[topic].title}**`, codeSamples[topic]]);
  return [`## ${codeTitle}`, codeIntroduction, ...samples].join('\n\n');
}

function longText({ longTitle, longParagraph, longEnd }: DemoBook): string {
  const paragraphs = Array.from({ length: LONG_PARAGRAPHS }, (_, index) => longParagraph(index + 1));
  return [`## ${longTitle}`, ...paragraphs, longEnd].join('\n\n');
}

function unknownText(book: DemoBook, { questions, attempt }: DemoQuestion): string {
  const first = (questions.length + attempt) * SUGGESTIONS;
  return book.unknown({
    question: clipped(questions.at(-1) ?? ''),
    earlier: questions.slice(0, -1).slice(-EARLIER).map(clipped),
    suggestions: Array.from(
      { length: SUGGESTIONS },
      (_, index) => DEMO_TOPICS[(first + index) % DEMO_TOPICS.length],
    ).flatMap((topic) => (topic === undefined ? [] : [book.answers[topic].question])),
  });
}
