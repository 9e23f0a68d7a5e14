import { ToolError } from '../toolError.ts';
import type { TextQuery } from './workspaceHost.ts';

/** Longer lines were not written by hand; expressions are not tried on them. */
const MAX_LINE = 1_000;

/** How many unbounded repeats an expression may have: each multiplies the cost of a line. */
const MAX_REPEATS = 6;

/**
 * Tests whether a line matches a query. A JavaScript expression can run forever and cannot be stopped, so risky
 * expressions are refused.
 * @throws ToolError for a risky or invalid expression
 */
export function lineTest({ text, isRegex, matchCase }: TextQuery): (line: string) => boolean {
  if (!isRegex) {
    if (matchCase) return (line) => line.includes(text);
    const wanted = text.toLowerCase();
    return (line) => line.toLowerCase().includes(wanted);
  }
  refuseEndless(text);
  const expression = compiled(text, matchCase);
  return (line) => line.length <= MAX_LINE && expression.test(line);
}

function compiled(text: string, matchCase: boolean): RegExp {
  try {
    return new RegExp(text, matchCase ? 'u' : 'iu');
  } catch {
    try {
      // With `u`, meaningless escapes are errors, although other programs accept them.
      return new RegExp(text, matchCase ? '' : 'i');
    } catch (error) {
      throw new ToolError(
        `The search cannot be done: ${error instanceof Error ? error.message : 'it is no expression'}`,
        'invalid-query',
        { cause: error },
      );
    }
  }
}

/** Nested repeats and backreferences can take unlimited time. */
function refuseEndless(text: string): void {
  const plain = text
    .replaceAll(/\\[1-9k]/gu, '\u0000')
    .replaceAll(/\\./gsu, 'x')
    .replaceAll(/\[[^\]]*\]/gu, 'x');
  const repeats = plain.match(/[*+]|\{\d*,\d*\}/gu)?.length ?? 0;
  if (!plain.includes('\u0000') && !/\(\?<?[=!]/u.test(plain) && repeats <= MAX_REPEATS && !nests(plain))
    return;
  throw new ToolError(
    'This expression might take too long here. Use a simpler one: without references, look-arounds, and repeats in repeats.',
    'invalid-query',
  );
}

/** Whether a repeated group contains a repeat or an alternation. */
function nests(plain: string): boolean {
  const open: boolean[] = [];
  for (let at = 0; at < plain.length; at += 1) {
    const mark = plain.charAt(at);
    if (mark === '(') open.push(false);
    else if (mark === ')') {
      const isRich = open.pop() ?? false;
      const isRepeated = /^(?:[*+]|\{\d*,\d*\}|\{\d{2,}\})/u.test(plain.slice(at + 1));
      if (isRich && isRepeated) return true;
      if (isRich && open.length > 0) open[open.length - 1] = true;
    } else if (/[*+{|]/u.test(mark)) {
      if (open.length > 0) open[open.length - 1] = true;
    }
  }
  return false;
}
