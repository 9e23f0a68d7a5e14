import * as vscode from 'vscode';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import { delay } from '../../host/timers.ts';
import type { FileAttachment } from '../../protocol/attachments.ts';
import { shownPathOf } from '../files/proposeFiles.ts';

/** How many names are proposed at once. */
const MAX_SYMBOLS = 5;

/** Every extension is asked; for fewer letters they would find half of the workspace. */
const MIN_LETTERS = 2;

/** How long extensions may take, in milliseconds: after that, files are proposed without them. */
const WAIT_MS = 700;

/** A name that is defined in a file, and its lines. */
export interface ProposedSymbol {
  readonly name: string;
  readonly lines: FileAttachment;
}

/**
 * Names of the workspace that begin with the typed text, as the language extensions know them.
 * @param waitMs in milliseconds
 */
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
