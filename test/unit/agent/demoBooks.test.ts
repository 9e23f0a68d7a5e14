import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { chineseBook } from '../../../src/models/demo/chineseBook.ts';
import { demoAnswer } from '../../../src/models/demo/demoAnswers.ts';
import { DEMO_TOPICS, type DemoBook } from '../../../src/models/demo/demoBook.ts';
import { englishBook } from '../../../src/models/demo/englishBook.ts';
import { sumIn } from '../../../src/models/demo/arithmetic.ts';

/** What an empty chat suggests, in English. */
async function suggestions(): Promise<string[]> {
  const source = await readFile('src/webview/components/emptyState.tsx', 'utf8');
  const [, list = ''] = /const examples = \[(.*?)\];/s.exec(source) ?? [];
  return [...list.matchAll(/t\('(.*?)'\)/g)].map(([, text = '']) => text);
}

const textOf = (book: DemoBook, question: string, attempt = 1): string =>
  demoAnswer(book, { questions: [question], attempt }).text;

const books = { English: englishBook, Chinese: chineseBook };

describe('the written answers of the demo', () => {
  it('answer what an empty chat suggests, in each language of the interface', async () => {
    const texts = await suggestions();
    assert.equal(texts.length, 4);
    const chinese = JSON.parse(await readFile('l10n/bundle.l10n.zh-cn.json', 'utf8')) as Record<
      string,
      string
    >;
    for (const [book, asked] of [
      [englishBook, texts],
      [chineseBook, texts.map((text) => chinese[text] ?? '')],
    ] as const) {
      const written = [book.task.question, ...DEMO_TOPICS.map((topic) => book.answers[topic].question)];
      for (const text of asked) assert.ok(written.includes(text), text);
    }
  });

  for (const [language, book] of Object.entries(books)) {
    it(`are twenty in ${language}, each with a heading, labelled, and found again by its topic`, () => {
      assert.equal(DEMO_TOPICS.length, 20);
      const all = new Set<string>();
      for (const topic of DEMO_TOPICS) {
        const { question, asks, title, texts } = book.answers[topic];
        const text = textOf(book, question);
        assert.ok(text.startsWith(`## ${title}\n\n${texts[0]}`), question);
        assert.ok(book.tips.some((tip) => text.endsWith(tip)));
        assert.match(question, asks);
        assert.equal((text.match(/^ *(?:> )?```/gmu) ?? []).length % 2, 0, question);
        assert.doesNotMatch(text, /\[object/u);
        all.add(text);
      }
      assert.equal(all.size, 20);
    });

    it(`have code in five languages, a table, a formula and a plan in ${language}`, () => {
      const { answers } = book;
      const written = (topic: (typeof DEMO_TOPICS)[number]): string => textOf(book, answers[topic].question);
      const code = language === 'English' ? 'code' : '代码';
      for (const fence of ['python', 'ts', 'rust', 'go', 'sql']) {
        assert.ok(textOf(book, code).includes(`\`\`\`${fence}\n`), fence);
      }
      assert.match(written('http'), /^\| --: \| :-- \| :-- \|$/mu);
      assert.match(written('formula'), /^\$\$\n.*\\frac.*\n\$\$$/mu);
      assert.match(written('plan'), /^- \[ \] /mu);
    });

    it(`are listed by the help in ${language}`, () => {
      const help = textOf(book, language === 'English' ? 'What can you do?' : '你能做什么？');
      for (const topic of DEMO_TOPICS) assert.ok(help.includes(book.answers[topic].question));
    });
  }

  it('name commands and buttons as the interface does', async () => {
    const read = async (file: string): Promise<Record<string, string>> =>
      JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    for (const [book, suffix] of [
      [englishBook, ''],
      [chineseBook, '.zh-cn'],
    ] as const) {
      const [commands, texts] = await Promise.all([
        read(`package.nls${suffix}.json`),
        read(`l10n/bundle.l10n${suffix}.json`),
      ]);
      const said = [
        book.help([]),
        book.task.done('file', { explored: true, command: 'ran' }),
        ...Object.values(book.task.missing),
        ...DEMO_TOPICS.flatMap((topic) => book.answers[topic].texts),
      ].join('\n');
      for (const name of [
        ...['rewindToHere', 'selectModel', 'selectTools', 'createCheckpoint', 'openSampleChat'].map(
          (id) => commands[`command.${id}`],
        ),
        ...['Conversation and Files', 'Agent', 'By the Way'].map((text) => texts[text]),
      ]) {
        const plain = name?.replace(/…$/u, '') ?? assert.fail();
        assert.ok(said.includes(plain), plain);
      }
    }
  });

  it('say which question they were written for, if it is another one', () => {
    assert.match(
      textOf(englishBook, 'How do I parse dates in Python?'),
      /closest.*“Count the most common words/,
    );
    assert.doesNotMatch(textOf(englishBook, englishBook.answers.python.question), /closest/);
  });

  it('leave questions to a model that they do not answer, also long ones about a topic', () => {
    for (const question of [
      'Could it be a phone app?',
      'constructor',
      'Our Python service leaks memory after the third deploy of the day, so where in all of its handlers do we begin?',
    ]) {
      assert.match(textOf(englishBook, question), /takes a model/, question);
      assert.ok(textOf(englishBook, question).includes(`“${question.slice(0, 60)}`));
    }
  });

  it('differ from attempt to attempt', () => {
    for (const question of [
      ...DEMO_TOPICS.map((topic) => englishBook.answers[topic].question),
      'What next?',
      '1 + 1',
    ]) {
      const texts = [1, 2, 3, 4, 5].map((attempt) => textOf(englishBook, question, attempt));
      assert.equal(new Set(texts).size, 5, question);
    }
  });

  it('name what was asked before on the branch', () => {
    const { text } = demoAnswer(englishBook, {
      questions: ['Build it as a web page', 'And now?'],
      attempt: 1,
    });
    assert.match(text, /On this branch you asked before:\n\n- “Build it as a web page”/);
  });
});

describe('a sum that the demo is asked for', () => {
  const sums = {
    '2+2': 4,
    'What is 17 * 23?': 391,
    'what’s (1 + 2) × 3 ÷ 4': 2.25,
    '12 times 12': 144,
    '15% of 80': 12,
    '100 * 5%': 5,
    '7 % 4': 3,
    '2 ** 10': 1024,
    '-2^2': -4,
    '2^-1': 0.5,
    '2^3^2': 512,
    '0.1 + 0.2': 0.3,
    '1,000 + 1': 1001,
    '3 x 4 =': 12,
    '1 + 2 等于几？': 3,
    '计算 12 × （3 + 4）': 84,
    '8 除以 2 是多少': 4,
  };
  for (const [question, value] of Object.entries(sums)) {
    it(`is worked out: ${question}`, () => assert.equal(sumIn(question)?.value, value));
  }

  it('may have no value', () => {
    assert.deepEqual(sumIn('1 / 0'), { expression: '1 / 0', value: undefined });
    assert.match(textOf(englishBook, '9 ^ 9 ^ 9'), /no finite value/);
  });

  it('is not seen in other questions', () => {
    for (const question of [
      '',
      '5',
      '-5',
      '2026-01-31',
      '1 +',
      '* 2',
      '(1 + 2',
      '1 + a',
      'C++',
      'a - b',
      '1 2 + 3',
      '12:30 - 14:00',
    ]) {
      assert.equal(sumIn(question), undefined, question);
    }
    const brackets = '('.repeat(50_000);
    assert.equal(sumIn(`${brackets}1 + 1`), undefined);
    assert.equal(sumIn(`1 ${'? '.repeat(90)}x`), undefined);
  });
});
