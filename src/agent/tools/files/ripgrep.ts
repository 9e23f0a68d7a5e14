import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { isSecretName } from '../../../platform/secretFiles.ts';
import { ToolError } from '../toolError.ts';
import type { TextMatch, TextQuery, TextSearch } from './workspaceHost.ts';

/** Matches in one file after which the next is looked into. */
const MAX_PER_FILE = 50;

/** Files with names like secrets that are told of. */
const MAX_LISTED = 1_000;

/** The line of a command must not become too long. */
const FOLDERS_AT_ONCE = 100;

/** ripgrep's own words for a match; bytes that are no text come as base64, and are left out. */
const matchLine = z.object({
  type: z.literal('match'),
  data: z.object({
    path: z.object({ text: z.string() }),
    lines: z.object({ text: z.string() }),
    line_number: z.number(),
  }),
});

/**
 * Searches with ripgrep, which takes time that is linear in the text for any expression, so that no query can hang it.
 * It follows no links, opens no pipes, and heeds `.gitignore`, whatever is to be looked into.
 * @param executable where ripgrep is; undefined: nowhere
 */
export function ripgrepSearch(executable: () => string | undefined): TextSearch {
  return {
    find: (root, query, limit, signal, isWanted) =>
      withCommand(executable, query, async (command, included) => {
        const matches = await find({ command, root, signal }, query, included, limit, isWanted);
        const files = new Set(matches.map(({ fsPath }) => fsPath));
        const wanted = await onlyIncluded({ command, root, signal }, query, files);
        return matches
          .filter(({ fsPath }) => wanted.has(fsPath))
          .sort((a, b) => (a.fsPath === b.fsPath ? a.line - b.line : a.fsPath < b.fsPath ? -1 : 1));
      }),
    secretFiles: (root, query, signal) =>
      withCommand(executable, query, async (command, included) => {
        const isSecret = (file: string): boolean => isSecretName(file.replaceAll(path.sep, '/'));
        const found = await listFiles({ command, root, signal }, included, isSecret);
        return [...(await onlyIncluded({ command, root, signal }, query, new Set(found)))];
      }),
  };
}

interface Search {
  readonly command: string;
  readonly root: string;
  readonly signal: AbortSignal;
}

/**
 * A glob given to ripgrep brings back what `.gitignore` leaves out. A file of what to ignore counts less than
 * `.gitignore`, so it says: nothing but this.
 */
async function withCommand<T>(
  executable: () => string | undefined,
  { include }: TextQuery,
  work: (command: string, included: readonly string[]) => Promise<T>,
): Promise<T> {
  const command = executable();
  if (command === undefined) {
    throw new ToolError(
      'Text search is not available in this editor. Use find_files and read_file.',
      'no-search',
    );
  }
  if (include.length === 0) return work(command, []);
  const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-search-'));
  try {
    const file = path.join(folder, 'include');
    const rules = include.map((glob) => (glob.startsWith('!') ? glob.slice(1) : `!${glob}`));
    const isOnlyThese = include.some((glob) => !glob.startsWith('!'));
    await writeFile(file, [...(isOnlyThese ? ['*', '!*/'] : []), ...rules, ''].join('\n'));
    return await work(command, [`--ignore-file=${file}`]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function find(
  search: Search,
  query: TextQuery,
  included: readonly string[],
  limit: number,
  isWanted: (fsPath: string) => boolean,
): Promise<TextMatch[]> {
  const matches: TextMatch[] = [];
  const code = await run(search, [...included, ...matchArguments(query)], (line) => {
    const match = readMatch(line, search.root);
    if (match && isWanted(match.fsPath)) matches.push(match);
    return matches.length <= limit;
  });
  // With 2, what was found before the error still counts.
  if (code.status === 2 && matches.length === 0) {
    throw new ToolError(`The search cannot be done: ${code.problem}`, 'invalid-query');
  }
  return matches;
}

/** The files that would be searched, as real paths. */
async function listFiles(
  search: Search,
  options: readonly string[],
  isWanted: (file: string) => boolean,
): Promise<string[]> {
  const files: string[] = [];
  await run(search, ['--files', ...options, ...COMMON, '--', '.'], (file) => {
    if (isWanted(path.normalize(file))) files.push(path.resolve(search.root, file));
    return files.length < MAX_LISTED;
  });
  return files;
}

/** Of these files, those that are to be looked into: a `.gitignore` may have brought back others. */
async function onlyIncluded(
  { command, root, signal }: Search,
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
  const folders = [
    ...new Set([...files].map((file) => `.${path.sep}${path.relative(root, path.dirname(file))}`)),
  ];
  for (let start = 0; start < folders.length; start += FOLDERS_AT_ONCE) {
    const some = folders.slice(start, start + FOLDERS_AT_ONCE);
    await run({ command, root, signal }, [...options, '--', ...some], (file) => {
      const real = path.resolve(root, file);
      if (files.has(real)) wanted.add(real);
      return true;
    });
  }
  return wanted;
}

/** Runs ripgrep until `onLine` has enough. @returns how it ended; 1 means that nothing was found */
async function run(
  { command, root, signal }: Search,
  options: readonly string[],
  onLine: (line: string) => boolean,
): Promise<{ status: number | null; problem: string }> {
  signal.throwIfAborted();
  const child = spawn(command, options, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], signal });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (problem = (problem + text).slice(0, 2_000)));
  for await (const line of createInterface({ input: child.stdout })) {
    if (onLine(line)) continue;
    child.kill();
    break;
  }
  return { status: await ended, problem: problem.trim() };
}

const COMMON = [
  '--no-config',
  '--hidden',
  // `.gitignore` counts also where there is no repository around it.
  '--no-require-git',
  // The last one wins: no pattern can bring it back.
  '--glob=!**/.git',
];

/** Each value is part of its option, so that none can be read as an option of its own. */
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

function readMatch(line: string, root: string): TextMatch | undefined {
  const read = matchLine.safeParse(JSON.parse(line));
  if (!read.success) return undefined;
  const { path: file, lines, line_number: number } = read.data.data;
  return { fsPath: path.resolve(root, file.text), line: number, text: lines.text.replace(/\r?\n$/u, '') };
}
