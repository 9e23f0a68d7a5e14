import opening from 'opening-script';
import * as vscode from 'vscode';
import { pageDocument, type Surface } from './pageDocument.ts';

/** The built scripts and their styles, and nothing from anywhere else. */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { entry = 'main', surface = 'chat' }: { readonly entry?: string; readonly surface?: Surface } = {},
): string {
  return pageDocument({
    entry,
    surface,
    language: vscode.env.language,
    nonce: crypto.randomUUID(),
    ownFiles: webview.cspSource,
    texts: { label: vscode.l10n.t('Message'), placeholder: vscode.l10n.t('Ask anything') },
    opening,
    asset: (name) =>
      webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString(),
  });
}
