import * as vscode from 'vscode';

/** Sets what all tests expect. */
export async function prepare(): Promise<void> {
  // Most tests know how many requests they make.
  await vscode.workspace
    .getConfiguration('offshoot')
    .update('titles', 'words', vscode.ConfigurationTarget.Global);
}
