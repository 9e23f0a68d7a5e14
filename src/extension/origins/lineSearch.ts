import * as vscode from 'vscode';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import { linePlaceText, readLinePlace } from '../../lineOrigins/linePlaces.ts';
import type { Authors } from '../../lineOrigins/stepDetails.ts';
import { uriOf } from '../files/openEditors.ts';
import { workspaceFolders } from '../files/openFolders.ts';
import type { FoundMessage } from '../tree/chatSearch.ts';
import { locationOf, type DocumentOrigins } from './documentOrigins.ts';
import { messagesOnLines, type SearchedFile } from './messagesOnLines.ts';

interface LineSearchParts {
  readonly store: ReadonlyStore;
  readonly userId: string;
  readonly origins: () => Promise<DocumentOrigins>;
  /** Undefined: the store is not shared. */
  readonly shared: Authors | undefined;
}

/** Undefined: the query names no lines of a file of the open folders. */
export async function findAboutLines(
  { store, userId, origins, shared }: LineSearchParts,
  query: string,
): Promise<FoundMessage[] | undefined> {
  const place = readLinePlace(query);
  const location = place && (await locationNamed(place.path));
  if (!location) return undefined;
  const { path } = location;
  const file = await searchedFile(uriOf(location), origins);
  return messagesOnLines(store, userId, { ...place, path }, file, shared);
}

/** What finds the selected lines, or the one at the cursor. Undefined: it is no file of the open folders. */
export function selectedLines({ document, selection }: vscode.TextEditor): string | undefined {
  const location = locationOf(document.uri);
  if (!location) return undefined;
  const { start, end } = selection;
  // A selection that ends at the beginning of a line does not have that line.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  const path = vscode.workspace.asRelativePath(document.uri);
  return linePlaceText({ path, first: start.line + 1, last });
}

async function locationNamed(path: string): Promise<FileLocation | undefined> {
  const folders = workspaceFolders();
  const places = folders.flatMap(({ name, uri }): FileLocation[] => [
    ...(path.startsWith(`${name}/`) ? [{ folder: uri, path: path.slice(name.length + 1) }] : []),
    { folder: uri, path },
  ]);
  for (const place of places) {
    if (path.split('/').includes('..')) return undefined;
    try {
      const { type } = await vscode.workspace.fs.stat(uriOf(place));
      if ((type & vscode.FileType.File) !== 0) return place;
    } catch {
      // There is no such file here.
    }
  }
  return undefined;
}

async function searchedFile(uri: vscode.Uri, origins: LineSearchParts['origins']): Promise<SearchedFile> {
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    // It is no text, or too large for an editor: what was said about it can still be found.
    return { text: undefined, origins: undefined };
  }
  return { text: document.getText(), origins: await (await origins()).of(document) };
}
