import * as vscode from 'vscode';
import { commandLink } from '../manifest/runCommand.ts';
import type { Settings } from '../settings/settings.ts';
import { fileSelector } from '../workspaceFiles/openFolders.ts';

const MAX_PROBLEMS = 10;

export interface ProblemActionsDeps {
  readonly settings: Settings;
}

/**
 * Offers a quick fix that adds a problem to the chat: VS Code has no menu for extensions in its Problems view. It is
 * offered when fixes are requested, and shows no light bulb of its own in the editor.
 */
export function registerProblemActions({ settings }: ProblemActionsDeps): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    fileSelector(),
    {
      provideCodeActions: ({ uri, languageId }, _range, { diagnostics, triggerKind, only }) => {
        const isWanted =
          triggerKind === vscode.CodeActionTriggerKind.Invoke &&
          (only === undefined || only.contains(vscode.CodeActionKind.QuickFix)) &&
          vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
          languageId !== 'scminput';
        if (!isWanted || diagnostics.length === 0 || !settings.get('problems.quickFix')) return [];
        const problems = diagnostics.slice(0, MAX_PROBLEMS).map(({ range, message, source }) => ({
          startLine: range.start.line + 1,
          endLine: range.end.line + 1,
          message: message.slice(0, 10_000).toWellFormed(),
          ...(source === undefined ? {} : { source: source.slice(0, 200).toWellFormed() }),
        }));
        const title = vscode.l10n.t('Add Problem to Offshoot Chat');
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.command = commandLink('offshoot.addProblem', title, { uri: uri.toString(), problems });
        action.diagnostics = [...diagnostics];
        return [action];
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}
