import { demoBody, wantsCode, clipped, topicOf, splitWords } from './demoBody.ts';
import { suggestedAnswer } from './demoSuggestions.ts';

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

/** A keyword counts only in short questions, so that a real question that contains one gets a real answer. */
const KEYWORD_QUESTION_WORDS = 6;
const KEYWORDS = ['help', 'table', 'code', 'think', 'long', 'slow', 'fail'] as const;
type Keyword = (typeof KEYWORDS)[number];

/** Two branches, and two tries at one question, read differently; the same input gives the same text. */
export function demoAnswer({ questions, attempt }: DemoQuestion): DemoAnswer {
  const question = questions.at(-1) ?? '';
  const suggested = suggestedAnswer(question, attempt);
  const keyword = suggested === undefined ? keywordOf(question) : undefined;
  const text =
    suggested === undefined
      ? (keyword === undefined ? ordinary : special[keyword])(questions, attempt)
      : `${suggested}\n\n${tip(questions.length + attempt)}`;
  return {
    reasoning: keyword === 'think' ? reasoningAbout(questions) : '',
    text,
    slowness: keyword === 'slow' ? 8 : 1,
    fails: keyword === 'fail',
  };
}

function keywordOf(question: string): Keyword | undefined {
  return keywordIn(question, KEYWORDS);
}

/** The first of the keywords in a short question. */
export function keywordIn<K extends string>(question: string, keywords: readonly K[]): K | undefined {
  const words = splitWords(question).map((word) => word.toLowerCase());
  return words.length > KEYWORD_QUESTION_WORDS ? undefined : keywords.find((each) => words.includes(each));
}

type Writer = (questions: readonly string[], attempt: number) => string;

const special: Readonly<Record<Keyword, Writer>> = {
  help: () =>
    [
      '## What this demo can do',
      'I am the offline demo model. No AI is at work and nothing leaves this machine; I repeat what you say in other ' +
        'words, so that you can try branches, checkpoints and rewinding. Ask anything, or one of these:',
      [
        '- `table` answers with a table',
        '- `code` answers with code in several languages',
        '- `think` reasons before it answers',
        '- `long` writes for a while: time to press Stop, or to ask something by the way',
        '- `slow` writes slowly',
        '- `fail` breaks off with an error half-way',
        '- `explore` looks around in the workspace from a checkpoint of its own, and goes back with a report',
        '- `edit` asks to make a file',
      ].join('\n'),
      'For real answers choose **Offshoot: Select Model**.',
    ].join('\n\n'),
  table: (questions, attempt) =>
    [
      heading(questions, attempt),
      place(questions),
      ['| Question | Words | Characters |', '| :-- | --: | --: |', ...questions.slice(-5).map(tableRow)].join(
        '\n',
      ),
      tip(questions.length + attempt),
    ].join('\n\n'),
  code: (questions, attempt) =>
    [
      heading(questions, attempt),
      place(questions),
      codeBlock(questions, attempt),
      [
        '```python',
        `questions = ${JSON.stringify(questions.length)}`,
        'print(f"{questions} so far")',
        '```',
      ].join('\n'),
      ['```css', '.branch {', `  order: ${attempt};`, '}', '```'].join('\n'),
    ].join('\n\n'),
  think: (questions, attempt) => ordinary(questions, attempt),
  slow: (questions, attempt) => ordinary(questions, attempt),
  fail: (questions, attempt) =>
    `${ordinary(questions, attempt)}\n\nYou should not be able to read this: the answer breaks off before.`,
  long: (questions, attempt) =>
    [
      heading(questions, attempt),
      place(questions),
      ...Array.from({ length: 60 }, (_, index) => longParagraph(index + 1)),
      'That was all. Thank you for waiting.',
    ].join('\n\n'),
};

function ordinary(questions: readonly string[], attempt: number): string {
  return [
    heading(questions, attempt),
    place(questions),
    ...demoBody(questions, attempt),
    ...(wantsCode(questions.at(-1) ?? '') ? [codeBlock(questions, attempt)] : []),
    tip(questions.length + attempt),
  ].join('\n\n');
}

function heading(questions: readonly string[], attempt: number): string {
  const topic = topicOf(questions.at(-1) ?? '').join(' ');
  const forms = [
    `About ${topic}`,
    `Another look at ${topic}`,
    `From the other end: ${topic}`,
    `Once more, ${topic}`,
  ];
  return `## ${forms[(attempt - 1) % forms.length] ?? topic}`;
}

function place(questions: readonly string[]): string {
  const count = questions.length;
  const asked = `You asked: “${clipped(questions.at(-1) ?? '')}” This is question ${count} on this path`;
  if (count < 2) return `${asked}, and nothing came before it.`;
  const earlier = questions
    .slice(0, -1)
    .map((question, index) => `- question ${index + 1}: “${clipped(question)}”`)
    .slice(-3);
  return `${asked}. Before it came:\n\n${earlier.join('\n')}`;
}

function codeBlock(questions: readonly string[], attempt: number): string {
  const topic = topicOf(questions.at(-1) ?? '').join(' ');
  return [
    '```ts',
    `// Attempt ${attempt} at question ${questions.length}.`,
    `const topic = ${JSON.stringify(topic)};`,
    `console.log(\`\${topic}: \${'${questions.length}.${attempt}'}\`);`,
    '```',
  ].join('\n');
}

function tip(number: number): string {
  const tips = [
    '*Demo answer. Regenerate it, and both stay: each on a branch of its own.*',
    '*Demo answer. Rewind to an earlier message to go another way; this one is kept.*',
    '*Demo answer. Set a checkpoint here to find the way back.*',
    '*Demo answer. Ask `help` to see what else the demo can do.*',
  ];
  return tips[number % tips.length] ?? '';
}

function tableRow(question: string): string {
  return `| ${clipped(question).replaceAll('|', '\\|')} | ${splitWords(question).length} | ${question.length} |`;
}

function longParagraph(number: number): string {
  return (
    `**${number}.** A long answer leaves time to look around: scroll up, switch to another branch and back, ask ` +
    'something by the way, or press Stop. Whatever has arrived by then is kept as part of the conversation.'
  );
}

function reasoningAbout(questions: readonly string[]): string {
  const topic = topicOf(questions.at(-1) ?? '').join(', ');
  return (
    `The question names ${topic}. It is number ${questions.length} on this path, so I should keep to what was said ` +
    'before. No model is at work here; this is what reasoning looks like when one is.'
  );
}
