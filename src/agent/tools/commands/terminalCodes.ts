/** A piece of what is written to a terminal. */
export type Sequence =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'control'; readonly char: string }
  /** `CSI numbers final`; private ones begin with `?`, `<`, `=` or `>`. */
  | { readonly kind: 'csi' | 'private'; readonly final: string; readonly numbers: readonly number[] }
  | { readonly kind: 'escape'; readonly final: string }
  /** A title, a link, a mark: what is not drawn. */
  | { readonly kind: 'string' };

const ESC = '\u001b';

/** Titles, links, marks and the like end with BEL or ST. One that does not end on its line is none. */
const STRING_START = `(?:${ESC}[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])`;
const STRING_END = `(?:\\u0007|${ESC}\\\\|\\u009C)`;

/** Every piece of a text, in its order: see ECMA-48, section 5.4 and 8.3. */
export const sequences = new RegExp(
  [
    '[^\\p{Cc}]+',
    `(?:${ESC}\\[|\\u009B)[0-?]*[ -/]*[@-~]`,
    `${STRING_START}[^\\u0007${ESC}\\u009C\\n]*${STRING_END}`,
    `${ESC}[ -/]*[0-~]`,
    '\\p{Cc}',
  ].join('|'),
  'gu',
);

const csi = new RegExp(`^(?:${ESC}\\[|\\u009B)([<-?]?)([0-?]*)([ -/]*)([@-~])$`, 'u');
const text = /^[^\p{Cc}]/u;

/** How many numbers of a code are read. */
const MAX_NUMBERS = 32;

/** @param written one match of {@link sequences} */
export function readSequence(written: string): Sequence {
  if (text.test(written)) return { kind: 'text', text: written };
  if (written.length === 1) return { kind: 'control', char: written };
  const [, mode, numbers = '', between, final = ''] = csi.exec(written) ?? [];
  if (between === '') {
    return {
      kind: mode === '' ? 'csi' : 'private',
      final,
      numbers: numbers.split(/[;:]/, MAX_NUMBERS).map((each) => Number.parseInt(each, 10) || 0),
    };
  }
  // With an intermediate character it has another meaning, which is none for what is read here.
  return between === undefined && written.length === 2
    ? { kind: 'escape', final: written.slice(1) }
    : { kind: 'string' };
}

interface Cursor {
  readonly row: number;
  readonly column: number;
}

/**
 * Where a code moves the cursor, which may be beyond what there is; undefined: it is no such code.
 * @param lines the one that codes take for the first, and the last one that a move down reaches
 */
export function cursorAfter(
  final: string,
  [first = 0, second = 0]: readonly number[],
  { row, column }: Cursor,
  lines: { readonly top: number; readonly bottom: number },
): Cursor | undefined {
  const by = Math.max(1, first);
  const below = Math.min(row + by, lines.bottom);
  switch (final) {
    case 'A':
      return { row: row - by, column };
    case 'B':
      return { row: below, column };
    case 'C':
      return { row, column: column + by };
    case 'D':
      return { row, column: column - by };
    case 'E':
      return { row: below, column: 0 };
    case 'F':
      return { row: row - by, column: 0 };
    case 'G':
    case '`':
      return { row, column: by - 1 };
    case 'd':
      return { row: lines.top + by - 1, column };
    case 'H':
    case 'f':
      return { row: lines.top + by - 1, column: Math.max(1, second) - 1 };
    default:
      return undefined;
  }
}
