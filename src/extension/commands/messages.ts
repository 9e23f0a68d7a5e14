import * as vscode from 'vscode';
import type { Services } from '../services.ts';
import { messageIdOf } from './arguments.ts';
import { registerCommands } from './register.ts';

/** Taking something of a message elsewhere. */
export function registerMessageCommands({ conversations, log }: Services): vscode.Disposable {
  return registerCommands(log, {
    copyMessage: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined)
        await vscode.env.clipboard.writeText(await conversations.textOf(messageId));
    },
    copyMessageId: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined) await vscode.env.clipboard.writeText(messageId);
    },
    insertText: async (text) => {
      if (typeof text !== 'string') return;
      const editor = vscode.window.activeTextEditor;
      if (!editor) {
        void vscode.window.showInformationMessage(vscode.l10n.t('Open a file to insert the code into.'));
        return;
      }
      await editor.edit((edit) => {
        for (const selection of editor.selections) edit.replace(selection, text);
      });
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    },
  });
}
