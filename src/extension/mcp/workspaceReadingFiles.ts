import * as vscode from 'vscode';
import { utf8TextOf } from '../../lineOrigins/utf8Text.ts';
import type { ReadingFiles } from '../../mcp/reading/readingFiles.ts';
import { uriOf } from '../files/openEditors.ts';
import { workspaceFolders } from '../files/openFolders.ts';

/** The files of the open folders, as they are in editors, saved or not. */
export const workspaceReadingFiles: ReadingFiles = {
  folders: () => workspaceFolders().map(({ uri }) => uri),
  text: async (location) => {
    const uri = uriOf(location);
    const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (open) return open.getText();
    const bytes = await vscode.workspace.fs.readFile(uri).then(
      (read) => read,
      // There is none, or a folder.
      () => undefined,
    );
    return bytes && utf8TextOf(bytes);
  },
};
