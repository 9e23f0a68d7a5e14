import * as vscode from 'vscode';
import { openingInput, openingStyles } from './openingHtml.ts';
import { pagePolicy } from './pagePolicy.ts';

/** What the page of conversations shows: one of them, or answers side by side. */
export type Surface = 'chat' | 'alternatives';

/**
 * A page: one script with a nonce, styles and fonts of the extension, images from data only; nothing remote.
 * @param entry what the build calls its script
 */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { entry = 'main', surface = 'chat' }: { readonly entry?: string; readonly surface?: Surface } = {},
): string {
  const asset = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const nonce = crypto.randomUUID();
  const policy = pagePolicy(nonce, webview.cspSource);
  const isChat = entry === 'main' && surface === 'chat';
  const texts = { label: vscode.l10n.t('Message'), placeholder: vscode.l10n.t('Ask anything') };
  return `<!doctype html>
<html lang="${vscode.env.language}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    ${isChat ? `<style nonce="${nonce}">${openingStyles}</style>` : ''}
    <title>Offshoot</title>
  </head>
  <body>
    <div id="root" data-surface="${surface}">${isChat ? openingInput(texts) : ''}</div>
    <!-- What stands above is drawn without waiting for these. -->
    <link rel="stylesheet" href="${asset(`${entry}.css`)}" />
    <script type="module" nonce="${nonce}" src="${asset(`${entry}.js`)}"></script>
  </body>
</html>`;
}
