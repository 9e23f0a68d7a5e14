/** A range of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Place {
  /** The selection in the editor: code replaces it. */
  readonly selection?: Span | undefined;
  /** The position of the cursor: code that replaces nothing is inserted there, else at the end. */
  readonly cursor?: number | undefined;
}

/** The share of a file's lines that a piece of code must contain to count as the whole file. */
const WHOLE = 0.6;

/**
 * A file after a piece of code from an answer was put where it belongs: in place of the selection, of the whole file if
 * it is a version of that, or of the functions, classes and so on that it redefines. It is a proposal: the user sees it
 * as a comparison first.
 */
export function placeCode(before: string, code: string, { selection, cursor }: Place = {}): string {
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const piece = withoutLastLineEnds(code.replaceAll(/\r?\n/g, lineEnd));
  if (selection && selection.end > selection.start) {
    return before.slice(0, selection.start) + piece + before.slice(selection.end);
  }
  const whole = `${piece}${lineEnd}`;
  if (before.trim() === '') return whole;
  const lines = before.split(/\r?\n/);
  const chunks = chunksOf(piece.split(/\r?\n/));
  if (isWholeFile(lines, piece.split(/\r?\n/))) return whole;
  const replaced = replaceChunks(lines, chunks);
  if (replaced) return replaced.join(lineEnd);
  if (cursor !== undefined) return before.slice(0, cursor) + piece + before.slice(cursor);
  return `${withoutLastLineEnds(before)}${lineEnd}${lineEnd}${whole}`;
}

function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= text[end - 2] === '\r' ? 2 : 1;
  return text.slice(0, end);
}

function isWholeFile(file: readonly string[], piece: readonly string[]): boolean {
  if (piece.some((line) => ELISION.test(line))) return false;
  // A part that repeats in the file is not the whole file.
  const filled = (lines: readonly string[]): number => lines.filter((line) => line.trim() !== '').length;
  if (filled(piece) < filled(file) * WHOLE) return false;
  const telling = (lines: readonly string[]): Set<string> =>
    new Set(lines.map((line) => line.trim()).filter((line) => line.length > 3));
  const held = telling(piece);
  const all = telling(file);
  if (all.size === 0) return false;
  const shared = [...all].filter((line) => held.has(line)).length;
  return shared / all.size >= WHOLE;
}

/** "The rest is unchanged", as models write it. */
const ELISION = /^\s*(?:\/\/|#|--|\/\*|<!--|;)\s*(?:\.\.\.|…)/;

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#include\b|use\s|using\s|require\b|const .*= require\()/;

/** A definition, by a word for its kind and its name; the words before it may differ. */
const DEFINITION =
  /^\s*(?:(?:export|default|async|public|private|protected|internal|static|abstract|final|override|pub(?:\([^)]*\))?|unsafe|declare|readonly)\s+)*(?<kind>function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|sub|module|namespace|const|let|var|val)\s+(?<name>[\p{L}\p{N}_$]+)/u;

/** A piece of code: a definition with its body, or the lines in between. */
interface Chunk {
  readonly lines: string[];
  /** The line of the definition, counted from the first of the chunk; −1 if there is none. */
  definedAt: number;
  hasImports: boolean;
}

function chunksOf(lines: readonly string[]): Chunk[] {
  const layout = layoutOf(lines);
  const chunks: Chunk[] = [];
  for (let at = 0; at < lines.length;) {
    if (layout.indents[at] === BLANK) {
      at += 1;
      continue;
    }
    const end = blockEnd(lines, layout, at);
    const chunk = chunkOf(lines.slice(at, end + 1));
    const last = chunks.at(-1);
    // A comment or a decorator belongs to what follows; imports stay together.
    const joins = last !== undefined && last.definedAt < 0 && last.hasImports === chunk.hasImports;
    if (joins) {
      if (chunk.definedAt >= 0) last.definedAt = last.lines.length + chunk.definedAt;
      for (const line of chunk.lines) last.lines.push(line);
    } else chunks.push(chunk);
    at = end + 1;
  }
  return chunks;
}

function chunkOf(lines: string[]): Chunk {
  return {
    lines,
    definedAt: lines.findIndex((line) => DEFINITION.test(line)),
    hasImports: lines.some((line) => IMPORT.test(line)),
  };
}

const BLANK = -1;

/** The layout of the lines, computed once: each is looked up many times. */
interface Layout {
  /** The indentation of each line; `BLANK` for an empty one. */
  readonly indents: Int32Array;
  /** The next line with content after each; the number of lines if there is none. */
  readonly nextFilled: Int32Array;
  /** The first line of the block without blank lines that contains each line. */
  readonly blockTop: Int32Array;
}

function layoutOf(lines: readonly string[]): Layout {
  const indents = Int32Array.from(lines, (line) => (line.trim() === '' ? BLANK : indentOf(line)));
  const nextFilled = new Int32Array(lines.length);
  for (let at = lines.length - 1, next = lines.length; at >= 0; at--) {
    nextFilled[at] = next;
    if (indents[at] !== BLANK) next = at;
  }
  const blockTop = new Int32Array(lines.length);
  for (let at = 0, top = 0; at < lines.length; at++) {
    blockTop[at] = top;
    if (indents[at] === BLANK) top = at + 1;
  }
  return { indents, nextFilled, blockTop };
}

