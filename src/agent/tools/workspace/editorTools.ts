import { z } from 'zod';
import type { GuardedFiles } from '../../../host/guardedFiles.ts';
import { limitedLines } from '../textLimits.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { ToolError } from '../toolError.ts';
import { guarded } from './guarded.ts';
import { askToRead, pathInput, SeenFiles } from './readTools.ts';
import type { FileSymbol, WorkspaceHost } from './workspaceHost.ts';

const MAX_DIAGNOSTICS = 200;
const MAX_SYMBOLS = 300;

export const editorTools = (host: WorkspaceHost) =>
  [
    defineTool({
      name: 'get_diagnostics',
      readsOnly: true,
      description: 'Lists the errors and warnings the editor shows, for one file or for the whole workspace.',
      input: z.object({ path: pathInput.optional() }),
      run: async ({ path }, context) => {
        const at = path === undefined ? undefined : await readable(host.guarded, path, context);
        const found = host.diagnostics(at);
        const files = await filesIn(host.guarded, found, context);
        const lines = found.flatMap(({ uri, line, severity, message, source }) => {
          const shown = files.shown(uri);
          const from = source === undefined ? '' : ` (${source})`;
          const text = `${shown ?? ''}:${line}: ${severity}: ${message.replaceAll('\n', ' ')}${from}`;
          return shown === undefined ? [] : [text];
        });
        if (lines.length === 0) return { text: ['No problems.', ...files.note].join('\n') };
        const text = limitedLines(lines, MAX_DIAGNOSTICS, 'Ask for one file.');
        return { text: [text, ...files.note].join('\n') };
      },
    }),
    defineTool({
      name: 'find_symbols',
      readsOnly: true,
      description:
        'Finds functions, classes and other names: those defined in one file (path), or those of the workspace that ' +
        'match a name (query).',
      input: z.object({
        path: pathInput.optional(),
        query: z.string().trim().min(1).max(500).optional(),
      }),
      run: async ({ path, query }, context) => {
        const at = path === undefined ? undefined : await readable(host.guarded, path, context);
        const found = await symbols(host, at, query, context.signal);
        const files = await filesIn(host.guarded, found, context);
        const lines = found.flatMap(({ uri, line, name, kind, container }) => {
          const shown = files.shown(uri);
          const place = container === undefined || container === '' ? '' : ` in ${container}`;
          return shown === undefined ? [] : [`${shown}:${line}: ${kind} ${name}${place}`];
        });
        if (lines.length === 0) return { text: 'No symbols. The editor may not know this language.' };
        return { text: limitedLines(lines, MAX_SYMBOLS, 'Use a longer name, or ask for one file.') };
      },
    }),
  ] as const;

async function readable(guard: GuardedFiles, path: string, context: ToolContext): Promise<string> {
  const at = await guarded(() => guard.resolve(path));
  await askToRead(at, context);
  return at.uri;
}

function filesIn(
  guard: GuardedFiles,
  found: readonly { readonly uri: string }[],
  context: ToolContext,
): Promise<SeenFiles> {
  return SeenFiles.of(
    guard,
    found.map(({ uri }) => uri),
    context,
  );
}

async function symbols(
  host: WorkspaceHost,
  uri: string | undefined,
  query: string | undefined,
  signal: AbortSignal,
): Promise<readonly FileSymbol[]> {
  if (uri !== undefined) {
    const all = await host.symbolsIn(uri, signal);
    const wanted = query?.toLowerCase();
    return wanted === undefined ? all : all.filter(({ name }) => name.toLowerCase().includes(wanted));
  }
  if (query === undefined) throw new ToolError('Give a path, or a query, or both.', 'invalid-input');
  return host.findSymbols(query, signal);
}
