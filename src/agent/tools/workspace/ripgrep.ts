import { z } from 'zod';
import { PromiseCache } from '../../../base/promiseCache.ts';
import { fromBase64 } from '../../../engine/bytes.ts';
import { uriBelow } from '../../../host/fileUri.ts';
import type { ProgramEnd, Programs } from '../../../host/programs.ts';
import { isSecretName } from '../../../host/protectedFiles.ts';
import type { TextEncodings } from '../../../host/textEncodings.ts';
import { ToolError } from '../toolError.ts';
import type { FoundFile, TextMatch, TextMatches, TextQuery, TextSearch } from './workspaceHost.ts';

const MAX_PER_FILE = 50;

/** The most files with secret-like names that are listed. */
const MAX_LISTED = 1_000;

/** Keeps the command line from becoming too long. */
const FOLDERS_AT_ONCE = 100;

/** How many matches are looked at more closely in each pass, where files have several encodings. */
const MAX_SIFTED = 2_000;

/** Text, or the base64 of bytes that are not UTF-8. */
const written = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);

/** ripgrep's match record. */
const matchLine = z.object({
  type: z.literal('match'),
  data: z.object({ path: written, lines: written, line_number: z.number() }),
});

/** The encodings of searched files, as `TextEncodings` has them. */
export interface SearchEncodings extends Pick<TextEncodings, 'decode'> {
  /** Those that files of a folder may have, and those that are guessed by the content of a file. */
  inUse(folder: string): Promise<{ readonly set: readonly string[]; readonly guessed: readonly string[] }>;
  ofFile(uri: string): Promise<string>;
}

/**
 * Searches with ripgrep, whose time is linear in the text for any expression, so that no query can hang. Follows no
 * links, opens no pipes, and always respects `.gitignore`. Each file is searched in its own encoding: ripgrep reads all
 * files of one run in the same, but for those with a byte order mark.
 */
export function ripgrepSearch(programs: Programs, encodings: SearchEncodings): TextSearch {
  return {
    find: (folder, query, limit, signal, isWanted) =>
      withProgram(programs, query, async (program, included) => {
        const search = { programs, program, folder, signal };
        const found = await findInAll(encodings, { search, query, included, limit, isWanted });
        const files = new Set(found.matches.map(({ path }) => path));
        const wanted = await onlyIncluded(search, query, files);
        return {
          ...found,
          matches: found.matches
            .filter(({ path }) => wanted.has(path))
            .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1)),
        };
      }),
    secretFiles: (folder, query, signal) =>
      withProgram(programs, query, async (program, included) => {
        const search = { programs, program, folder, signal };
        const found = await listFiles(search, included, isSecretName);
        const wanted = await onlyIncluded(search, query, new Set(found));
        return Array.from(wanted, (path) => uriBelow(folder, path));
      }),
  };
}

