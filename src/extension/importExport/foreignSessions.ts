import * as vscode from 'vscode';
import type { OpenDatabase } from '../../base/foreignDatabase.ts';
import type { Imports } from '../../conversation/imports.ts';
import type { BatchList } from '../../importExport/importBatch.ts';
import { programs } from '../../importExport/importPrograms.ts';
import type { SessionPlaces } from '../../importExport/sessionPlaces.ts';
import type { ForeignFiles } from '../../host/foreignFiles.ts';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import { workspaceFolders } from '../files/openFolders.ts';

/** This extension's own storage; the storage of VS Code and other extensions is next to it. */
export interface ForeignPlaces {
  /** Undefined if there are no other programs. */
  readonly files: (() => Promise<ForeignFiles>) | undefined;
  /** The path of a URI, as `files` takes it. */
  readonly pathOf: (uri: string) => string;
  /** In that of the workspace; undefined if none is open. */
  readonly storage: vscode.Uri | undefined;
  readonly globalStorage: vscode.Uri;
  /** Opens databases of other programs. */
  readonly openDatabase: OpenDatabase;
}

/** Other programs work in folders of this machine. */
export function localFolders(): readonly OpenedFolder[] {
  return workspaceFolders().filter(({ uri }) => uri.startsWith('file:'));
}

/** @param onProgram called with each program before its search */
export async function findSessions(
  foreign: ForeignPlaces,
  imports: Pick<Imports, 'programs'>,
  list: BatchList,
  now: number,
  onProgram: (name: string) => void,
): Promise<void> {
  if (!foreign.files) return;
  const places = await placesIn(foreign, await foreign.files());
  for (const { program, find } of imports.programs) {
    if (!find) continue;
    onProgram(programs[program].name);
    await find({ places, list, now, openDatabase: foreign.openDatabase });
  }
}

async function placesIn(
  { storage, globalStorage, pathOf }: ForeignPlaces,
  files: ForeignFiles,
): Promise<SessionPlaces> {
  const besides = (own: vscode.Uri, name: string): string =>
    pathOf(vscode.Uri.joinPath(own, '..', name).toString());
  return {
    folders: (await Promise.all(localFolders().map(({ uri }) => files.namesOf(uri)))).flat(),
    vsCode: {
      sessions: storage
        ? besides(storage, 'chatSessions')
        : besides(globalStorage, 'emptyWindowChatSessions'),
      storageOf: (extension) => besides(globalStorage, extension),
    },
    userFolder: (folder, ...inside) => files.userFolder(folder, ...inside),
    list: (folder, ...below) => files.list(folder, ...below),
  };
}
