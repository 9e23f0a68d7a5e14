import { openingInput, openingStyles, type OpeningTexts } from './openingHtml.ts';
import { pagePolicy } from './pagePolicy.ts';

/** What the page of conversations shows: one of them, or answers side by side. */
export type Surface = 'chat' | 'alternatives';

export interface PageDocument {
  /** The build's name for its script. */
  readonly entry: string;
  readonly surface: Surface;
  /** The user's language. */
  readonly language: string;
  readonly nonce: string;
  /** The source of the page's own files, in the syntax of a policy. */
  readonly ownFiles: string;
  readonly texts: OpeningTexts;
  /** The address of a file that the build created for pages. */
  readonly asset: (name: string) => string;
}

/**
 * The document of a page, as HTML. The chat's contains its input from the start, and loads one small script, which
 * delays nothing: it finds the rest in links that are not active yet.
 */
export function pageDocument(page: PageDocument): string {
  const { entry, surface, language, nonce, ownFiles, texts, asset } = page;
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
    <script type="module" nonce="${nonce}" ${isChat ? `async src="${asset('opening.js')}"` : `src="${script}"`}></script>
  </body>
</html>`;
}
