import * as vscode from 'vscode';
import { FetchedFile } from '../host/browser/fetchedFile.ts';
import { activateWith, type Activated, type OffshootApi } from './activation.ts';

/** For `deactivate`, which VS Code calls without an argument. In the browser it does not wait for it. */
let active: Activated | undefined;

/** How long it takes to paint a page that was sent, in milliseconds. Fetching during that time delays it. */
const PAINTED_MS = 60;

/**
 * In an editor without a server: the extension runs in a worker of the browser, and all of it must be fetched. What the
 * conversation needs is fetched right after the page.
 * @param fetchStart begins to fetch what `startInBrowser.ts` needs; see `partsInBrowser.ts`
 */
export function activate(context: vscode.ExtensionContext, fetchStart: () => void): OffshootApi | undefined {
  const wasm = vscode.Uri.joinPath(context.extensionUri, 'dist', 'sql-wasm.wasm');
  const sqlite = new FetchedFile(wasm.toString(true));
  active = activateWith(context, async () =>
    (await import('./startInBrowser.ts')).startInBrowser(sqlite.bytes),
  );
  let painting: ReturnType<typeof setTimeout> | undefined;
  const opening = active.page.onDidOpen(() => {
    opening.dispose();
    painting = setTimeout(() => {
      fetchStart();
      sqlite.begin();
    }, PAINTED_MS);
  });
  context.subscriptions.push(opening, { dispose: () => clearTimeout(painting) });
  return active.api;
}

export async function deactivate(): Promise<void> {
  await active?.close();
}
