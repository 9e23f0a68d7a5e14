import assert from 'node:assert/strict';
import { isWithinBounds } from '../../../src/webview/markdown/mathsBounds.ts';

describe('bounds of formulas', () => {
  const nested = (open: string, close: string, depth: number): string =>
    `${open.repeat(depth)}x${close.repeat(depth)}`;

  for (const [what, formula] of Object.entries({
    'a fraction': '\\frac{1}{2}',
    'fractions in ten fractions': nested('\\frac{', '}{y}', 10),
    'a matrix of ten by ten': `\\begin{pmatrix}${`${'1 & '.repeat(9)}1\\\\`.repeat(10)}\\end{pmatrix}`,
    'a long sum': Array.from({ length: 100 }, (_, index) => `x_{${index}}`).join(' + '),
    'a text with braces': '\\left\\{ x \\mid x > 0 \\right\\}',
    'colors one after the other': '{\\color{red}x}'.repeat(50),
    'braces that do not match': '}}}} x {{',
  })) {
    it(`take ${what}`, () => assert.ok(isWithinBounds(formula)));
  }

  for (const [what, formula] of Object.entries({
    'fractions nested 150 deep': nested('\\frac{', '}{y}', 150),
    'roots nested 200 deep': nested('\\sqrt{', '}', 200),
    'delimiters in one another': nested('\\left(', '\\right)', 40),
    'environments in one another': nested('\\begin{matrix}', '\\end{matrix}', 40),
    'scripts in one another': nested('x^{', '}', 40),
    'groups by name': nested('\\bgroup ', '\\egroup ', 40),
    'styles that hold all that follows': '\\displaystyle'.repeat(40),
    'colors that hold all that follows': '\\color{red}'.repeat(40),
    'a definition that is used': `\\def\\a{${'x'.repeat(4_600)}}${'\\a'.repeat(10)}`,
    'another way to define': '\\newcommand{\\a}{\\b\\b}\\a',
    'a name given to a command': '\\let\\a=\\frac \\a12',
    'five thousand signs': 'x'.repeat(5_000),
    'very many cells': `\\begin{matrix}${'&'.repeat(450)}\\end{matrix}`,
    'a thousand columns': `\\begin{matrix}${'&'.repeat(1_000)}\\end{matrix}`,
    'a thousand rows': `\\begin{matrix}${'\\\\'.repeat(1_000)}\\end{matrix}`,
  })) {
    it(`refuse ${what}`, () => assert.equal(isWithinBounds(formula), false));
  }
});
