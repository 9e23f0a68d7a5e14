import * as vscode from 'vscode';
import { FetchedParts, type Parts } from '../host/browser/fetchedParts.ts';
import type * as Entry from './extensionWeb.ts';

// Not part of the extension: the build puts this before it, see scripts/build/fetched-parts.mjs.

interface Extension {
  activate(context: vscode.ExtensionContext): unknown;
  deactivate(): Promise<void>;
}

/**
 * @param own the parts of the file that VS Code has loaded
 * @param entry the part that is `extensionWeb.ts`
 * @param require of the host
 */
export function extensionOf(own: Parts, entry: string, require: (name: string) => unknown): Extension {
  let extension: typeof Entry | undefined;
  return {
    activate: (context) => {
      const parts = new FetchedParts({
        parts: own,
        require,
        addressOf: (file) => vscode.Uri.joinPath(context.extensionUri, 'dist', file).toString(true),
        problem: () =>
          vscode.l10n.t('a part of Offshoot couldn’t be loaded; check your connection, then try again'),
      });
      extension = parts.require(entry) as typeof Entry;
      return extension.activate(context, () => parts.prefetch(`${entry}-start.cjs`));
    },
    deactivate: async () => extension?.deactivate(),
  };
}
