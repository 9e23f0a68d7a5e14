import * as vscode from 'vscode';

/** Sets what all tests expect. */
export async function prepare(): Promise<void> {
  const set = (section: string, name: string, value: string): Thenable<void> =>
    vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
  // Most tests know how many requests they make.
  await set('offshoot', 'titles', 'words');
  // In a browser VS Code saves after a second: what is unsaved would depend on how fast a test goes.
  await set('files', 'autoSave', 'off');
}
