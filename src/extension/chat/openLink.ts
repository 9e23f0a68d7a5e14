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
  const file = scheme === undefined && !href.startsWith('#') ? workspaceFile(href) : undefined;
  if (!file) throw refused();
  const line = /#L(\d+)/.exec(href)?.[1];
  const position = new vscode.Position(Math.max(0, Number(line ?? 1) - 1), 0);
  try {
    await vscode.window.showTextDocument(file, {
      preview: true,
      ...(line === undefined ? {} : { selection: new vscode.Range(position, position) }),
    });
  } catch (cause) {
    const text = vscode.l10n.t('There is no file {0} in this workspace.', href);
    throw new OffshootError('file-not-found', text, { cause });
  }
}

/** The file a relative link names, if it stays inside a workspace folder. */
function workspaceFile(href: string): vscode.Uri | undefined {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const [encoded] = href.split(/[?#]/, 1);
  if (!folder || encoded === undefined || encoded === '' || /[\\]|^\/\//.test(encoded)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  const file = vscode.Uri.joinPath(folder.uri, path);
  const root = folder.uri.path.endsWith('/') ? folder.uri.path : `${folder.uri.path}/`;
  return file.path.startsWith(root) ? file : undefined;
}

function refused(): OffshootError {
  return new OffshootError(
    'link-refused',
    vscode.l10n.t('This link was not opened: only web addresses and files of this workspace are.'),
  );
}
