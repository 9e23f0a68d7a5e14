import * as vscode from 'vscode';

/** Calls back when a file of this pattern in the open folders appears, changes or goes. */
export function watchFiles(pattern: string, notify: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(notify),
    watcher.onDidCreate(notify),
    watcher.onDidDelete(notify),
  );
}
