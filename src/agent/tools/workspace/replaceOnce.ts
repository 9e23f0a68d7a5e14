import { ToolError } from '../toolError.ts';

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** Each in the result of the previous ones, all or none. @throws ToolError for the first that fails, naming it */
export function replaceEach(name: string, text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((current, { oldText, newText }, index) => {
    try {
      return replaceOnce(name, current, oldText, newText.toWellFormed());
    } catch (error) {
      if (replacements.length === 1 || !(error instanceof ToolError)) throw error;
      throw new ToolError(
        `Edit ${index + 1} of ${replacements.length} cannot be made, so none was: ${error.message}`,
        error.code,
        { cause: error },
      );
    }
  }, text);
}

const MAX_NAMED = 5;

/**
 * Replaces the only occurrence of `oldText`. A file with CRLF is matched by text with LF, and gets CRLF: models see
 * and write LF.
 * @throws ToolError when there is none or more than one, with hints to find it
 */
export function replaceOnce(name: string, text: string, oldText: string, newText: string): string {
  if (oldText === newText) throw new ToolError('oldText and newText are the same.', 'no-change');
  const [wanted, replacement] = asInFile(text, oldText, newText);
  const places = occurrences(text, wanted);
  const [place] = places;
  if (place === undefined) throw notFound(name, text, oldText);
  if (places.length > 1) {
    const lines = places.slice(0, MAX_NAMED).map((at) => lineAt(text, at));
    throw new ToolError(
      `oldText is found ${places.length} times in ${name}, at lines ${lines.join(', ')}` +
        `${places.length > MAX_NAMED ? ', …' : ''}. Take more of the lines around the one you mean.`,
      'not-unique',
    );
  }
  return text.slice(0, place) + replacement + text.slice(place + wanted.length);
}

function asInFile(text: string, oldText: string, newText: string): [string, string] {
  const isCrlf = text.includes('\r\n') && !oldText.includes('\r\n');
  if (!isCrlf) return [oldText, newText];
  const withCrlf = (value: string): string => value.replaceAll(/\r?\n/gu, '\r\n');
  // A file with mixed line ends may contain it in either form.
  return oldText.includes('\n') && occurrences(text, oldText, 1).length > 0
    ? [oldText, newText]
    : [withCrlf(oldText), withCrlf(newText)];
}

function notFound(name: string, text: string, oldText: string): ToolError {
  const first = oldText.split('\n').find((line) => line.trim() !== '');
  const near = first === undefined ? -1 : text.split('\n').findIndex((line) => line.trim() === first.trim());
  const hint =
    near >= 0
      ? ` Its first line is like line ${near + 1}; blanks or what follows differ.`
      : ' Nothing like its first line is there.';
  return new ToolError(
    `oldText is not found in ${name}. It has to match exactly.${hint} Read the file again.`,
    'not-found',
  );
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/**
 * The positions of a text in another one. They may overlap: `aa` occurs twice in `aaa`. The time is linear in both
 * lengths for any content (Knuth, Morris and Pratt), while `indexOf` may compare each position with all of a
 * repetitive text.
 * @param limit stop after this many positions
 */
export function occurrences(text: string, wanted: string, limit = Infinity): number[] {
  const places: number[] = [];
  if (wanted === '' || wanted.length > text.length) return places;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length && places.length < limit; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched += 1;
    if (matched < wanted.length) continue;
    places.push(at - matched + 1);
    matched = borders[matched - 1] ?? 0;
  }
  return places;
}

/** For each prefix of the text: the length of its longest proper prefix that is also its suffix. */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (wanted.charCodeAt(length) === unit) length += 1;
    borders[at] = length;
  }
  return borders;
}
