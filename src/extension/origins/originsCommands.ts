import * as vscode from 'vscode';
import { z } from 'zod';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import type { MoveContext } from '../branches/switchToBranch.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { notify } from '../ui/notifications.ts';
import { previewResult } from '../tree/previewResult.ts';
import { actOnOrigin, pickAction, pickImported } from './originActions.ts';
import { originActions } from './originHover.ts';
import type { DocumentOrigins } from './documentOrigins.ts';

/** Of a link over a line; a menu of the editor passes something else. */
const lineArgument = z.object({
  uri: z.string(),
  line: z.int().nonnegative(),
  action: z.enum(originActions).optional(),
});

export function originsCommands(
  deps: MoveContext & { readonly origins: () => Promise<DocumentOrigins> },
  chat: ShownChat,
): CommandHandlers<'whyThisLine' | 'searchLines'> {
  return {
    searchLines: async () => {
      const editor = vscode.window.activeTextEditor;
      const { selectedLines } = await import('./lineSearch.ts');
      const lines = editor && selectedLines(editor);
      if (lines === undefined) {
        void notify.information(
          vscode.l10n.t('Open a file of the open folders and select lines of it first.'),
        );
        return;
      }
      await runCommand('offshoot.searchInView', lines);
    },
    whyThisLine: async (argument) => {
      const { data } = lineArgument.safeParse(argument);
      const editor = vscode.window.activeTextEditor;
      const document = data
        ? await vscode.workspace.openTextDocument(vscode.Uri.parse(data.uri, true))
        : editor?.document;
      if (!document) {
        void notify.information(vscode.l10n.t('Open a file and put the cursor on a line first.'));
        return;
      }
      const origins = await deps.origins();
      const line = data?.line ?? editor?.selection.active.line ?? 0;
      const told = await origins.at(document, line);
      const imported = told ? [] : await origins.importedAt(document, line);
      if (imported.length > 0) {
        const step = data?.action ? imported[0] : await pickImported(origins, imported);
        if (step) await previewResult(deps, chat, step.chatId, step.messageId);
        return;
      }
      if (!told) {
        void notify.information(vscode.l10n.t('No recorded step of a chat wrote line {0}.', line + 1));
        return;
      }
      const action = data?.action ?? (await pickAction(origins, told));
      if (action) await actOnOrigin(deps, chat, origins, told, action);
    },
  };
}
