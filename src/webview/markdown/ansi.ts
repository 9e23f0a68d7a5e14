import Anser from 'anser';
import ansiRegex from 'ansi-regex';

/** Longer text, in UTF-16 units, is shown without colors. */
const MAX_COLORED = 100_000;

export interface AnsiPiece {
  readonly text: string;
  readonly classes: string;
}

const CODES = ansiRegex();

/** The remaining codes that are not interpreted: cut-off ones, and other control characters. */
// eslint-disable-next-line no-control-regex -- It is control characters that are looked for.
const REST = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u009f]/g;

export function hasAnsi(text: string): boolean {
  return text.includes('\u001b') || text.includes('\u009b');
}

export function withoutAnsi(text: string): string {
  return hasAnsi(text) ? cleaned(text) : text;
}

/** A text in pieces with the colors of its codes; all other codes are left out. */
export function ansiPieces(text: string): readonly AnsiPiece[] {
  if (text.length > MAX_COLORED) return [{ text: withoutAnsi(text), classes: '' }];
  return Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true }).map(
    ({ content, fg, bg, decorations }) => ({
      text: cleaned(content),
      classes: [
        ...(isColor(fg) ? [`${fg}-fg`] : []),
        ...(isColor(bg) ? [`${bg}-bg`] : []),
        ...decorations.map((each) => `ansi-${each}`),
      ].join(' '),
    }),
  );
}

function cleaned(text: string): string {
  return text.replaceAll(CODES, '').replaceAll(REST, '');
}

/** One of the sixteen colors that a theme has. */
function isColor(name: unknown): name is string {
  return typeof name === 'string' && /^ansi-(?:bright-)?[a-z]+$/.test(name) && name !== 'ansi-truecolor';
}
