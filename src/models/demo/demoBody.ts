type Kind = 'comparison' | 'steps' | 'reasons' | 'list' | 'work' | 'followUp' | 'other';

interface Asked {
  readonly topic: string;
  /** The first and second thing it names. */
  readonly first: string;
  readonly second: string | undefined;
  /** The topic of the previous question on this path. */
  readonly before: string | undefined;
}

/** Paragraphs, lists and tables of Markdown, one string each. */
type Form = (asked: Asked) => readonly string[];

/** Kind and words come from the questions on this path. After others, and at another try, it takes another form. */
export function demoBody(questions: readonly string[], attempt: number): string[] {
  const question = questions.at(-1) ?? '';
  const earlier = questions.slice(0, -1);
  const before = earlier.at(-1);
  const [first = 'it', second] = topicOf(question);
  const asked: Asked = {
    topic: topicOf(question).join(' '),
    first,
    second,
    before: before === undefined ? undefined : topicOf(before).join(' '),
  };
  const kind = kindOf(question, earlier.length > 0);
  const forms = FORMS[kind];
  const form = forms[(attempt - 1 + seedOf(earlier)) % forms.length];
  return [...(kind === 'followUp' ? [] : connection(asked)), ...(form?.(asked) ?? [])];
}

export function wantsCode(question: string): boolean {
  return ['steps', 'work'].includes(kindOf(question, false));
}

const FOLLOWS = /^(?:and|also|but|or|then|now|what about|how about|instead)\b/i;

function kindOf(question: string, isLater: boolean): Kind {
  const has = (pattern: RegExp): boolean => pattern.test(question.slice(0, 2_000));
  const names = findKeywords(question.slice(0, 2_000)).length;
  if (names > 1 && has(/\b(?:compare|versus|vs|differences?|better|rather)\b|\bor\b/i)) return 'comparison';
  if (isLater && (names < 2 || FOLLOWS.test(question.trim()))) return 'followUp';
  if (has(/^\s*(?:how)\b/i)) return 'steps';
  if (has(/^\s*why\b/i)) return 'reasons';
  if (has(/\b(?:list|which|what are|name (?:a|some|three|five))\b/i)) return 'list';
  if (has(/\b(?:write|make|create|build|plan|implement|design|fix|add|change)\b/i)) return 'work';
  return splitWords(question).length > 0 ? 'other' : 'list';
}

/** Names what the answer builds on from this path: another branch has something else. */
function connection({ topic, before }: Asked): string[] {
  if (before === undefined || before === topic) return [];
  return [`After **${before}**, which this path was about before:`];
}

