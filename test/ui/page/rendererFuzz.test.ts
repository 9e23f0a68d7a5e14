import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fuzzRuns } from '../../fuzzRuns.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, toolCall } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

/** A page that draws for longer than this without answering is as good as dead, in milliseconds. A busy machine has it too. */
const STALL_MS = 4_000;

/** The longest text of a case, in UTF-16 units. */
const MAX_LENGTH = 130_000;

/** The pieces hostile texts are made of: what opens, what closes, and what nests. */
const pieces: readonly (readonly [open: string, close: string])[] = [
  ...['frac{', 'sqrt{', 'overline{', 'begin{matrix}', 'left(', 'text{', 'hat{', 'underbrace{', 'boxed{'].map(
    (name): [string, string] => [
      `\\${name}`,
      name.startsWith('begin') ? '\\end{matrix}' : name === 'left(' ? '\\right)' : '}',
    ],
  ),
  ...['^{', '_{', '{', 'x^{', '\\substack{', '\\raisebox{2em}{', '\\mathchoice{'].map(
    (open): [string, string] => [open, '}'],
  ),
  ...[
    '\\displaystyle ',
    '\\color{red}',
    '\\def\\a{\\a\\a}',
    '\\a',
    '\\\\',
    '&',
    '\\hline',
    "'",
    '\\kern9em',
  ].map((open): [string, string] => [open, '']),
  ...['$', '$$', '\n$$\n', '\\(', '\\[', '\n\n$$\n'].map((open): [string, string] => [
    open,
    open === '\\(' ? '\\)' : open === '\\[' ? '\\]' : open,
  ]),
  ...[
    '*',
    '**',
    '_',
    '~~',
    '`',
    '``',
    '[',
    '![',
    '](',
    '<',
    '> ',
    '- ',
    '1. ',
    '  - ',
    '#',
    '|',
    '\n|-|-|\n',
    '\n',
    '\n\n',
    '\\',
    '&amp;',
    '&#x202e;',
    '<!--',
    '[a]: b\n',
    '[^',
    ':::',
    '    ',
    '\t',
    '<https://',
    'a@b.',
    'http://a.',
    '\n===\n',
    '\n---\n',
    '- [ ] ',
  ].map((open): [string, string] => [open, '']),
  ...[
    'b',
    'i',
    'sup',
    'sub',
    'details',
    'blockquote',
    'ul',
    'table',
    'td',
    'li',
    'span',
    'p',
    'h1',
    'kbd',
    'math',
    'svg',
    'a href="x"',
  ].map((tag): [string, string] => [`<${tag}>`, `</${tag.split(' ')[0] ?? ''}>`]),
  ...[
    'js',
    'html',
    'markdown',
    'cpp',
    'latex',
    'perl',
    'yaml',
    'bash',
    'css',
    'php',
    'ruby',
    'sql',
    'swift',
    'xml',
  ].map((language): [string, string] => [`\n\`\`\`${language}\n`, '\n```\n']),
  ...['(', '{', '"', "'", '/*', '//', '<?php ', '${`', '/[', '\\\\', 'a.b(', '<<EOF\n', 'x:', '@', '#{'].map(
    (open): [string, string] => [open, ''],
  ),
  ...[
    '\u001b[31m',
    '\u001b[38;2;1;2;3m',
    '\u001b]8;;',
    '\u009b',
    '\u001b[',
    '\u202e',
    '\u200b',
    '\ud83d\udc68\u200d',
    '\u0300',
    'ﷺ',
  ].map((open): [string, string] => [open, '']),
  ...['src/a.ts:1', './', '../', 'C:\\', 'a/', '.ts', '(1,', ':1-', 'word ', 'x', '1', 'aaaaaaaa'].map(
    (open): [string, string] => [open, ''],
  ),
];

const piece = fc.constantFrom(...pieces);

/** Pieces in a row, nested, repeated, and one inside the other, at random. */
const { hostile } = fc.letrec<{ hostile: string }>((tie) => ({
  hostile: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(piece, { maxLength: 8 }).map((all) => all.map(([open]) => open).join('')),
    fc
      .tuple(piece, fc.integer({ min: 1, max: 20_000 }), fc.constantFrom('x', '', ' '))
      .map(
        ([[open, close], count, inside]) =>
          open.repeat(cap(open, count)) + inside + close.repeat(cap(close, count)),
      ),
    fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 5_000 }))
      .map(([all, count]) => {
        const unit = all.map(([open]) => open).join('');
        const end = all
          .toReversed()
          .map(([, close]) => close)
          .join('');
        return unit.repeat(cap(unit, count)) + end.repeat(cap(end, count));
      }),
    fc.tuple(piece, tie('hostile')).map(([[open, close], inside]) => `${open}${inside}${close}`),
    fc.tuple(tie('hostile'), tie('hostile')).map(([a, b]) => `${a}\n\n${b}`),
  ),
}));

