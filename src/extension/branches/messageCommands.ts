import * as vscode from 'vscode';
import { branchOf, chatOf, checkpointOf, messageIdOf } from '../commands/commandArguments.ts';
import { pickBranch, type PickBranchDeps } from './pickBranch.ts';
import { notify } from '../ui/notifications.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface MessageCommandsDeps extends PickBranchDeps {
  readonly conversations: Conversations;
}

/** Commands that copy something of a message elsewhere. */
export function messageCommands(
  deps: MessageCommandsDeps,
): CommandHandlers<'copyMessage' | 'copyMessageId' | 'copyName' | 'insertText'> {
  const { conversations, store } = deps;
  return {
    copyMessage: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined)
        await vscode.env.clipboard.writeText(await conversations.textOf(messageId));
    },
    copyMessageId: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined) await vscode.env.clipboard.writeText(messageId);
    },
    copyName: async (argument) => {
      const chat = chatOf(argument);
      const name = chat
        ? (await store.getChat(chat.chatId))?.title
        : ((branchOf(argument) ?? checkpointOf(argument))?.name ??
          (await pickBranch(deps, vscode.l10n.t('Select a branch to copy the name of'), {
            active: true,
          })));
      if (name !== undefined) await vscode.env.clipboard.writeText(name);
    },
    insertText: async (text) => {
      if (typeof text !== 'string') return;
      const editor = vscode.window.activeTextEditor;
      if (!editor) {
        void notify.information(vscode.l10n.t('Open a file to insert the code into.'));
        return;
      }
      await editor.edit((edit) => {
        for (const selection of editor.selections) edit.replace(selection, text);
      });
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    },
  };
}
