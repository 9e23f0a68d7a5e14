// What the page of the chat shows before its script and styles arrive: the input, so that the user can begin to type.
// The script takes over any text (src/webview/openingInput.ts).

/** The texts of the input, in the user's language. */
export interface OpeningTexts {
  readonly label: string;
  readonly placeholder: string;
}

/** The same rules as in `composer.css` and `page.css`, so that nothing moves when they arrive. */
export const openingStyles = `
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

/** The input, as HTML. */
export function openingInput({ label, placeholder }: OpeningTexts): string {
  return `<main class="page"><div class="composer"><textarea rows="1" aria-label="${quoted(label)}" placeholder="${quoted(placeholder)}"></textarea><div class="composer-bar"></div></div></main>`;
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