const FORMS: Readonly<Record<Kind, readonly Form[]>> = {
  comparison: [
    ({ first, second = 'the other' }) => [
      'Side by side:',
      table(
        ['', first, second],
        ['To begin with', 'little to set up', 'more to decide first'],
        ['Later', 'gets in the way sooner', 'leaves more room'],
        ['To undo', 'easy', 'takes a while'],
      ),
      `I would try **${first}** here, and **${second}** on a branch of its own.`,
    ],
    ({ first, second = 'the other' }) => [
      `What speaks for each:`,
      `- **${first}**: fewer parts, and one sees at once whether it does.\n- **${second}**: the better choice once there is more of everything.`,
      'Ask for either of them in detail; rewinding to this answer gives you the other one, too.',
    ],
    ({ first, second = 'the other' }) => [
      `It depends on one thing: how long it has to last. For a week, **${first}**. For a year, **${second}**.`,
    ],
  ],
  steps: [
    ({ first, second }) => [
      'Three steps would do:',
      `1. Write down what **${first}** has to achieve, in one sentence.\n2. Make the smallest thing that does it${withSecond(second)}.\n3. Look at it again tomorrow.`,
    ],
    ({ first, second }) => [
      'Backwards, from the end:',
      `1. Imagine **${first}** done: what is there to see?\n2. Ask what has to be there right before that.\n3. Go on until you reach something you can do today${withSecond(second)}.`,
    ],
    ({ first }) => [
      'The short way:',
      `1. Find someone who has done **${first}** before.\n2. Copy it.\n3. Change one thing at a time.`,
    ],
  ],
  reasons: [
    ({ first, second }) => [
      'A full answer would go through three things:',
      `- what **${first}** is, and what it is made of\n- how **${second ?? 'the rest'}** comes into it\n- what it looks like where that is missing`,
    ],
    ({ first }) => [
      `Turn it round: without **${first}**, what would be different?`,
      '> If nothing, there is no reason. If something, that is the reason.',
    ],
    ({ topic }) => [
      'From the beginning:',
      `1. how **${topic}** came about\n2. what keeps it so\n3. what would change it`,
    ],
  ],
  list: [
    ({ first, second }) => [
      'The ones that come to mind:',
      `- **${first}**, the plain one\n- **${first}**, with ${second ?? 'a second thought'}\n- **${first}**, the other way round\n- none at all, which is cheaper than it looks`,
    ],
    ({ first, second }) => [
      'Sorted by how often they are needed:',
      table(
        ['', 'What', 'When'],
        ['1', first, 'nearly always'],
        ['2', second ?? `more ${first}`, 'now and then'],
        ['3', 'something else', 'when the first two are in the way'],
      ),
    ],
    ({ first, second }) => [
      `Only two of them matter: **${first}**, and whatever is left of ${second ?? 'the rest'} once it is done.`,
    ],
  ],
  work: [
    ({ first, second }) => [
      'A first version:',
      `1. **${first}**, in its simplest form\n2. a way to see that it works${withSecond(second)}\n3. everything else later`,
    ],
    ({ first }) => [
      'Before that, three questions:',
      `- What is **${first}** for?\n- Who needs it first?\n- What happens if it is left out?`,
    ],
    ({ topic }) => [
      'A plan in one day:',
      `- [ ] morning: a sketch of **${topic}**\n- [ ] noon: throw it away\n- [ ] evening: the second sketch, which is better`,
    ],
  ],
  followUp: [
    ({ topic, before }) => [
      'What that changes:',
      `- **${before ?? 'the question before'}** stays as it was said.\n- **${topic}** comes on top of it.`,
    ],
    ({ topic, before }) => [
      `Seen from **${before ?? 'the question before'}**, ${topic} is a detail: decide the one, and the other follows.`,
      '> Answered the other way on another branch, the two can be compared.',
    ],
    ({ topic, before }) => [
      `Then I would begin again with **${topic}**, and take from ${before ?? 'what was said'} only what still fits.`,
    ],
  ],
  other: [
    ({ first, second }) => [
      'Two sides of it:',
      `- **${first}**, on its own: what it is, and what it is not\n- **${second ?? 'what is around it'}**: where one leads to the other`,
    ],
    ({ first, second }) => [
      'In one sentence:',
      `> Begin with **${first}**, and let **${second ?? 'the rest'}** follow.`,
    ],
    ({ first, second }) => [
      'An example would say more than words:',
      `1. **${first}**, as small as it can be\n2. the same with **${second ?? 'one thing more'}**\n3. what is different now`,
    ],
  ],
};

function withSecond(second: string | undefined): string {
  return second === undefined ? '' : `, with **${second}** in it`;
}

function table(head: readonly string[], ...rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '--')), ...rows.map(line)].join('\n');
}

function seedOf(earlier: readonly string[]): number {
  let sum = 0;
  for (const question of earlier) {
    for (const word of splitWords(question.slice(0, 2_000)))
      sum = (sum * 31 + (word.codePointAt(0) ?? 0) + word.length) % 1_009;
  }
  return sum;
}

const COMMON_WORDS = new Set(
  (
    'a about again also an and another are as at be but by can compare could difference do does else for from give ' +
    'had has have how i if in instead into is it its know less let like list longer make me more much my name need no not now of on ' +
    'or our please shorter should show so some tell than that the their them then there these they this to too us ' +
    'versus vs want was we were what when where which who why will with would write yes you your'
  ).split(' '),
);

export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_'’-]+/gu) ?? [];
}

/** Empty if it has only common words. */
function findKeywords(question: string): string[] {
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
