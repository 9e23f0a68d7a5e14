import * as vscode from 'vscode';
import { registerContextDocuments, type ContextDocumentsDeps } from './contextDocuments.ts';
import { registerStatusBar, type ContextStatusBarDeps } from './contextStatusBar.ts';
import { registerContextView, type ContextViewDeps } from './contextView.ts';

export type ContextDeps = ContextDocumentsDeps & ContextStatusBarDeps & ContextViewDeps;

/** Shows what would be sent to a model now: in a view, in documents, and in the status bar. */
export function registerContext(deps: ContextDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerContextView(deps),
    registerContextDocuments(deps),
    registerStatusBar(deps),
  );
}
