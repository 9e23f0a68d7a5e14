import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';

/** Writes a file that the user chose. @throws OffshootError when something else has its name: nothing is written */
export async function saveFile(file: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const type = await vscode.workspace.fs.stat(file).then(
    (found) => found.type,
    // It does not exist yet; if it cannot be reached, neither can it be written.
    () => vscode.FileType.File,
  );
  // Writing to a pipe may never end, and writing to a device destroys what is on it.
  if ((type & vscode.FileType.File) === 0) {
    throw new OffshootError('not-a-file', vscode.l10n.t('{0} is not a file. Select a file.', file.fsPath));
  }
  await vscode.workspace.fs.writeFile(file, bytes);
}
