/** A piece of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Place {
  /** What is selected in the editor: code goes in its stead. */
  readonly selection?: Span | undefined;
  /** Where the cursor stands: code that replaces nothing goes there, else to the end. */
  readonly cursor?: number | undefined;
}

/** Of the lines of a file, the share that a piece of code has to hold to count as the whole file. */
const WHOLE = 0.6;

/**
 * A file after a piece of code from an answer has been put where it belongs: in the stead of what is selected, of the
 * whole file where it is a version of that, or of the functions, classes and so on that it defines anew. It is a
 * proposal: the person sees it as a comparison first.
 */
export function placeCode(before: string, code: string, { selection, cursor }: Place = {}): string {
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const piece = code.replaceAll(/\r?\n/g, lineEnd).replace(/(?:\r?\n)+$/, '');
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
  return `${before.replace(/(?:\r?\n)+$/, '')}${lineEnd}${lineEnd}${whole}`;
}

function isWholeFile(file: readonly string[], piece: readonly string[]): boolean {
  if (piece.some((line) => ELISION.test(line))) return false;
  // A part that repeats itself in the file is not the whole of it.
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

/** "The rest stays as it is", as models write it. */
const ELISION = /^\s*(?:\/\/|#|--|\/\*|<!--|;)\s*(?:\.\.\.|…)/;

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#include\b|use\s|using\s|require\b|const .*= require\()/;

/** What is defined, by a word for its kind and its name; words before it may differ. */
const DEFINITION =
  /^\s*(?:(?:export|default|async|public|private|protected|internal|static|abstract|final|override|pub(?:\([^)]*\))?|unsafe|declare|readonly)\s+)*(?<kind>function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|sub|module|namespace|const|let|var|val)\s+(?<name>[\p{L}\p{N}_$]+)/u;

/** The pieces of code that stand side by side: each a definition with what is in it, or lines between. */
function chunksOf(lines: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at]?.trim() === '') {
      at += 1;
      continue;
    }
    const end = blockEnd(lines, at);
    const chunk = lines.slice(at, end + 1);
    const last = chunks.at(-1);
    // A comment or a decorator belongs to what follows; imports stand together.
    const joins = last && !last.some((line) => DEFINITION.test(line)) && isImport(last) === isImport(chunk);
    if (joins) last.push(...chunk);
    else chunks.push(chunk);
    at = end + 1;
  }
  return chunks;
}

function isImport(lines: readonly string[]): boolean {
  return lines.some((line) => IMPORT.test(line));
}

/** The last line of what begins here: all that stands further in, and what closes it. */
function blockEnd(lines: readonly string[], start: number): number {
  const base = indentOf(lines[start] ?? '');
  let end = start;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (indentOf(line) > base) end = at;
    else if (indentOf(line) === base && /^\s*(?:[)\]}]|end\b)/.test(line)) {
      end = at;
      if (!/[({[:]\s*$/.test(line)) break;
    } else break;
  }
  return end;
}

function indentOf(line: string): number {
  return (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
}

/** Puts each chunk in the stead of what it defines anew; undefined where there is nothing of the kind. */
function replaceChunks(
  file: readonly string[],
  chunks: readonly (readonly string[])[],
): string[] | undefined {
  let lines = [...file];
  /** Behind which line the next new chunk goes, once one has found its place. */
  let after: number | undefined;
  const waiting: (readonly string[])[] = [];
  for (const chunk of chunks) {
    const at = chunk.some((line) => DEFINITION.test(line)) ? placeOf(lines, chunk) : undefined;
    if (at) {
      const piece = indented(chunk, indentOf(lines[at.start] ?? ''), lines[at.start] ?? '');
      lines = [...lines.slice(0, at.start), ...piece, ...lines.slice(at.end + 1)];
      after = at.start + piece.length - 1;
    } else if (after === undefined || isImport(chunk)) waiting.push(chunk);
    else {
      lines.splice(after + 1, 0, '', ...chunk);
      after += chunk.length + 1;
    }
  }
  if (after === undefined) return undefined;
  for (const chunk of waiting.toReversed()) lines = atTop(lines, chunk);
  return lines;
}

/** Imports go behind those that are there, without those that are there already; everything else to the beginning. */
function atTop(file: readonly string[], chunk: readonly string[]): string[] {
  if (chunk.every((line) => ELISION.test(line))) return [...file];
  if (!isImport(chunk)) return [...chunk, '', ...file];
  const fresh = chunk.filter((line) => !file.includes(line));
  const last = file.findLastIndex((line) => IMPORT.test(line) && indentOf(line) === 0);
  const gap = last < 0 && fresh.length > 0 ? [''] : [];
  return [...file.slice(0, last + 1), ...fresh, ...gap, ...file.slice(last + 1)];
}

/** Where in the file the same is defined, once. */
function placeOf(
  file: readonly string[],
  chunk: readonly string[],
): { start: number; end: number } | undefined {
  const first = chunk.findIndex((line) => DEFINITION.test(line));
  const wanted = definitionIn(chunk[first]);
  const places = file.flatMap((line, index) => (definitionIn(line) === wanted ? [index] : []));
  const [start] = places;
  if (wanted === undefined || start === undefined || places.length > 1) return undefined;
  const end = blockEnd(file, start);
  // Comments over it are replaced where there are some on both sides that begin alike.
  const above = chunk.slice(0, first);
  const top =
    above.length > 0 ? file.findLastIndex((line, index) => index < start && line.trim() === '') + 1 : start;
  const hasSame = above.length > 0 && file[top]?.trim().slice(0, 2) === above[0]?.trim().slice(0, 2);
  return { start: hasSame ? top : start, end };
}

function definitionIn(line: string | undefined): string | undefined {
  const groups = line === undefined ? undefined : DEFINITION.exec(line)?.groups;
  return groups && `${groups['kind']} ${groups['name']}`;
}

/** As far in as what it replaces. */
function indented(lines: readonly string[], wanted: number, sample: string): string[] {
  const more = wanted - Math.min(...lines.filter((line) => line.trim() !== '').map(indentOf));
  if (more <= 0) return [...lines];
  const blanks = sample.startsWith('\t') ? '\t'.repeat(more / 4) : ' '.repeat(more);
  return lines.map((line) => (line.trim() === '' ? line : blanks + line));
}