interface Search {
  readonly programs: Programs;
  readonly program: string;
  /** Its URI. File paths are relative to it. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A glob passed to ripgrep overrides `.gitignore`; an ignore file that excludes all but those included does not. */
async function withProgram<T>(
  programs: Programs,
  { include }: TextQuery,
  work: (program: string, included: readonly string[]) => Promise<T>,
): Promise<T> {
  const program = programs.ripgrep();
  if (program === undefined) {
    throw new ToolError(
      'Text search is not available in this editor. Use find_files and read_file.',
      'no-search',
    );
  }
  if (include.length === 0) return work(program, []);
  const rules = include.map((glob) => (glob.startsWith('!') ? glob.slice(1) : `!${glob}`));
  const isOnlyThese = include.some((glob) => !glob.startsWith('!'));
  const text = [...(isOnlyThese ? ['*', '!*/'] : []), ...rules, ''].join('\n');
  return programs.withTextFile(text, (file) => work(program, [`--ignore-file=${file}`]));
}

interface Wanted {
  readonly search: Search;
  readonly query: TextQuery;
  readonly included: readonly string[];
  readonly limit: number;
  readonly isWanted: (file: FoundFile) => boolean;
}

async function findInAll(encodings: SearchEncodings, wanted: Wanted): Promise<TextMatches> {
  const { search, query, limit } = wanted;
  const { set, guessed } = await encodings.inUse(search.folder);
  // ASCII is the same bytes in all that are guessed.
  const isAscii = !query.isRegex && Array.from(query.text).every((letter) => letter <= '\u007f');
  const others = [...new Set([...set, ...(isAscii ? [] : guessed)])].filter(
    (each) => labelOf(each) !== undefined,
  );
  const readings = new PromiseCache<string>();
  const ofFile = (uri: string): Promise<string> => readings.get(uri, () => encodings.ofFile(uri));
  const found = new Map<string, TextMatch>();
  const outcome: { isCut: boolean; problem?: string | undefined } = { isCut: false };
  /** Keeps the matches in files whose encoding is that of the pass. */
  const keep = async (pass: Pass, isMeant: (encoding: string) => boolean): Promise<void> => {
    outcome.isCut ||= pass.matches.length > MAX_SIFTED;
    outcome.problem ??= pass.problem;
    for (const { lines, ...match } of pass.matches) {
      const encoding = others.length > 0 || 'bytes' in lines ? await ofFile(match.uri) : 'utf8';
      if (!isMeant(encoding)) continue;
      const text = 'text' in lines ? lines.text : await encodings.decode(fromBase64(lines.bytes), encoding);
      found.set(`${match.path}:${match.line}`, { ...match, text: text.replace(/\r?\n$/u, '') });
    }
  };
  const most = others.length > 0 ? MAX_SIFTED : limit;
  await keep(await find(wanted, [], most), (encoding) => !others.includes(encoding));
  for (const encoding of others) {
    if (found.size > limit) break;
    await keep(await find(wanted, [`--encoding=${labelOf(encoding)}`], most), (each) => each === encoding);
  }
  if (found.size <= limit) await keep(await findInUtf16(wanted), () => true);
  // Results found before an error are still valid.
  if (found.size === 0 && outcome.problem !== undefined) {
    throw new ToolError(`The search cannot be done: ${outcome.problem}`, 'invalid-query');
  }
  return {
    matches: [...found.values()].slice(0, limit + 1),
    ...(outcome.isCut && found.size <= limit ? { note: CUT } : {}),
  };
}

const CUT =
  '[There may be more: too much was found to look into all of it. Use a narrower query, or include.]';

/** Searches files in UTF-16 without a byte order mark, which ripgrep takes for binary. */
async function findInUtf16(wanted: Wanted): Promise<Pass> {
  const { search, included, limit } = wanted;
  const files: string[] = [];
  const list = ['--files-with-matches', '--multiline', '--text', ...UTF16.map((each) => `--regexp=${each}`)];
  await run(search, [...included, ...COMMON, ...SIZE, ...list, '--', '.'], (file) => {
    files.push(`./${pathBelow(file, search)}`);
    return files.length < MAX_LISTED;
  });
  const matches: RawMatch[] = [];
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const some = files.slice(start, start + FILES_AT_ONCE);
    // In the other byte order a file holds other letters, which nobody looks for.
    for (const label of ['utf-16le', 'utf-16be']) {
      matches.push(...(await find(wanted, [`--encoding=${label}`], limit, some)).matches);
    }
  }
  return { matches };
}

/** The beginnings of such files, as `utf16Of` recognizes them, but only their first two characters. */
const UTF16 = [
  String.raw`\A(?-u:(?:[\x09\x0A\x0C\x0D\x20-\xFF]\x00){2})`,
  String.raw`\A(?-u:(?:\x00[\x09\x0A\x0C\x0D\x20-\xFF]){2})`,
];

/** Keeps the command line from becoming too long. */
const FILES_AT_ONCE = 100;

interface Pass {
  readonly matches: readonly RawMatch[];
  /** What ripgrep complained of. */
  readonly problem?: string;
}

/** @param files their paths from the folder; by default all below it */
async function find(
  { search, query, included, isWanted }: Wanted,
  options: readonly string[],
  limit: number,
  files: readonly string[] = ['.'],
): Promise<Pass> {
  const matches: RawMatch[] = [];
  const records = new JsonLines();
  const all = [...included, ...options, ...matchArguments(query), ...files];
  const { status, problem } = await run(search, all, (line) => {
    const match = readMatch(records.read(line), search);
    if (match && isWanted(match)) matches.push(match);
    return matches.length <= limit;
  });
  return { matches, ...(status === 2 ? { problem } : {}) };
}

