import { z } from 'zod';
import { uriBelow } from '../../../host/fileUri.ts';
import type { ProgramEnd, Programs } from '../../../host/programs.ts';
import { isSecretName } from '../../../host/protectedFiles.ts';
import { ToolError } from '../toolError.ts';
import type { FoundFile, TextMatch, TextQuery, TextSearch } from './workspaceHost.ts';

const MAX_PER_FILE = 50;

/** The most files with secret-like names that are listed. */
const MAX_LISTED = 1_000;

/** Keeps the command line from becoming too long. */
const FOLDERS_AT_ONCE = 100;

/** ripgrep's match record; bytes that are not text arrive as base64, and are omitted. */
const matchLine = z.object({
  type: z.literal('match'),
  data: z.object({
    path: z.object({ text: z.string() }),
    lines: z.object({ text: z.string() }),
    line_number: z.number(),
  }),
});

/**
 * Searches with ripgrep, whose time is linear in the text for any expression, so that no query can hang. Follows no
 * links, opens no pipes, and always respects `.gitignore`.
 */
export function ripgrepSearch(programs: Programs): TextSearch {
  return {
    find: (folder, query, limit, signal, isWanted) =>
      withProgram(programs, query, async (program, included) => {
        const search = { programs, program, folder, signal };
        const matches = await find(search, query, included, limit, isWanted);
        const files = new Set(matches.map(({ path }) => path));
        const wanted = await onlyIncluded(search, query, files);
        return {
          matches: matches
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

async function find(
  search: Search,
  query: TextQuery,
  included: readonly string[],
  limit: number,
  isWanted: (file: FoundFile) => boolean,
): Promise<TextMatch[]> {
  const matches: TextMatch[] = [];
  const code = await run(search, [...included, ...matchArguments(query)], (line) => {
    const match = readMatch(line, search);
    if (match && isWanted(match)) matches.push(match);
    return matches.length <= limit;
  });
  // With status 2, results found before the error are still valid.
  if (code.status === 2 && matches.length === 0) {
    throw new ToolError(`The search cannot be done: ${code.problem}`, 'invalid-query');
  }
  return matches;
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

/** Runs ripgrep until `onLine` has enough. @returns the exit status; 1 means that nothing was found */
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
    '--max-filesize=10M',
    matchCase ? '--case-sensitive' : '--ignore-case',
    ...(isRegex ? [] : ['--fixed-strings']),
    `--regexp=${text}`,
    '--',
    '.',
  ];
}

function readMatch(line: string, search: Search): TextMatch | undefined {
  const read = matchLine.safeParse(JSON.parse(line));
  if (!read.success) return undefined;
  const { path: file, lines, line_number: number } = read.data.data;
  const path = pathBelow(file.text, search);
  return {
    uri: uriBelow(search.folder, path),
    path,
    line: number,
    text: lines.text.replace(/\r?\n$/u, ''),
  };
}
