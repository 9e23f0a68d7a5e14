import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { z } from 'zod';
import type { ThemeRule } from './themeRules.ts';

export { tokenStylesOf } from './themeRules.ts';

/** How many files a theme may consist of, each including the next. */
const MAX_FILES = 10;

const rule = z.object({
  scope: z.union([z.string(), z.array(z.string())]).optional(),
  settings: z.object({ foreground: z.string().optional(), fontStyle: z.string().optional() }).default({}),
});

const themeFile = z.object({
  include: z.string().optional(),
  /** A string is the name of a file in TextMate's own format. */
  tokenColors: z.union([z.string(), z.array(rule)]).optional(),
});

export function rulesOf(tokenColors: unknown): ThemeRule[] {
  const read = z.array(rule).safeParse(tokenColors);
  if (!read.success) return [];
  return read.data.map(({ scope = '', settings }) => ({ selectors: selectorsOf(scope), ...settings }));
}

/** The included rules come first. @param read gives a file's text by its path, relative to the file that names it */
export async function readTheme(
  file: string,
  read: (file: string, from: string | undefined) => Promise<{ readonly at: string; readonly text: string }>,
): Promise<ThemeRule[]> {
  const parts: ThemeRule[][] = [];
  let next: string | undefined = file;
  let from: string | undefined;
  for (let count = 0; next !== undefined && count < MAX_FILES; count++) {
    const { at, text } = await read(next, from);
    const errors: ParseError[] = [];
    const content = themeFile.safeParse(parse(text, errors, { allowTrailingComma: true }));
    if (!content.success) break;
    parts.unshift(rulesOf(content.data.tokenColors));
    next = content.data.include;
    from = at;
  }
  return parts.flat();
}

/** A selector of several words applies only inside something that is unknown here. */
function selectorsOf(scope: string | readonly string[]): string[] {
  const selectors = typeof scope === 'string' ? scope.split(',') : scope.flatMap((each) => each.split(','));
  return selectors
    .map((selector) => selector.trim())
    .filter((selector) => selector !== '' && !/[\s(]/.test(selector));
}

// Others import these from here: imported in two places, jsonc would become a file of its own.
export const jsonc = { applyEdits, modify, parse };
