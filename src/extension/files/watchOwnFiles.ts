import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';

/** How long changes are gathered, in milliseconds. */
const GATHER_MS = 50;

/**
 * Tells when a window of this machine has made, discarded or checked files of a branch: it says that it is at it by a
 * file in the folder of them all, which is there for as long. Watches that folder alone, not what is below it.
 * @param changed reports its errors itself
 */
export function watchOwnFiles(folder: vscode.Uri, changed: () => Promise<void>): Disposable {
  const disposables = new DisposableStore();
  const gathered = disposables.add(new Debouncer(GATHER_MS, changed));
  const watcher = disposables.add(
    vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, '*.{busy,check}'),
      false,
      true,
      false,
    ),
  );
  disposables.add(watcher.onDidCreate(() => gathered.soon()));
  disposables.add(watcher.onDidDelete(() => gathered.soon()));
  return disposables;
}
