/** Lines of a file. */
export interface LinePlace {
  /** With `/` between its parts. */
  readonly path: string;
  /** From 1, both inclusive. */
  readonly first: number;
  readonly last: number;
}

/** Lines, from 1, both inclusive. */
export type Lines = Pick<LinePlace, 'first' | 'last'>;

/** `src/x.ts:10-20`, `src/x.ts:10`, `src/x.ts#L10-L20`; after a line, a column is ignored. */
const typed = /^(?:file:)?(.*?[^\s:#/\\])(?::|#L)(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7})|:\d+)?$/u;

/** Undefined: it is nothing of that form. */
export function readLinePlace(query: string): LinePlace | undefined {
  const [, path, first, last] = typed.exec(query.trim().replaceAll(/^"|"$/gu, '')) ?? [];
  if (path === undefined || Number(first) === 0) return undefined;
  return { path: withSlashes(path), ...linesFrom(first, last) };
}

/** How a place is typed. */
export function linePlaceText({ path, first, last }: LinePlace): string {
  return first === last ? `${path}:${first}` : `${path}:${first}-${last}`;
}

export function doOverlap(a: Lines, b: Lines): boolean {
  return a.first <= b.last && b.first <= a.last;
}

/** How much is read around the name of a file, in UTF-16 units. */
const BEFORE = 300;
const AFTER = 60;

/** What ends a path that is written in front of the name of a file. */
const folders = /[^\s`"'()[\]{}<>*|]*$/u;

const to = String.raw`(?:\s?(?:[-–—~]|to|bis|到|至)\s?L?(\d{1,7}))?`;
/** `:10`, `#L10-L20`, `(10,5)`, `, line 10`, ` (lines 10 to 20)`, ` 第10行`; what quotes the name may end first. */
const linesAfter = new RegExp(
  String.raw`^[${'`'}'"*\])]*(?::L?|#L|\(|[,:]?\s*\(?(?:lines?|L|Zeilen?)\s*|\s*第\s*)(\d{1,7})${to}`,
  'iu',
);
/** `lines 10–20 of …`. */
const linesBefore = new RegExp(
  String.raw`\b(?:lines?|Zeilen?)\s+(\d{1,7})${to}\s+(?:of|in|von)\s+(?:the file\s+|file\s+)?[${'`'}'"*[(]*$`,
  'iu',
);

/** Where a text names lines of a file, with the place in the text. */
export function linesNamedIn(text: string, path: string): (Lines & { readonly at: number })[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const found: (Lines & { readonly at: number })[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before = text.slice(Math.max(0, at - BEFORE), at);
    const folder = folders.exec(before)?.[0] ?? '';
    if (!isSameFile(folder + name, path)) continue;
    const [, first, last] =
      linesAfter.exec(text.slice(at + name.length, at + name.length + AFTER)) ??
      linesBefore.exec(before.slice(0, before.length - folder.length)) ??
      [];
    if (first !== undefined) found.push({ ...linesFrom(first, last), at: at - folder.length });
  }
  return found;
}

/**
 * Whether a path that was written somewhere may be that of a file in a folder: it has more folders in front, as an
 * absolute one has, or fewer.
 */
export function isSameFile(written: string, path: string): boolean {
  const plain = withSlashes(written).replace(/^(?:\.?\/)+/u, '');
  return plain === path || path.endsWith(`/${plain}`) || plain.endsWith(`/${path}`);
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

function linesFrom(first: string | undefined, last: string | undefined): Lines {
  const [start, end] = [Number(first), Number(last ?? first)];
  return { first: Math.min(start, end), last: Math.max(start, end) };
}
