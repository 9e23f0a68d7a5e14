/**
 * What of formulas is laid out at all. Nested ones are laid out by recursion, in the library and in the browser: 150
 * fractions in one another end the process that draws the window. Everything here stays far below what was measured to
 * be harmless.
 */

/** Groups, commands with arguments, environments and scripts in one another. */
const MAX_NESTING = 30;

/** Commands and signs. */
const MAX_TOKENS = 2_000;

/** What parts the cells and the rows of an array. */
const MAX_CELLS = 600;

/** What defines commands: a few of them in one another grow without bound. */
const DEFINITIONS = new Set(
  'def gdef edef xdef let futurelet global long newcommand renewcommand providecommand'
    .split(' ')
    .map((name) => `\\${name}`),
);

const OPENING = new Set(['{', '\\begin', '\\left', '\\bgroup', '\\begingroup']);
const CLOSING = new Set(['}', '\\end', '\\right', '\\egroup', '\\endgroup']);

/** From here to the end of the group all of it stands inside one more element. */
const SWITCH =
  /^\\(?:color|(?:display|text|script|scriptscript)style|tiny|sixptsize|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge|rm|sf|tt|bf|it|cal|over|choose|atop|above|brace|brack)$/;

/** Whether a formula is small and flat enough to be handed to the library. */
export function isWithinBounds(formula: string): boolean {
  let tokens = 0;
  let cells = 0;
  /** How many levels each open group counts for: itself, and the switches in it. */
  const levels: number[] = [0];
  let depth = 0;
  for (const [token] of formula.matchAll(/\\(?:[a-zA-Z@]+|[^])|[^\s]/gu)) {
    tokens += 1;
    if (tokens > MAX_TOKENS || DEFINITIONS.has(token)) return false;
    if (token === '&' || token === '\\\\' || token === '\\cr') cells += 1;
    if (cells > MAX_CELLS) return false;
    if (OPENING.has(token)) {
      levels.push(1);
      depth += 1;
    } else if (CLOSING.has(token)) {
      if (levels.length > 1) depth -= levels.pop() ?? 0;
    } else if (SWITCH.test(token)) {
      levels[levels.length - 1] = (levels.at(-1) ?? 0) + 1;
      depth += 1;
    }
    if (depth > MAX_NESTING) return false;
  }
  return true;
}