/** The last line of what begins here: all lines indented further, and what closes it. */
function blockEnd(lines: readonly string[], { indents, nextFilled }: Layout, start: number): number {
  const base = indents[start] ?? 0;
  let end = start;
  for (let at = nextFilled[start] ?? lines.length; at < lines.length; at = nextFilled[at] ?? lines.length) {
    const indent = indents[at] ?? 0;
    if (indent > base) end = at;
    else if (indent === base && /^\s*(?:[)\]}]|end\b)/.test(lines[at] ?? '')) {
      end = at;
      if (!/[({[:]$/.test((lines[at] ?? '').trimEnd())) break;
    } else break;
  }
  return end;
}

function indentOf(line: string): number {
  return (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly lines: string[];
}

/** Undefined if the file defines none of it. Looks up positions once, so that the time is linear in the input. */
function replaceChunks(file: readonly string[], chunks: readonly Chunk[]): string[] | undefined {
  const layout = layoutOf(file);
  const definitions = definitionsIn(file);
  const isTaken = new Uint8Array(file.length);
  const replacements: Replacement[] = [];
  const waiting: Chunk[] = [];
  for (const chunk of chunks) {
    const last = replacements.at(-1);
    const place = placeOf(file, layout, definitions, chunk);
    // If two chunks have the same place, the second one is new.
    const at = place && !isTaken.subarray(place.start, place.end + 1).includes(1) ? place : undefined;
    if (at) {
      isTaken.fill(1, at.start, at.end + 1);
      const lines = indented(chunk.lines, layout.indents[at.start] ?? 0, file[at.start] ?? '');
      replacements.push({ ...at, lines });
    } else if (last === undefined || chunk.hasImports) waiting.push(chunk);
    else {
      last.lines.push('');
      for (const line of chunk.lines) last.lines.push(line);
    }
  }
  if (replacements.length === 0) return undefined;
  return withBeginning(waiting, replaceLines(file, replacements));
}
function replaceLines(file: readonly string[], replacements: readonly Replacement[]): string[] {
  const replaced: string[] = [];
  let at = 0;
  for (const { start, end, lines } of replacements.toSorted((a, b) => a.start - b.start)) {
    for (; at < start; at++) replaced.push(file[at] ?? '');
    for (const line of lines) replaced.push(line);
    at = end + 1;
  }
  for (; at < file.length; at++) replaced.push(file[at] ?? '');
  return replaced;
}

/** Adds imports after the existing ones, without those that exist already; everything else goes to the beginning. */
function withBeginning(chunks: readonly Chunk[], file: readonly string[]): string[] {
  const known = new Set(file);
  const imports: string[] = [];
  const others: string[] = [];
  for (const { lines, hasImports } of chunks) {
    if (lines.every((line) => ELISION.test(line))) continue;
    if (!hasImports) {
      for (const line of lines) others.push(line);
      others.push('');
      continue;
    }
    const fresh = lines.filter((line) => !known.has(line));
    for (const line of fresh) {
      imports.push(line);
      known.add(line);
    }
  }
  const last = file.findLastIndex((line) => IMPORT.test(line) && indentOf(line) === 0);
  if (last >= 0) return [...others, ...file.slice(0, last + 1), ...imports, ...file.slice(last + 1)];
  if (imports.length > 0) imports.push('');
  return [...imports, ...others, ...file];
}

/** Where each definition is, by its kind and name; undefined if there are several. */
function definitionsIn(file: readonly string[]): Map<string, number | undefined> {
  const places = new Map<string, number | undefined>();
  for (const [at, line] of file.entries()) {
    const defined = definitionIn(line);
    if (defined !== undefined) places.set(defined, places.has(defined) ? undefined : at);
  }
  return places;
}

/** Where the file has the same definition, if only once. */
function placeOf(
  file: readonly string[],
  layout: Layout,
  definitions: ReadonlyMap<string, number | undefined>,
  { lines, definedAt }: Chunk,
): { start: number; end: number } | undefined {
  const wanted = definitionIn(lines[definedAt]);
  const start = wanted === undefined ? undefined : definitions.get(wanted);
  if (start === undefined) return undefined;
  const end = blockEnd(file, layout, start);
  // Comments above it are replaced if both sides have some that begin in the same way.
  const top = definedAt > 0 ? (layout.blockTop[start] ?? start) : start;
  const hasSame = definedAt > 0 && file[top]?.trim().slice(0, 2) === lines[0]?.trim().slice(0, 2);
  return { start: hasSame ? top : start, end };
}

function definitionIn(line: string | undefined): string | undefined {
  const groups = line === undefined ? undefined : DEFINITION.exec(line)?.groups;
  return groups && `${groups['kind']} ${groups['name']}`;
}

function indented(lines: readonly string[], wanted: number, sample: string): string[] {
  const least = lines.reduce(
    (min, line) => (line.trim() === '' ? min : Math.min(min, indentOf(line))),
    Infinity,
  );
  const more = wanted - least;
  if (more <= 0) return [...lines];
  const blanks = sample.startsWith('\t') ? '\t'.repeat(more / 4) : ' '.repeat(more);
  return lines.map((line) => (line.trim() === '' ? line : blanks + line));
}
