import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { pageDocument, type Surface } from '../../../../src/extension/pages/pageDocument.ts';
import { root } from '../../support/host.ts';

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** What VS Code's own webview frame brings along and the page has to cope with. */
const frameStyles = `@layer vscode-default {
  body { margin: 0; padding: 0 20px; color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
  a, a code { color: var(--vscode-textLink-foreground); }
  textarea:focus { outline: 1px solid -webkit-focus-ring-color; }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); }
  ::-webkit-scrollbar { width: 10px; height: 10px; }
  ::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
}`;

/** The document that a page has in VS Code, with the styles of the frame. */
const html = (entry: string, surface: Surface): string =>
  pageDocument({
    entry,
    surface,
    language: 'en',
    nonce: 'page',
    ownFiles: "'self'",
    texts: { label: 'Message', placeholder: 'Ask anything' },
    opening: readFileSync(path.join(root, 'dist', 'webview', 'opening.js'), 'utf8'),
    asset: (name) => `/${name}`,
  }).replace(/(?=<style|<link)/, `<style nonce="page">${frameStyles}</style>`);

/** Serves the built page under the content security policy it has in VS Code. */
export class PageServer {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<PageServer> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/' || pathname === '/graph' || pathname === '/tries') {
        const surface = pathname === '/tries' ? 'alternatives' : 'chat';
        response
          .setHeader('Content-Type', 'text/html')
          .end(html(pathname === '/graph' ? 'graph' : 'main', surface));
        return;
      }
      if (pathname === '/blank') {
        response.setHeader('Content-Type', 'text/html').end();
        return;
      }
      readFile(path.join(root, 'dist', 'webview', path.basename(pathname))).then(
        (content) => {
          response
            .setHeader('Content-Type', types[path.extname(pathname)] ?? 'text/plain')
            // A page that is loaded again is not compiled again.
            .setHeader('Cache-Control', 'max-age=3600')
            .end(content);
        },
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    return new PageServer(server, `http://127.0.0.1:${address.port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
