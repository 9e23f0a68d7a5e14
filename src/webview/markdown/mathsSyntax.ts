import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import { escapeHtml } from './htmlBounds.ts';

/** Longer formulas, in UTF-16 units, are shown as source: rendering them would block the page. */
const INLINE = '{1,2000}?';

/** `$…$` is as in Pandoc: no blank inside the dollars, no digit after them, so that prices stay prices. */
const FORMULA = new RegExp(
  [
    `^\\$\\$(?!\\$)(?<display>[^$\\n]${INLINE})\\$\\$`,
    `^\\$(?![\\s$])(?<inline>(?:\\\\[^\\n]|[^\\\\$\\n])${INLINE})(?<!\\s)\\$(?!\\d)`,
    `^\\\\\\((?<round>[^\\n]${INLINE})\\\\\\)`,
    `^\\\\\\[(?<square>[^\\n]${INLINE})\\\\\\]`,
  ].join('|'),
);

const DISPLAY =
  /^ {0,3}(?:\$\$[ \t]*\n?(?<dollars>[^$]{1,5000}?)\n?[ \t]*\$\$|\\\[[ \t]*\n?(?<square>(?:[^\\]|\\(?!\[)){1,5000}?)\\\])[ \t]*(?:\n+|$)/;

/** Text between two prices: a number, and words. */
const AMOUNT = /^\d[\d.,]*[kKmMbB]?\s+[a-z]{2,}/;

interface Formula extends Tokens.Generic {
  readonly formula: string;
  readonly isDisplay: boolean;
}

function isFormula(token: Tokens.Generic): token is Formula {
  return typeof token['formula'] === 'string';
}

/** A placeholder for the page to render, with the source until then. */
function asHtml(token: Tokens.Generic): string {
  if (!isFormula(token)) return '';
  const { formula, isDisplay, raw } = token;
  const span = `<span data-tex="${escapeHtml(formula)}"${isDisplay ? ' data-display="true"' : ''}>${escapeHtml(raw.trim())}</span>`;
  return token.type === 'display' ? `<p>${span}</p>\n` : span;
}

const extensions: TokenizerAndRendererExtension[] = [
  {
    name: 'display',
    level: 'block',
    start: (source) => firstOf(source.indexOf('\n$$'), source.indexOf('\n\\[')),
    tokenizer: (source) => {
      const match = DISPLAY.exec(source);
      const formula = match?.groups?.['dollars'] ?? match?.groups?.['square'];
      if (!match || formula === undefined || formula.trim() === '') return undefined;
      return { type: 'display', raw: match[0], formula: formula.trim(), isDisplay: true };
    },
    renderer: asHtml,
  },
  {
    name: 'formula',
    level: 'inline',
    start: (source) => firstOf(source.indexOf('$'), source.indexOf('\\('), source.indexOf('\\[')),
    tokenizer: (source) => {
      const match = FORMULA.exec(source);
      const { display, inline, round, square } = match?.groups ?? {};
      const formula = display ?? inline ?? round ?? square;
      if (!match || formula === undefined || formula.trim() === '') return undefined;
      if (inline !== undefined && AMOUNT.test(inline)) return undefined;
      const isDisplay = display !== undefined || square !== undefined;
      return { type: 'formula', raw: match[0], formula: formula.trim(), isDisplay };
    },
    renderer: asHtml,
  },
];

function firstOf(...places: readonly number[]): number | undefined {
  const found = places.filter((place) => place >= 0);
  return found.length > 0 ? Math.min(...found) : undefined;
}

const { extensions: known } = new Marked({ extensions }).defaults;

export const mathsSyntax = { extensions: known ?? null };

/** A text with more display formula openings is not about maths, and parsing it takes long. */
const MAX_DISPLAYS = 500;

export function mayHaveMaths(text: string): boolean {
  if (!text.includes('$') && !text.includes('\\(') && !text.includes('\\[')) return false;
  let count = 0;
  for (const _ of text.matchAll(/^ {0,3}(?:\$\$|\\\[)/gm)) if (++count > MAX_DISPLAYS) return false;
  return true;
}
