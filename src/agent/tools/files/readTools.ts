import { open, readdir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { limitedLine, limitedLines } from '../limited.ts';
import { startOf } from '../storedStrings.ts';
import { defineTool, ToolError, type AgentTool } from '../tool.ts';
import type { WorkspaceHost } from './workspaceHost.ts';
import { isMissing, resolvePath, shownPath, type WorkspacePath } from './workspacePaths.ts';

/** What one reading gives at most. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;
/** Files larger than this, in bytes, are not read at all: no model wants them whole. */
const MAX_FILE_SIZE = 10_000_000;
const MAX_ENTRIES = 500;
const MAX_FOUND = 300;
const MAX_MATCHES = 200;

const pathInput = z.string().min(1).max(4_096);
const lineNumber = z.number().int().min(1);

/** Tools that look at the files of the workspace and change nothing. */
export function readTools(host: WorkspaceHost): readonly AgentTool[] {
  return [listFiles(host), findFiles(host), readFileTool(host), searchFiles(host)];
}

function listFiles(host: WorkspaceHost): AgentTool {
  return defineTool({
    name: 'list_files',
    readsOnly: true,
    description: 'Lists what is in a folder of the workspace. Folders end with a slash.',
    input: z.object({
      path: z.string().max(4_096).optional().describe('The folder; without it, the top of the workspace.'),
    }),
    run: async ({ path: given = '' }) => {
      const folders = host.folders();
      const isTop = /^[./\\\s]*$/u.test(given) && !given.includes('..');
      if (isTop && folders.length > 1) return { text: folders.map(({ name }) => `${name}/`).join('\n') };
      const at = await resolvePath(folders, isTop ? '.' : given);
      const entries = await readdir(at.fsPath, { withFileTypes: true }).catch((error: unknown) => {
        throw unreadable(at, error);
      });
      const names = entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`).sort();
      const text = limitedLines(names, MAX_ENTRIES, 'Use find_files with a pattern to narrow it down.');
      return { text: text === '' ? 'The folder is empty.' : text };
    },
  });
}

function findFiles(host: WorkspaceHost): AgentTool {
  return defineTool({
    name: 'find_files',
    readsOnly: true,
    description:
      'Finds files of the workspace by a glob pattern, such as `**/*.test.ts` or `src/**/index.*`.',
    input: z.object({ pattern: z.string().trim().min(1).max(1_000) }),
    run: async ({ pattern }, { signal }) => {
      const found = await host.findFiles(pattern, MAX_FOUND, signal);
      const shown = found.map((file) => shownOf(host, file)).sort();
      if (shown.length === 0) return { text: 'No file matches.' };
      return { text: limitedLines(shown, MAX_FOUND, 'Use a narrower pattern.') };
    },
  });
}

function readFileTool(host: WorkspaceHost): AgentTool {
  return defineTool({
    name: 'read_file',
    readsOnly: true,
    description: `Reads a text file of the workspace, at most ${MAX_LINES} lines at once. Lines count from 1; endLine is read too.`,
    input: z.object({ path: pathInput, startLine: lineNumber.optional(), endLine: lineNumber.optional() }),
    run: async ({ path: given, startLine = 1, endLine }) => {
      const at = await resolvePath(host.folders(), given);
      const text = textOf(at, await readWhole(at));
      const lines = text.split('\n');
      if (lines.at(-1) === '') lines.pop();
      if (startLine > Math.max(1, lines.length)) {
        throw new ToolError(`${at.shown} has ${lines.length} lines only.`, 'no-such-line');
      }
      const wanted = lines.slice(startLine - 1, Math.min(endLine ?? lines.length, startLine - 1 + MAX_LINES));
      const body = startOf(wanted.join('\n'), MAX_CHARACTERS);
      const count = body.length < wanted.join('\n').length ? body.split('\n').length : wanted.length;
      const last = startLine - 1 + count;
      const asked = Math.min(endLine ?? lines.length, lines.length);
      const notes = [
        ...(last < asked || body.length < wanted.join('\n').length
          ? [`… [lines ${last + 1}–${asked} of ${lines.length} left out: read on with startLine ${last + 1}]`]
          : []),
        ...(host.hasUnsavedChanges(at.fsPath)
          ? [
              '[The person has changes of this file in the editor that are not saved; this is what is on the disk.]',
            ]
          : []),
      ];
      const head = `${at.shown}, lines ${startLine}–${last} of ${lines.length}:`;
      return {
        text: [lines.length === 0 ? `${at.shown} is empty.` : `${head}\n${body}`, ...notes].join('\n'),
      };
    },
  });
}

function searchFiles(host: WorkspaceHost): AgentTool {
  return defineTool({
    name: 'search_files',
    readsOnly: true,
    description: 'Finds text in the files of the workspace. Gives path, line number and line of each match.',
    input: z.object({
      query: z.string().min(1).max(2_000),
      isRegex: z.boolean().optional().describe('The query is a regular expression. Default: false.'),
      matchCase: z.boolean().optional().describe('Default: false.'),
      include: z.string().trim().min(1).max(1_000).optional().describe('A glob of files to look into.'),
    }),
    run: async ({ query, isRegex = false, matchCase = false, include }, { signal }) => {
      const folders = host.folders();
      if (folders.length === 0) throw new ToolError('No folder is open in the editor.', 'no-folder');
      const wanted = { text: query, isRegex, matchCase, include: include === undefined ? [] : [include] };
      const lines: string[] = [];
      for (const { root } of folders) {
        for (const match of await host.search(root, wanted, MAX_MATCHES, signal)) {
          lines.push(`${shownOf(host, match.fsPath)}:${match.line}: ${limitedLine(match.text.trim(), 300)}`);
        }
      }
      if (lines.length === 0) return { text: 'No match.' };
      if (lines.length <= MAX_MATCHES) return { text: lines.join('\n') };
      const shown = lines.slice(0, MAX_MATCHES).join('\n');
      return { text: `${shown}\n… [there are more. Use a narrower query, or include.]` };
    },
  });
}

/**
 * The bytes of a file.
 * @throws ToolError when it is not there, no file, or too large
 */
export async function readWhole(at: WorkspacePath): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(at.fsPath, 'r');
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new ToolError(`${at.shown} is a folder. Use list_files.`, 'is-folder');
    // Reading a pipe or a device may never end.
    if (!stat.isFile()) throw new ToolError(`${at.shown} is not a file.`, 'not-a-file');
    if (stat.size > MAX_FILE_SIZE) {
      throw new ToolError(
        `${at.shown} is too large to read (${stat.size} bytes). Use search_files.`,
        'too-large',
      );
    }
    return await handle.readFile();
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw unreadable(at, error);
  } finally {
    await handle?.close();
  }
}

/** The text of a file. @throws ToolError when its bytes are none */
export function textOf(at: WorkspacePath, bytes: Uint8Array): string {
  if (bytes.subarray(0, 8_000).includes(0)) {
    throw new ToolError(`${at.shown} is not a text file.`, 'binary');
  }
  return new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
}

function unreadable(at: WorkspacePath, error: unknown): ToolError {
  if (isMissing(error))
    return new ToolError(`There is no ${at.shown === '' ? 'such folder' : at.shown}.`, 'not-found');
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new ToolError(`${at.shown} cannot be read${code}.`, 'unreadable', { cause: error });
}

/** A real path as the model and the person name it. */
export function shownOf(host: Pick<WorkspaceHost, 'folders'>, fsPath: string): string {
  const folders = host.folders();
  const folder = folders.find(({ root }) => fsPath.startsWith(root + path.sep));
  if (!folder) return fsPath;
  return shownPath(folders, folder, path.relative(folder.root, fsPath).replaceAll(path.sep, '/'));
}
