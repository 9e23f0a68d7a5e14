import type * as vscode from 'vscode';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { RestorerOptions } from '../../fileRestore/restorer.ts';
import type { Host } from '../../platform/hostMachine.ts';
import type { Settings } from '../settings/settings.ts';
import { createChangedFiles, type ChangedFiles } from './changedFiles.ts';
import { FileMoves } from './fileMoves.ts';

export interface FileRestoreOptions {
  /** The extension's own storage folder. */
  readonly folder: vscode.Uri;
  readonly host: Host;
  readonly logRestored: RestorerOptions['logRestored'];
  readonly settings: Settings;
  readonly store: ReadonlyStore;
}

export interface FileRestore {
  readonly files: ChangedFiles;
  readonly moves: FileMoves;
}

/** Records the files that tools change, and restores them on moves through the tree. */
export function createFileRestore({
  folder,
  host,
  logRestored,
  settings,
  store,
}: FileRestoreOptions): FileRestore {
  const files = createChangedFiles(host, store, folder, settings, logRestored);
  return { files, moves: new FileMoves(files.restorer, settings) };
}
