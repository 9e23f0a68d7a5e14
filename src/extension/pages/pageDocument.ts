export type Surface = 'chat' | 'alternatives';

export interface PageDocument {
  /** The build's name for its script. */
  readonly entry: string;
  readonly surface: Surface;
  readonly language: string;
  readonly nonce: string;
  /** The source of the page's own files, in the syntax of a policy. */
  readonly ownFiles: string;
  readonly texts: OpeningTexts;
  /** The chat's first script. */
  readonly opening: string;
  /** The address of a file that the build created for pages. */
  readonly asset: (name: string) => string;
}

/**
 * The document of a page, as HTML. The chat's contains its input and its first script, so that VS Code shows it at once:
 * that script finds the rest in links that are not active yet.
 */
export function pageDocument(page: PageDocument): string {
  const { entry, surface, language, nonce, ownFiles, texts, opening, asset } = page;
  const [styles, script] = [asset(`${entry}.css`), asset(`${entry}.js`)];
  const isChat = entry === 'main' && surface === 'chat';
  const head = isChat
    ? `<style nonce="${nonce}">${openingStyles}</style>
    <link as="style" href="${styles}" />
    <link as="script" href="${script}" />`
    : `<link rel="stylesheet" href="${styles}" />`;
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${pagePolicy(nonce, ownFiles)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    ${head}
    <title>Offshoot</title>
  </head>
  <body>
    <div id="root" data-surface="${surface}">${isChat ? openingInput(texts) : ''}</div>
    ${isChat ? `<script type="module" nonce="${nonce}" async>${opening}</script>` : `<script type="module" nonce="${nonce}" src="${script}"></script>`}
  </body>
</html>`;
}

// What the page of the chat shows before its script and styles arrive: the input, so that the user can begin to type.
// The script takes over any text (src/webview/openingInput.ts).

/** In the user's language. */
interface OpeningTexts {
  readonly label: string;
  readonly placeholder: string;
}

/** The same rules as in `composer.css` and `page.css`, so that nothing moves when they arrive. */
const openingStyles = `
* { box-sizing: border-box; }
html, body, #root { height: 100%; }
body { padding: 0; font-size: var(--vscode-font-size); line-height: 1.5; }
.page { display: flex; flex-direction: column; height: 100%; background: var(--vscode-sideBar-background); }
.composer { align-self: center; width: calc(100% - 24px); max-width: 926px; margin: auto 0 10px; border: 1px solid
  var(--vscode-input-border, var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)));
  border-radius: 8px; background: var(--vscode-input-background); }
.composer textarea { display: block; width: 100%; padding: 8px 10px 4px; border: none; background: none;
  color: var(--vscode-input-foreground); font: inherit; resize: none; outline: none; }
.composer textarea::placeholder { color: var(--vscode-input-placeholderForeground); }
.composer-bar { min-height: 32px; }
`;

function openingInput({ label, placeholder }: OpeningTexts): string {
  return `<main class="page"><div class="composer"><textarea rows="1" aria-label="${quoted(label)}" placeholder="${quoted(placeholder)}"></textarea><div class="composer-bar"></div></div></main>`;
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** Only its own files. `base-uri` and `form-action` don't follow `default-src`. */
export function pagePolicy(nonce: string, ownFiles: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${ownFiles} 'nonce-${nonce}'`,
    `font-src ${ownFiles}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
