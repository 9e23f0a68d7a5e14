import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';

const EXTERNAL_SCHEMES = new Set(['http', 'https', 'mailto']);

/**
 * Opens a link of an answer: an address in the browser, a file of the workspace in the editor; nothing else. Commands
 * and scripts must not be reachable by what a model writes.
 */
export async function openLink(href: string): Promise<void> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
  if (scheme !== undefined && EXTERNAL_SCHEMES.has(scheme)) {
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
    return;
  }
  const files = scheme === undefined && !href.startsWith('#') ? workspaceFiles(href) : [];
  if (files.length === 0) throw refused();
  const file = await firstThatExists(files);
  if (!file) {
    throw new OffshootError('file-not-found', vscode.l10n.t('There is no file {0} in this workspace.', href));
  }
  const line = /#L(\d+)/.exec(href)?.[1];
  const position = new vscode.Position(Math.max(0, Number(line ?? 1) - 1), 0);
  await vscode.commands.executeCommand('vscode.open', file, {
    preview: true,
    ...(line === undefined ? {} : { selection: new vscode.Range(position, position) }),
  } satisfies vscode.TextDocumentShowOptions);
}

/** The files a relative link may name: one for each workspace folder, if it stays inside. */
function workspaceFiles(href: string): vscode.Uri[] {
  const [encoded] = href.split(/[?#]/, 1);
  if (encoded === undefined || encoded === '' || /[\\]|^\/\//.test(encoded)) return [];
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    // Not a path at all.
    return [];
  }
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => {
    const file = vscode.Uri.joinPath(uri, path);
    const root = uri.path.endsWith('/') ? uri.path : `${uri.path}/`;
    return file.path.startsWith(root) ? [file] : [];
  });
}

async function firstThatExists(files: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
  for (const file of files) {
    try {
      const { type } = await vscode.workspace.fs.stat(file);
      if ((type & vscode.FileType.File) !== 0) return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

function refused(): OffshootError {
  return new OffshootError(
    'link-refused',
    vscode.l10n.t('This link was not opened: only web addresses and files of this workspace are.'),
  );
}
