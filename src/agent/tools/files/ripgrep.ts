import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ToolError } from '../tool.ts';
import type { TextMatch, TextQuery, TextSearch } from './workspaceHost.ts';

/** Matches in one file after which the next is looked into. */
const MAX_PER_FILE = 50;

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
 * It follows no links and heeds `.gitignore`.
 * @param executable where ripgrep is; undefined: nowhere
 */
export function ripgrepSearch(executable: () => string | undefined): TextSearch {
  return async (root, query, limit, signal) => {
    const command = executable();
    if (command === undefined) {
      throw new ToolError(
        'Text search is not available in this editor. Use find_files and read_file.',
        'no-search',
      );
    }
    return run(command, root, query, limit, signal);
  };
}

async function run(
  command: string,
  root: string,
  query: TextQuery,
  limit: number,
  signal: AbortSignal,
): Promise<TextMatch[]> {
  signal.throwIfAborted();
  const child = spawn(command, argumentsFor(query), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], signal });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (problem = (problem + text).slice(0, 2_000)));
  const matches: TextMatch[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const match = readMatch(line, root);
    if (match) matches.push(match);
    if (matches.length > limit) {
      child.kill();
      break;
    }
  }
  const code = await ended;
  // 1 means that nothing was found; with 2, what was found before the error still counts.
  if (code === 2 && matches.length === 0) {
    throw new ToolError(`The search cannot be done: ${problem.trim()}`, 'invalid-query');
  }
  return matches.sort((a, b) => (a.fsPath === b.fsPath ? a.line - b.line : a.fsPath < b.fsPath ? -1 : 1));
}

/** Each value is part of its option, so that none can be read as an option of its own. */
function argumentsFor({ text, isRegex, matchCase, include }: TextQuery): string[] {
  return [
    '--no-config',
    '--json',
    '--hidden',
    '--crlf',
    `--max-count=${MAX_PER_FILE}`,
    '--max-filesize=10M',
    matchCase ? '--case-sensitive' : '--ignore-case',
    ...(isRegex ? [] : ['--fixed-strings']),
    ...include.map((glob) => `--glob=${glob}`),
    // The last one wins: no pattern can bring it back.
    '--glob=!**/.git/**',
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
