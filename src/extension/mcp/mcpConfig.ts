import type { FormattingOptions, ParseError } from 'jsonc-parser';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { jsonc } from '../pages/themeFile.ts';

/** How a server is started, in the format of these files. */
export interface ServerEntry {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
}

/** A file in which programs look for the servers of a workspace. */
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

/** The server cannot be added to the file. */
export class McpConfigError extends OffshootError {
  constructor(path: string) {
    super(
      'mcp-config-invalid',
      defineMessage('{0} is no JSON file with an object in it. Correct it, then try again.', path),
    );
  }
}

/**
 * The text of a file with the server added: comments, other servers and formatting stay.
 * @param text undefined: there is no file yet @throws McpConfigError
 */
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
  const errors: ParseError[] = [];
  const there: unknown = parse(before, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(there)) throw new McpConfigError(path);
  const servers = there[member];
  if (servers !== undefined && !isObject(servers)) throw new McpConfigError(path);
  const options = { formattingOptions: formatOf(before) };
  return mark + applyEdits(before, modify(before, [member, SERVER], entry, options));
}

/** The configuration alone, for programs that store it elsewhere. */
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
