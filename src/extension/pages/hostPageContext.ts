import * as vscode from 'vscode';
import { logFailure, messageOf } from '../ui/failures.ts';
import type { HostPageContext } from './webviewHost.ts';
import { z } from 'zod';

export function hostPageContext(
  log: vscode.LogOutputChannel,
  extensionUri: vscode.Uri,
  entry: PageEntry,
): HostPageContext {
  return {
    log,
    localised: async () => {
      try {
        return { texts: await readPageTexts(extensionUri, entry), locale: vscode.env.language };
      } catch (error) {
        // The page also works in English.
        logFailure(log, 'The texts of a page', error);
        return { texts: {}, locale: 'en' };
      }
    },
    logFailure: (what, error) => logFailure(log, what, error),
    messageOf,
  };
}

type PageEntry = 'main' | 'graph';

const listSchema = z.array(z.string());

/** Empty in English, where the keys are the texts. @throws Error when the list of the build cannot be read */
async function readPageTexts(extensionUri: vscode.Uri, entry: PageEntry): Promise<Record<string, string>> {
  const { bundle } = vscode.l10n;
  if (!bundle) return {};
  const list = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'texts', `${entry}.json`);
  const bytes = await vscode.workspace.fs.readFile(list);
  const keys = listSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  return Object.fromEntries(keys.flatMap((key) => (bundle[key] === undefined ? [] : [[key, bundle[key]]])));
}
