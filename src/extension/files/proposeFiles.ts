import * as vscode from 'vscode';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import { foundFiles } from './folderSearch.ts';
import { shownPathOf } from './openFolders.ts';
import { delay } from '../../host/timers.ts';
import type { FileAttachment } from '../../protocol/attachments.ts';

const MAX_PROPOSED = 20;

/** How many are ranked: the best of them are proposed. */
const MAX_FOUND = 500;

/** Files of the workspace whose paths have the letters of the query in order; the best first. */
export async function proposeFiles(folders: readonly OpenedFolder[], query: string): Promise<string[]> {
  const wanted = query.replaceAll(/[^\p{L}\p{N}._/-]/gu, '');
  const glob = wanted === '' ? '**/*' : `**/*${Array.from(nameOf(wanted), anyCase).join('*')}*`;
  const found = await foundFiles(glob, MAX_FOUND);
  const paths = found.flatMap((uri) => shownPathOf(folders, uri) ?? []);
  const isMatch = (path: string): boolean => path.toLowerCase().includes(wanted.toLowerCase());
  return paths
    .sort((a, b) => Number(isMatch(b)) - Number(isMatch(a)) || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MAX_PROPOSED);
}

/** Globs are case-sensitive on most machines. */
function anyCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  return lower === upper ? letter : `[${lower}${upper}]`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const MAX_SYMBOLS = 5;

/** Every extension is asked; for fewer letters they would find half of the workspace. */
const MIN_LETTERS = 2;

/** How long extensions may take, in milliseconds: after that, files are proposed without them. */
const WAIT_MS = 700;

export interface ProposedSymbol {
  readonly name: string;
  readonly lines: FileAttachment;
}

/** Names that begin with the typed text, as the language extensions know them. */
export async function proposeSymbols(
  folders: readonly OpenedFolder[],
  query: string,
  waitMs = WAIT_MS,
): Promise<ProposedSymbol[]> {
  if (query.length < MIN_LETTERS || folders.length === 0) return [];
  const asked = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  const found = (await Promise.race([asked, delay(waitMs)])) ?? [];
  const wanted = query.toLowerCase();
  return found
    .filter(({ name }) => name.toLowerCase().startsWith(wanted))
    .sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .flatMap(({ name, location: { uri, range } }) => {
      const path = shownPathOf(folders, uri);
      const lines = { startLine: range.start.line + 1, endLine: range.end.line + 1 };
      return path === undefined ? [] : [{ name, lines: { type: 'file' as const, path, ...lines } }];
    })
    .slice(0, MAX_SYMBOLS);
}
