import * as vscode from 'vscode';
import { logFailure, messageOf } from '../ui/failures.ts';
import { readPageTexts, type PageEntry } from './pageTexts.ts';
import type { PageSurroundings } from './webviewHost.ts';

/** What the window provides to the host of a page. */
export function pageSurroundings(
  log: vscode.LogOutputChannel,
  extensionUri: vscode.Uri,
  entry: PageEntry,
): PageSurroundings {
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
