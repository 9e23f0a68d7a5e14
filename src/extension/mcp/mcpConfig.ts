import type { FormattingOptions, ParseError } from 'jsonc-parser';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { jsonc } from '../pages/themeFile.ts';

/** In the format of these files. */
export interface ServerEntry {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
}

export interface ConfigFile {
  readonly path: string;
  /** The member with the servers, by their names. */
  readonly member: string;
}

/** Claude Code and others read the first, VS Code the second, Cursor the third. */
export const configFiles = {
  shared: { path: '.mcp.json', member: 'mcpServers' },
  vscode: { path: '.vscode/mcp.json', member: 'servers' },
  cursor: { path: '.cursor/mcp.json', member: 'mcpServers' },
} as const satisfies Record<string, ConfigFile>;

const SERVER = 'offshoot';

/** The longest line that is formatted, in UTF-16 units: the time it takes grows with the square of it. */
const MAX_LINE = 10_000;

export class McpConfigError extends OffshootError {
  constructor(path: string) {
    super(
      'mcp-config-invalid',
      defineMessage(
        '{0} is no JSON file with an object in it, or names one thing twice. Correct it, then try again.',
        path,
      ),
    );
  }
}

/** Keeps comments, other servers and formatting. @param text undefined: there is no file yet @throws McpConfigError */
export function withServer(
  { applyEdits, modify, parse }: typeof jsonc,
  text: string | undefined,
  { path, member }: ConfigFile,
  entry: ServerEntry,
): string {
  // Editors on Windows put it at the start of files.
  const mark = text?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before =
    text === undefined || text.slice(mark.length).trim() === '' ? '{}\n' : text.slice(mark.length);
  const read = (content: string): unknown => {
    const errors: ParseError[] = [];
    const value: unknown = withinDepth(path, (): unknown =>
      parse(content, errors, { allowTrailingComma: true }),
    );
    if (errors.length > 0 || !isObject(value)) throw new McpConfigError(path);
    return value[member];
  };
  const servers = read(before);
  if (servers !== undefined && !isObject(servers)) throw new McpConfigError(path);
  const isFormatted = before.split('\n').every((line) => line.length <= MAX_LINE);
  const options = isFormatted ? { formattingOptions: formatOf(before) } : {};
  const after = applyEdits(before, modify(before, [member, SERVER], entry, options));
  // Where a name is there twice, the first is edited, and the last is the one that counts.
  const added = read(after);
  const isAdded = isObject(added) && JSON.stringify(added[SERVER]) === JSON.stringify(entry);
  if (!isAdded) throw new McpConfigError(path);
  return mark + after;
}

/** The parser needs a frame for each level. @throws McpConfigError */
function withinDepth<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new McpConfigError(path);
    throw error;
  }
}

/** For programs that store it elsewhere. */
export function serverConfig(json: typeof jsonc, entry: ServerEntry): string {
  return withServer(json, undefined, configFiles.shared, entry);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function formatOf(text: string): FormattingOptions {
  const [, indent = '  '] = /^([ \t]+)\S/mu.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

export interface LauncherPlace {
  /** The folder with extensions, each in a folder named after it and its version. */
  readonly folder: string;
  /** How the folders of this extension begin. */
  readonly prefix: string;
  /** The program of the version that wrote the launcher. */
  readonly program: string;
  /** Use it even if others are installed: it runs from its sources. */
  readonly isFirst: boolean;
}

/** A program for Node 20 and later: it starts the newest installed version. */
export function launcherText({ folder, prefix, program, isFirst }: LauncherPlace): string {
  return `// Written by Offshoot. Starts the MCP server of the newest version that is installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = ${JSON.stringify(folder)};
const prefix = ${JSON.stringify(prefix)};
const program = ${JSON.stringify(program)};

const read = (work, otherwise) => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};
// VS Code lists here what it removes when it starts next.
const obsolete = read(() => JSON.parse(readFileSync(path.join(folder, '.obsolete'), 'utf8')), {});
const version = (name) => name.slice(prefix.length).split(/[.-]/).slice(0, 3).map(Number);
const newest = (a, b) => version(b).reduce((sum, each, index) => sum || each - version(a)[index], 0);
const installed = read(() => readdirSync(folder), [])
  .filter((name) => name.startsWith(prefix) && !obsolete[name])
  .sort(newest)
  .map((name) => path.join(folder, name, 'dist', 'mcp.mjs'));
const found = ${isFirst ? '[program, ...installed]' : '[...installed, program]'}.find((file) => existsSync(file));
if (!found) {
  console.error('Offshoot is not installed any more. Install it in VS Code, or remove its MCP server from your configuration.');
  process.exit(1);
}
await import(pathToFileURL(found).href);
`;
}
