import type { FileText, FileTexts } from '../../../host/fileTexts.ts';
import { isSecretName } from '../../../host/protectedFiles.ts';
import type { FoundFile, TextMatch, TextQuery, TextSearch } from './workspaceHost.ts';
import { ToolError } from '../toolError.ts';

/** How many files are searched, and their total size in bytes: each is fetched whole. */
const MAX_FILES = 2_000;
const MAX_READ = 50_000_000;

/** Larger files, in bytes, are not searched. */
const MAX_FILE_SIZE = 1_000_000;

const AT_ONCE = 16;

const MAX_PER_FILE = 50;

/** Finds and reads files where no programs can run. */
export interface WalkedFiles {
  /**
   * Files below a folder, without those usually ignored; one more than `limit` when there are more.
   * @param include a glob; undefined: all
   */
  find(folder: string, include: string | undefined, limit: number, signal: AbortSignal): Promise<FoundFile[]>;
  /** Undefined if it must not be read, or is too large. */
  read(uri: string, limit: number): Promise<Uint8Array | undefined>;
  readonly texts: FileTexts;
}

/** Searches by reading one file after another. Reports files that it did not reach. */
export function walkedSearch(files: WalkedFiles): TextSearch {
  return {
    find: async (folder, query, limit, signal, isWanted) => {
      const found = await listed(files, folder, query, signal);
      const isCut = found.length > MAX_FILES;
      const wanted = found.slice(0, MAX_FILES).filter(isWanted);
      const { matches, read } = await matchesIn(files, wanted, query, limit, signal);
      const leftOut = isCut || (read < wanted.length && matches.length <= limit);
      return { matches, ...(leftOut ? { note: note(Math.min(read, wanted.length)) } : {}) };
    },
    secretFiles: async (folder, query, signal) =>
      (await listed(files, folder, query, signal)).flatMap(({ uri, path }) =>
        isSecretName(path) ? [uri] : [],
      ),
  };
}

function note(read: number): string {
  return `[Only ${read} files were looked into: there are more, or they are large. Use include to name a folder.]`;
}

async function listed(
  files: WalkedFiles,
  folder: string,
  { include }: TextQuery,
  signal: AbortSignal,
): Promise<FoundFile[]> {
  const globs = include.length === 0 ? [undefined] : include;
  const found = new Map<string, FoundFile>();
  for (const glob of globs) {
    for (const file of await files.find(folder, glob, MAX_FILES, signal)) found.set(file.uri, file);
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function matchesIn(
  files: WalkedFiles,
  wanted: readonly FoundFile[],
  query: TextQuery,
  limit: number,
  signal: AbortSignal,
): Promise<{ matches: readonly TextMatch[]; read: number }> {
  const isMatch = lineTest(query);
  const matches: TextMatch[] = [];
  let [read, bytes] = [0, 0];
  while (read < wanted.length && bytes <= MAX_READ && matches.length <= limit) {
    signal.throwIfAborted();
    const some = wanted.slice(read, read + AT_ONCE);
    const contents = await Promise.all(some.map(({ uri }) => files.read(uri, MAX_FILE_SIZE)));
    for (const [index, file] of some.entries()) {
      const content = contents[index];
      bytes += content?.byteLength ?? 0;
      if (content) matches.push(...matchesOf(file, await files.texts.read(file.uri, content), isMatch));
    }
    read += some.length;
  }
  return { matches: matches.slice(0, limit + 1), read };
}

function matchesOf(file: FoundFile, content: FileText, isMatch: (line: string) => boolean): TextMatch[] {
  if (content.isBinary) return [];
  const found: TextMatch[] = [];
  for (const [index, text] of content.text.split(/\r?\n/u).entries()) {
    if (!isMatch(text)) continue;
    found.push({ ...file, line: index + 1, text });
    if (found.length >= MAX_PER_FILE) break;
  }
  return found;
}

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
