import * as vscode from 'vscode';
import { uriBelow } from '../../host/fileUri.ts';
import { usuallyIgnored } from '../../host/ignoredFolders.ts';
import { delay } from '../../host/timers.ts';
import { editorFiles } from './editorFiles.ts';
import { globTest } from './globs.ts';
import { workspaceFolders } from './openFolders.ts';

/** How many folders are searched if VS Code cannot find files itself. */
const MAX_FOLDERS = 2_000;

/** How many folders are listed at once: each may be on another machine. */
const AT_ONCE = 16;

export interface FindOptions {
  /** The only one to search; left out: all open ones. */
  readonly folder?: string;
  /** A glob of excluded files; left out: as in the settings. */
  readonly exclude?: string;
  readonly token?: vscode.CancellationToken;
}

/** As VS Code finds them; if it cannot find any itself, the folders are walked. */
export async function foundFiles(
  glob: string,
  limit: number,
  options: FindOptions = {},
): Promise<vscode.Uri[]> {
  const folders = options.folder === undefined ? workspaceFolders().map(({ uri }) => uri) : [options.folder];
  const virtual = folders.filter((uri) => !uri.startsWith('file:'));
  const found = virtual.some(isSearchless) ? [] : await findBySearch(glob, limit, options, virtual);
  if (found.length > 0 || virtual.length === 0) return found;
  const walked: vscode.Uri[] = [];
  for (const uri of virtual) {
    if (options.token?.isCancellationRequested === true) break;
    walked.push(...(await walk(uri, globTest(uri, glob), limit - walked.length, options.token)));
  }
  return walked;
}

/** The limit for a search that VS Code may not support, in milliseconds: for some folders it waits forever. */
const SEARCH_MS = 1_000;

/** Schemes that turned out to have no search; VS Code has no API to check that. */
const searchless = new Set<string>();

function isSearchless(folder: string): boolean {
  return searchless.has(parsed(folder).scheme);
}

async function findBySearch(
  glob: string,
  limit: number,
  { folder, exclude, token }: FindOptions,
  virtual: readonly string[],
): Promise<vscode.Uri[]> {
  const pattern = folder === undefined ? glob : new vscode.RelativePattern(parsed(folder), glob);
  const search = vscode.workspace.findFiles(pattern, exclude, limit, token);
  if (virtual.length === 0) return search;
  const found = await Promise.race([search, delay(SEARCH_MS)]);
  if (found) return found;
  for (const each of virtual) searchless.add(parsed(each).scheme);
  return [];
}

async function walk(
  root: string,
  isWanted: (uri: vscode.Uri) => boolean,
  limit: number,
  token: vscode.CancellationToken | undefined,
): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = [root];
  for (let seen = 0; seen < folders.length && seen < MAX_FOLDERS && found.length < limit;) {
    if (token?.isCancellationRequested === true) break;
    const some = folders.slice(seen, seen + AT_ONCE);
    seen += some.length;
    const entries = await Promise.all(some.map((folder) => editorFiles.list(folder).catch(() => undefined)));
    for (const [index, folder] of some.entries()) {
      for (const { name, kind } of entries[index] ?? []) {
        const below = uriBelow(folder, name);
        if (kind === 'folder' && !usuallyIgnored.has(name)) folders.push(below);
        else if (kind === 'file' && isWanted(parsed(below))) found.push(parsed(below));
      }
    }
  }
  return found.slice(0, limit);
}

function parsed(uri: string): vscode.Uri {
  return vscode.Uri.parse(uri, true);
}
