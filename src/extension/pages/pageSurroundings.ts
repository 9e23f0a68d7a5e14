import * as vscode from 'vscode';
import { logFailure, messageOf } from '../ui/failures.ts';
import { pageTexts } from './pageTexts.ts';
import type { PageSurroundings } from './webviewHost.ts';

/** What the window has for the host of a page. */
export function pageSurroundings(log: vscode.LogOutputChannel): PageSurroundings {
  return {
    log,
    localised: () => ({ texts: pageTexts(), locale: vscode.env.language }),
    logFailure: (what, error) => logFailure(log, what, error),
    messageOf,
  };
}