/** The files that would be searched. */
async function listFiles(
  search: Search,
  options: readonly string[],
  isWanted: (path: string) => boolean,
): Promise<string[]> {
  const files: string[] = [];
  await run(search, ['--files', ...options, ...COMMON, '--', '.'], (file) => {
    const path = pathBelow(file, search);
    if (isWanted(path)) files.push(path);
    return files.length < MAX_LISTED;
  });
  return files;
}

/** Filters files to those that should be searched: a `.gitignore` may have added others. */
async function onlyIncluded(
  search: Search,
  { include }: TextQuery,
  files: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (include.length === 0 || files.size === 0) return files;
  const wanted = new Set<string>();
  const options = [
    '--files',
    '--no-ignore',
    '--max-depth=1',
    ...include.map((glob) => `--glob=${glob}`),
    ...COMMON,
  ];
  const folders = [...new Set(Array.from(files, (path) => `./${path.slice(0, path.lastIndexOf('/') + 1)}`))];
  for (let start = 0; start < folders.length; start += FOLDERS_AT_ONCE) {
    const some = folders.slice(start, start + FOLDERS_AT_ONCE);
    await run(search, [...options, '--', ...some], (file) => {
      const path = pathBelow(file, search);
      if (files.has(path)) wanted.add(path);
      return true;
    });
  }
  return wanted;
}

/** Runs ripgrep until `onLine` has enough. @returns the exit status; 1 means no match */
function run(
  { programs, ...start }: Search,
  options: readonly string[],
  onLine: (line: string) => boolean,
): Promise<ProgramEnd> {
  return programs.run({ ...start, options }, onLine);
}

/** ripgrep's output starts with the folder it was given. */
function pathBelow(written: string, { programs: { separator } }: Search): string {
  const parts = written.split(separator).flatMap((part) => part.split('/'));
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

const COMMON = [
  '--no-config',
  '--hidden',
  // Respects `.gitignore` even outside a repository.
  '--no-require-git',
  // The last one wins: no pattern can override it.
  '--glob=!**/.git',
];

/** Each value is attached to its option, so that it cannot be read as a separate option. */
function matchArguments({ text, isRegex, matchCase }: TextQuery): string[] {
  return [
    ...COMMON,
    '--json',
    '--crlf',
    `--max-count=${MAX_PER_FILE}`,
    ...SIZE,
    matchCase ? '--case-sensitive' : '--ignore-case',
    ...(isRegex ? [] : ['--fixed-strings']),
    `--regexp=${text}`,
    '--',
  ];
}

const SIZE = ['--max-filesize=10M'];

interface RawMatch extends FoundFile {
  readonly line: number;
  readonly lines: z.infer<typeof written>;
}

/** Undefined for other records, and for a file whose name is no text: no tool could name it. */
function readMatch(record: unknown, search: Search): RawMatch | undefined {
  const { data: read } = matchLine.safeParse(record);
  if (!read) return undefined;
  const { path: file, lines, line_number: line } = read.data;
  if (!('text' in file)) return undefined;
  const path = pathBelow(file.text, search);
  return { uri: uriBelow(search.folder, path), path, line, lines };
}

/** JSON on lines, which may come in parts: U+2028 and U+2029 also end a line, and JSON may hold them as they are. */
class JsonLines {
  private begun = '';

  /** Undefined until a value is complete. */
  read(line: string): unknown {
    const text = this.begun === '' ? line : `${this.begun}\u2028${line}`;
    try {
      const value: unknown = JSON.parse(text);
      this.begun = '';
      return value;
    } catch {
      // The rest is yet to come.
      this.begun = text;
      return undefined;
    }
  }
}

/** An encoding of the editor as https://encoding.spec.whatwg.org names it; undefined for UTF-8, and where it does not. */
function labelOf(encoding: string): string | undefined {
  if (encoding === 'utf8' || encoding === 'utf8bom') return undefined;
  const known = LABELS[encoding];
  if (known !== undefined) return known;
  const [, page] = /^windows(\d+)$/u.exec(encoding) ?? [];
  if (page !== undefined) return `windows-${page}`;
  const [, part] = /^iso8859(\d+)$/u.exec(encoding) ?? [];
  return part === undefined ? undefined : `iso-8859-${part}`;
}

const LABELS: Readonly<Record<string, string>> = {
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  shiftjis: 'shift_jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  gbk: 'gbk',
  gb2312: 'gb2312',
  gb18030: 'gb18030',
  cp950: 'big5',
  big5hkscs: 'big5-hkscs',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  cp866: 'ibm866',
  macroman: 'macintosh',
};
