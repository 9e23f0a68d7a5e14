import * as vscode from 'vscode';
import type { ChatView } from '../chat/chatView.ts';
import { USER_ID } from '../currentChat.ts';
import type { Services } from '../services.ts';
import { chatOf } from './arguments.ts';
import { registerCommands } from './register.ts';

/** Beginning, opening, naming and deleting chats. */
export function registerChatCommands({ store, current, log }: Services, chat: ChatView): vscode.Disposable {
  const pickChat = async (title: string): Promise<string | undefined> => {
    const chats = await store.listChats({ userId: USER_ID });
    const open = await current.chatId();
    const items = chats.map(({ id, title: name, updatedAt }) => ({
      label: name ?? vscode.l10n.t('New chat'),
      description: id === open ? vscode.l10n.t('open') : new Date(updatedAt).toLocaleString(),
      id,
    }));
    if (items.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('There is no chat yet. Ask something to begin one.'),
      );
      return undefined;
    }
    return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.id;
  };
  return registerCommands(log, {
    newChat: async () => {
      await current.startNew();
      await chat.focus();
    },
    openChat: async (argument) => {
      const chatId = chatOf(argument)?.chatId ?? (await pickChat(vscode.l10n.t('Open which chat?')));
      if (chatId === undefined) return;
      await current.open(chatId);
      await chat.focus();
    },
    renameChat: async (argument) => {
      const chatId = chatOf(argument)?.chatId ?? (await pickChat(vscode.l10n.t('Rename which chat?')));
      const found = chatId === undefined ? undefined : await store.getChat(chatId);
      if (!found) return;
      const title = await vscode.window.showInputBox({
        title: vscode.l10n.t('Rename Chat'),
        value: found.title ?? '',
        validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A chat needs a name.') : undefined),
      });
      if (title !== undefined) await store.updateChat(found.id, { title: title.trim() });
    },
    deleteChat: async (argument) => {
      const chatId = chatOf(argument)?.chatId ?? (await pickChat(vscode.l10n.t('Delete which chat?')));
      const found = chatId === undefined ? undefined : await store.getChat(chatId);
      if (!found) return;
      const confirm = vscode.l10n.t('Delete');
      const answer = await vscode.window.showWarningMessage(
        vscode.l10n.t('Delete the chat “{0}”?', found.title ?? vscode.l10n.t('New chat')),
        {
          modal: true,
          detail: vscode.l10n.t('All its branches and checkpoints go with it. This cannot be undone.'),
        },
        confirm,
      );
      if (answer !== confirm) return;
      const wasOpen = (await current.chatId()) === found.id;
      await store.deleteChat(found.id);
      if (wasOpen) await current.leave();
    },
  });
}
