import * as vscode from 'vscode';
import { RESOURCE_SCHEME } from '../../agent/tools/foreignResource.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import { CHAT_LINK } from '../../protocol/pageFacts.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { readReference, type FileReference } from '../files/fileReference.ts';
import { findReferenced, spellings, type WorkspaceFile } from '../files/findFiles.ts';
import { trueName } from '../files/trueName.ts';
import { pickOne } from '../ui/quickPick.ts';

const EXTERNAL_SCHEMES = new Set(['http', 'https', 'mailto']);

/**
 * Opens a link of an answer: an address in the browser, a file of the workspace or a resource of an MCP server in the
 * editor, a message of a chat in place; nothing else. Commands and scripts must not be reachable from text a model wrote.
 */
export async function openLink(files: GuardedFiles, href: string): Promise<void> {
  if (CHAT_LINK.test(href)) return runCommand('offshoot.openLink', href);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
  if (scheme !== undefined && EXTERNAL_SCHEMES.has(scheme)) {
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
    return;
  }
  // Read-only, and of a server that the user set up.
  if (scheme === RESOURCE_SCHEME) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(href, true), { preview: true });
    return;
  }
  const found = href.startsWith('#') ? [] : await findReferenced(files, href);
  if (found.length === 0) throw notOpened(href);
  const file = await oneOf(found);
  if (!file) return;
  const selection = selectionOf(readReference(href));
  await vscode.commands.executeCommand('vscode.open', file.uri, {
    preview: true,
    ...(selection ? { selection } : {}),
  } satisfies vscode.TextDocumentShowOptions);
}

/** Where several folders have such a file, the user chooses. */
async function oneOf(files: readonly WorkspaceFile[]): Promise<WorkspaceFile | undefined> {
  if (files.length === 1) return files[0];
  const rows = files.map((file) => ({ icon: 'file', label: trueName(file.path), file }));
  const placeHolder = vscode.l10n.t('Several folders have this file. Select one');
  return (await pickOne(rows, { placeHolder }))?.file;
}

function selectionOf({ line, column = 1, endLine }: FileReference): vscode.Range | undefined {
  if (line === undefined) return undefined;
  const start = new vscode.Position(line - 1, column - 1);
  return endLine === undefined || endLine < line
    ? new vscode.Range(start, start)
    : new vscode.Range(start, new vscode.Position(endLine, 0));
}

function notOpened(href: string): OffshootError {
  return looksLikeFile(href)
    ? new OffshootError('file-not-found', vscode.l10n.t('There is no file {0} in this workspace.', href))
    : new OffshootError(
        'link-refused',
        vscode.l10n.t('This link was not opened: only web addresses and files of this workspace are.'),
      );
}

/** A relative path that does not lead outside: it might have been a file here. */
function looksLikeFile(href: string): boolean {
  const { path } = readReference(spellings(href).at(-1) ?? href);
  return /^[^:#\\/%][^:#\\%]*$/.test(path) && !path.split('/').includes('..');
}
