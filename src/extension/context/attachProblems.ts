import * as vscode from 'vscode';
import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { commandLink } from '../manifest/runCommand.ts';
import type { Settings } from '../manifest/settings.ts';
import { fileSelector } from '../files/openFolders.ts';

const LINES_AROUND = 5;

/** As the quick fix passes them to the command. */
const problemsArgument = z.object({
  uri: z.string(),
  problems: z
    .array(
      z.object({
        /** From 1, both included. */
        startLine: z.int().positive(),
        endLine: z.int().positive(),
        message: z.string().max(10_000),
        source: z.string().max(200).optional(),
      }),
    )
    .min(1)
    .max(10),
});

/** @throws OffshootError if the argument names none */
export async function attachProblems(
  guarded: GuardedFiles,
  chat: ShownChat,
  argument: unknown,
): Promise<void> {
  const read = problemsArgument.safeParse(argument).data;
  const [first] = read?.problems ?? [];
  if (!read || !first) {
    throw new OffshootError('no-problem', vscode.l10n.t('Use Quick Fix… on a problem in an editor.'));
  }
  const { shown } = await guarded.resolve({ uri: read.uri });
  const lines = read.problems.map(({ startLine, message, source }) => {
    const from = source === undefined ? '' : ` (${source})`;
    return `${shown}:${startLine}: ${message}${from}`;
  });
  const start = Math.min(...read.problems.map(({ startLine }) => startLine));
  const end = Math.max(...read.problems.map(({ endLine }) => endLine));
  await chat.focus({
    attachments: [
      {
        type: 'context',
        of: 'text',
        text: lines.join('\n'),
        name: vscode.l10n.t('Problem in {0}:{1}', shown, start),
      },
      {
        type: 'file',
        path: shown,
        startLine: Math.max(1, start - LINES_AROUND),
        endLine: end + LINES_AROUND,
      },
    ],
  });
}

const MAX_PROBLEMS = 10;

/** VS Code has no menu for extensions in its Problems view. The fix shows no light bulb of its own in the editor. */
export function registerProblemActions({ settings }: { readonly settings: Settings }): vscode.Disposable {
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
