import assert from 'node:assert/strict';
import { BlockReader } from '../../../src/webview/markdown/blocks.ts';

/** The formulas in a text. */
function formulasIn(text: string): string[] {
  const html = new BlockReader()
    .read(text)
    .map((block) => (block.kind === 'html' ? block.html : ''))
    .join('');
  return [...html.matchAll(/data-tex="([^"]*)"( data-display)?/g)].map(
    ([, formula, display]) => `${formula}${display === undefined ? '' : ' alone'}`,
  );
}

describe('formulas in Markdown', () => {
  for (const [text, expected] of Object.entries({
    'Let $a^2 + b^2$ be, and \\(c_1\\).': ['a^2 + b^2', 'c_1'],
    '$$\n\\int_0^1 x\n$$\n\nafter': ['\\int_0^1 x alone'],
    '\\[\nx\n= y\n\\]': ['x\n= y alone'],
    'so $$x$$ here': ['x alone'],
    'a_1 $x_1*y_2*z$ b_2': ['x_1*y_2*z'],
    '| a |\n| - |\n| $x$ |': ['x'],
    '- $x$\n': [],
    'It costs $5 or $10, $ 3 $ and 5$.': [],
    '$5-$10 and US$ 3': [],
    '`$x$` and \\$x\\$': [],
    '```\n$x$\n```': [],
    '$$ never closed': [],
    '$<script>alert(1)</script>$': ['&lt;script&gt;alert(1)&lt;/script&gt;'],
  })) {
    it(`are found, and prices are not: ${text}`, () => assert.deepEqual(formulasIn(text), expected));
  }

  it('are looked for in little time, whatever the text', () => {
    const start = performance.now();
    for (const piece of ['$', '$a', '\\(', '\\[', '$$a', '\n$$\n', '$a$1']) formulasIn(piece.repeat(20_000));
    assert.ok(performance.now() - start < 5_000, `${performance.now() - start} ms`);
  });
});