function cap(unit: string, count: number): number {
  return unit === '' ? 0 : Math.min(count, Math.floor(MAX_LENGTH / 2 / unit.length));
}

/**
 * Shows a text in an answer, in a summary of a tool and in a side question, and waits until the page has drawn all
 * of it and still answers.
 * @returns the longest time in which it did not answer, in milliseconds
 */
async function draw(chat: Chat, id: string, text: string): Promise<number> {
  const call = toolCall({
    callId: `c${id}`,
    input: text.slice(0, 4_000),
    output: text.slice(0, 4_000),
    title: text.slice(0, 200),
  });
  const shown = conversation([answer(id, '', { parts: [{ type: 'text', text }, call] })], {
    sideQuestions: [{ branch: 'main-v2', question: text.slice(0, 1_000), answer: answer(`s${id}`, text) }],
  });
  // In the page, as the test's own work must not count.
  return chat.page.evaluate<number>(`new Promise((resolve) => {
    let last = performance.now();
    let longest = 0;
    let isRead = false;
    addEventListener('message', ({ data }) => (isRead ||= data === 'read'));
    postMessage(${JSON.stringify({ type: 'conversationChanged', conversation: shown })}, '*');
    postMessage('read', '*');
    const beat = setInterval(() => {
      document.querySelector('[data-segment="sideQuestions"][aria-expanded="false"]')?.click();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      for (const summary of document.querySelectorAll('details.tool:not([open]) > summary')) summary.click();
      // The page notes what it draws, until it has.
      if (!isRead || Object.keys(localStorage).some((name) => name.startsWith('offshoot.drawing.'))) return;
      clearInterval(beat);
      resolve(longest);
    }, 20);
  })`);
}

/** Ends the waiting when the page does not answer at all, or is gone. */
async function watched(chat: Chat, id: string, text: string): Promise<number> {
  let end: ReturnType<typeof setTimeout> | undefined;
  let crashed: (() => void) | undefined;
  const death = new Promise<never>((_, reject) => {
    crashed = () => reject(new Error('The page died.'));
    chat.page.once('crash', crashed);
    end = setTimeout(() => reject(new Error('The page does not answer.')), 20_000);
  });
  try {
    return await Promise.race([draw(chat, id, text), death]);
  } finally {
    clearTimeout(end);
    if (crashed) chat.page.off('crash', crashed);
  }
}

/** Those that did harm once, or are of a kind that could. */
const named: Record<string, string> = {
  'fractions nested 150 deep': `$$${'\\frac{'.repeat(150)}x${'}{y}'.repeat(150)}$$`,
  'roots nested 200 deep': `$$${'\\sqrt{'.repeat(200)}x${'}'.repeat(200)}$$`,
  'roots nested 200 deep in a line': `so $${'\\sqrt{'.repeat(200)}x${'}'.repeat(200)}$`,
  'a definition used ten times': `$$\\def\\a{${'x'.repeat(4_600)}}${'\\a'.repeat(10)}$$`,
  'formulas of many signs, many times': `$$${'x+'.repeat(900)}x$$\n\n`.repeat(60),
  'elements nested in elements': `${'<blockquote><details open><ul><li>'.repeat(3_000)}x`,
  'tables nested in tables': '<table><tr><td>'.repeat(3_000),
  'a table of five thousand columns': `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n${`|${'b|'.repeat(5_000)}\n`.repeat(6)}`,
  'a table of wide rows': `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}\n${`|${'b|'.repeat(200)}\n`.repeat(250)}`,
  'lists in lists without end': Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join(
    '\n',
  ),
  'many definitions of links': Array.from({ length: 4_000 }, (_, index) => `[a${index}]: b`).join('\n'),
};

describe('hostile text', () => {
  const use = useChat({ ownProcess: true, viewport: { width: 400, height: 700 } });

  for (const [what, text] of Object.entries(named)) {
    it(`does not stop the page: ${what}`, async () => {
      const longest = await watched(use(), 'named', text);
      assert.ok(longest < STALL_MS, `the page did not answer for ${longest} ms`);
    });
  }

  it('fuzz: stops the page for no longer than a moment, and never for good', async function () {
    this.timeout(fuzzRuns(60_000));
    const chat = use();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        count += 1;
        const longest = await watched(chat, `f${count}`, text.slice(0, MAX_LENGTH));
        assert.ok(longest < STALL_MS, `the page did not answer for ${longest} ms`);
      }),
      // One after the other in one page, which a dead one ends: shrinking would need a new page for each.
      { numRuns: fuzzRuns(5), endOnFailure: true, ...seed() },
    );
    await chat.takeFaults();
  });
});

/** The same texts each time in the bounded run; others in a longer one. */
function seed(): { seed?: number } {
  return process.env['OFFSHOOT_FUZZ'] === undefined ? { seed: 2_026 } : {};
}
