import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  markReported,
  markSteps,
  planSteps,
  tickReported,
  withCheckboxes,
  withTicksSince,
} from '../../../src/agent/plans/planSteps.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const plan = [
  '# Greet by name\r\n',
  '\r\n',
  'Some words - [ ] that are none.\r\n',
  '- [ ] Take a name in `src/greet.ts`\r\n',
  '  - [x] **Read** it\r\n',
  '  * [ ] Change it\r\n',
  '\t- [ ] Tabbed\r\n',
  '1. [X] Run its test  \r\n',
  '- no box\r\n',
  '- [] nor this\r\n',
  '- [ ]nor this\r\n',
  '```md\r\n',
  '- [ ] in code\r\n',
  '```\r\n',
  '<!--\r\n- [ ] in a comment\r\n-->\r\n',
  'The end.\r\n',
  '\r\n',
  '    - [ ] indented code\r\n',
  '+ [ ] ',
].join('');

const line = fc.oneof(
  fc.constantFrom(
    '- [ ] One',
    '- [x] One',
    '  - [ ] Part',
    '    - [X] Part of a part',
    '1. [ ] Numbered',
    '* [ ] `code` and **more**',
    '- item',
    '```',
    '~~~~',
    '<!-- said',
    '-->',
    '    code',
    '',
    '> - [ ] quoted',
    '| a | - [ ] |',
  ),
  fc.string({ unit: 'binary' }),
);
const markdown = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')))
  .map((lines) => lines.flat().join(''));

/** The same text without what is between the brackets of steps. */
const without = (text: string): string => {
  const places = new Set(planSteps(text).map(({ at }) => at));
  return [...Array(text.length).keys()].map((at) => (places.has(at) ? '_' : text[at])).join('');
};

describe('the steps of a plan', () => {
  it('are its list items with a checkbox, on any level, and nothing in code or comments', () => {
    assert.deepEqual(
      planSteps(plan).map(({ title, isDone, depth }) => [title, isDone, depth]),
      [
        ['Take a name in src/greet.ts', false, 0],
        ['Read it', true, 1],
        ['Change it', false, 1],
        ['Tabbed', false, 2],
        ['Run its test', true, 0],
        ['', false, 0],
      ],
    );
  });

  it('are ticked by their titles as models write them, and parents with the last of their parts', () => {
    const { plan: ticked, unknown } = tickReported(plan, [
      { title: '2. Change it.', isDone: true },
      { title: 'tabbed', isDone: true },
      { title: 'Read it', isDone: false },
      { title: 'Something else', isDone: true },
    ]);
    assert.deepEqual(unknown, ['Something else']);
    assert.deepEqual(
      planSteps(ticked).map(({ isDone }) => isDone),
      [true, true, true, true, true, false],
      'what is ticked stays so',
    );
    assert.equal(without(ticked), without(plan));
    assert.ok(ticked.includes('- [x] Take a name in `src/greet.ts`\r\n'));
  });

  it('are told apart where several have one title', () => {
    const twice = '- [ ] A\n  - [ ] Test\n- [ ] B\n  - [ ] Test\n';
    const report = { title: 'Test', isDone: true };
    assert.equal(tickReported(twice, [report]).plan, '- [x] A\n  - [x] Test\n- [ ] B\n  - [ ] Test\n');
    assert.equal(
      tickReported(twice, [{ ...report, isDone: false }, report]).plan,
      '- [ ] A\n  - [ ] Test\n- [x] B\n  - [x] Test\n',
    );
    assert.equal(tickReported(twice, [report, report]).plan, twice.replaceAll('[ ]', '[x]'));
  });

  it('keep every other character, for any Markdown and any reports', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.tuple(fc.nat(30), fc.boolean())), (text, marks) => {
        const steps = planSteps(text);
        const marked = markSteps(text, new Map(marks));
        const after = planSteps(marked);
        assert.equal(without(marked), without(text));
        assert.equal(marked.length, text.length);
        const wanted = new Map(marks);
        assert.deepEqual(
          after.map(({ isDone }) => isDone),
          steps.map(({ isDone }, index) => wanted.get(index) ?? isDone),
        );
        const reports = marks.map(([index, isDone]) => ({ title: steps[index]?.title ?? 'none', isDone }));
        const ticked = tickReported(text, reports).plan;
        assert.equal(without(ticked), without(text));
        assert.ok(planSteps(ticked).every(({ isDone }, index) => isDone || steps[index]?.isDone === false));
        assert.equal(without(markReported(text, reports).plan), without(text));
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('come of numbered steps where there are no checkboxes, and of nothing else', () => {
    const numbered = 'So:\n\n1. Look.\n   1. Here.\n2) Change.\n\n```\n1. code\n```\n';
    const boxed = withCheckboxes(numbered);
    assert.equal(boxed, 'So:\n\n1. [ ] Look.\n   1. Here.\n2) [ ] Change.\n\n```\n1. code\n```\n');
    assert.equal(withCheckboxes(boxed), boxed);
    assert.equal(withCheckboxes(plan), plan);
    assert.equal(withCheckboxes('Which one?'), 'Which one?');
  });

  it('keep what was ticked while the user edited them', () => {
    const before = '- [ ] One\n- [x] Two\n- [ ] Three\n';
    const now = '- [x] One\n- [x] Two\n- [ ] Three\n';
    const edited = '# Mine\n- [ ] Zero\n- [ ] One\n- [ ] Two\n- [x] Three\n';
    assert.equal(
      withTicksSince(before, now, edited),
      '# Mine\n- [ ] Zero\n- [x] One\n- [ ] Two\n- [x] Three\n',
      'what they unticked and ticked stays so',
    );
    fc.assert(
      fc.property(markdown, markdown, markdown, (one, other, third) => {
        assert.equal(without(withTicksSince(one, other, third)), without(third));
        assert.equal(withTicksSince(one, one, third), third);
      }),
      { numRuns: fuzzRuns(200) },
    );
  });

  it('are read in a time that grows with the plan alone', () => {
    for (const hostile of [
      '- [ ] '.repeat(30_000),
      `- [ ] ${'[a]('.repeat(50_000)}`,
      ' '.repeat(200_000),
      '- [ ]\t'.repeat(30_000),
      '\r'.repeat(200_000),
    ]) {
      assert.ok(planSteps(hostile).length <= 1);
    }
  });
});
