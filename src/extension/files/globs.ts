import * as vscode from 'vscode';
import { z } from 'zod';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import { uriOf } from './openEditors.ts';

/** Tests whether files match a glob below a folder. */
export function globTest(folder: string, glob: string): (uri: vscode.Uri) => boolean {
  const pattern = new vscode.RelativePattern(vscode.Uri.parse(folder, true), glob);
  return (uri) => isMatch(uri, pattern);
}

/** VS Code checks only the address of a document. */
function isMatch(uri: vscode.Uri, pattern: vscode.GlobPattern): boolean {
  return vscode.languages.match({ pattern }, { uri, languageId: 'plaintext' } as vscode.TextDocument) > 0;
}

/** By globs; `false` turns one off. */
const globs = z.record(z.string(), z.unknown()).catch({});

/**
 * Whether the settings of VS Code make a file read-only. What follows from its permissions (`readonlyFromPermissions`)
 * is known from the disk.
 */
export function isReadOnlyInEditor(file: FileLocation): boolean {
  const uri = uriOf(file);
  const settings = vscode.workspace.getConfiguration('files', uri);
  const isIn = (setting: string): boolean =>
    Object.entries(globs.parse(settings.get(setting) ?? {})).some(
      ([glob, value]) => value !== false && isNamedBy(glob, file, uri),
    );
  return isIn('readonlyInclude') && !isIn('readonlyExclude');
}

/** A glob with an absolute path is about any file, any other one about those of a workspace folder. */
function isNamedBy(glob: string, { folder }: FileLocation, uri: vscode.Uri): boolean {
  return /^(?:\/|[a-z]:[\\/])/iu.test(glob) ? isMatch(uri, glob) : globTest(folder, glob)(uri);
}
