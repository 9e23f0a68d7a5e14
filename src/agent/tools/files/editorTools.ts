import { z } from 'zod';
import { limitedLines } from '../limited.ts';
import { defineTool, ToolError, type AgentTool } from '../tool.ts';
import { shownOf } from './readTools.ts';
import type { FileSymbol, WorkspaceHost } from './workspaceHost.ts';
import { resolvePath } from './workspacePaths.ts';

const MAX_DIAGNOSTICS = 200;
const MAX_SYMBOLS = 300;

/** Tools that ask the editor what it knows of the code. */
export function editorTools(host: WorkspaceHost): readonly AgentTool[] {
  return [
    defineTool({
      name: 'get_diagnostics',
      readsOnly: true,
      description: 'Lists the errors and warnings the editor shows, for one file or for the whole workspace.',
      input: z.object({ path: z.string().min(1).max(4_096).optional() }),
      run: async ({ path }) => {
        const folders = host.folders();
        const at = path === undefined ? undefined : (await resolvePath(folders, path)).fsPath;
        const lines = host
          .diagnostics(at)
          .filter(({ fsPath }) => shownOf(host, fsPath) !== fsPath)
          .map(({ fsPath, line, severity, message, source }) => {
            const from = source === undefined ? '' : ` (${source})`;
            return `${shownOf(host, fsPath)}:${line}: ${severity}: ${message.replaceAll('\n', ' ')}${from}`;
          });
        if (lines.length === 0) return { text: 'No problems.' };
        return { text: limitedLines(lines, MAX_DIAGNOSTICS, 'Ask for one file.') };
      },
    }),
    defineTool({
      name: 'find_symbols',
      readsOnly: true,
      description:
        'Finds functions, classes and other names: those defined in one file (path), or those of the workspace that ' +
        'match a name (query).',
      input: z.object({
        path: z.string().min(1).max(4_096).optional(),
        query: z.string().trim().min(1).max(500).optional(),
      }),
      run: async ({ path, query }, { signal }) => {
        const found = await symbols(host, path, query, signal);
        const lines = found
          .filter(({ fsPath }) => shownOf(host, fsPath) !== fsPath)
          .map(({ fsPath, line, name, kind, container }) => {
            const place = container === undefined || container === '' ? '' : ` in ${container}`;
            return `${shownOf(host, fsPath)}:${line}: ${kind} ${name}${place}`;
          });
        if (lines.length === 0) return { text: 'No symbols. The editor may not know this language.' };
        return { text: limitedLines(lines, MAX_SYMBOLS, 'Use a longer name, or ask for one file.') };
      },
    }),
  ];
}

async function symbols(
  host: WorkspaceHost,
  path: string | undefined,
  query: string | undefined,
  signal: AbortSignal,
): Promise<readonly FileSymbol[]> {
  if (path !== undefined) {
    const { fsPath } = await resolvePath(host.folders(), path);
    const all = await host.symbolsIn(fsPath, signal);
    const wanted = query?.toLowerCase();
    return wanted === undefined ? all : all.filter(({ name }) => name.toLowerCase().includes(wanted));
  }
  if (query === undefined) throw new ToolError('Give a path, or a query, or both.', 'invalid-input');
  return host.findSymbols(query, signal);
}
