/**
 * Limits for formulas. Nested ones are rendered recursively, in the library and in the browser: 150 nested fractions
 * crash the process that draws the window. All limits are far below values that were measured to be harmless.
 */

/** Nested groups, commands with arguments, environments and scripts. */
const MAX_NESTING = 30;

/** Commands and characters. */
const MAX_TOKENS = 1_000;

/** Separators of the cells and rows of an array. */
const MAX_CELLS = 400;

/** Commands that define commands: a few nested ones can grow without bound. */
const DEFINITIONS = new Set(
  'def gdef edef xdef let futurelet global long newcommand renewcommand providecommand'
    .split(' ')
    .map((name) => `\\${name}`),
);

const OPENING = new Set(['{', '\\begin', '\\left', '\\bgroup', '\\begingroup']);
const CLOSING = new Set(['}', '\\end', '\\right', '\\egroup', '\\endgroup']);

/** Everything from here to the end of the group is in one more element. */
const SWITCH =
  /^\\(?:color|(?:display|text|script|scriptscript)style|tiny|sixptsize|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge|rm|sf|tt|bf|it|cal|over|choose|atop|above|brace|brack)$/;

export function isWithinBounds(formula: string): boolean {
  let tokens = 0;
  let cells = 0;
  /** The levels of each open group: itself, and the switches in it. */
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

/** The maximum number of elements of one rendered formula, and their nesting. */
const MAX_ELEMENTS = 5_000;
const MAX_ELEMENT_DEPTH = 300;

/** The maximum number of elements in all formulas of one answer. */
export const MAX_ELEMENTS_IN_ANSWER = 15_000;

/** Undefined where there are too many for the page, or they are nested too deeply; it counts no further. */
export function weightOf(formula: Element): number | undefined {
  let count = 0;
  let depth = 0;
  let at: Element | null = formula;
  while (at) {
    count += 1;
    if (count > MAX_ELEMENTS || depth > MAX_ELEMENT_DEPTH) return undefined;
    if (at.firstElementChild) {
      at = at.firstElementChild;
      depth += 1;
      continue;
    }
    while (at && at !== formula && !at.nextElementSibling) {
      at = at.parentElement;
      depth -= 1;
    }
    if (!at || at === formula) break;
    at = at.nextElementSibling;
  }
  return count;
}
