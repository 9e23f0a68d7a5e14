import * as vscode from 'vscode';
import type { ShownChat } from './shownChat.ts';
import { chatOf } from '../commands/commandArguments.ts';
import { pickChat } from './pickChat.ts';
import { askText } from '../ui/inputBox.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { CurrentChat } from './currentChat.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export interface OpenChatCommandsDeps {
  readonly conversations: Conversations;
  readonly current: CurrentChat;
  readonly store: ReadonlyStore;
  readonly userId: string;
}

/** Commands that start, open and rename chats. */
export function openChatCommands(
  { store, userId, conversations, current }: OpenChatCommandsDeps,
  chat: ShownChat,
): CommandHandlers<'newChat' | 'openChat' | 'renameChat'> {
  return {
    newChat: async () => {
      await current.startNew();
      await chat.focus();
    },
    openChat: async (argument) => {
      const chatId =
        chatOf(argument)?.chatId ??
        (await pickChat({ store, userId, current }, vscode.l10n.t('Select a chat to open')));
      if (chatId === undefined) return;
      await current.open(chatId);
      await chat.focus();
    },
    renameChat: async (argument) => {
      const chatId =
        chatOf(argument)?.chatId ??
        (await pickChat({ store, userId, current }, vscode.l10n.t('Select a chat to rename')));
      const found = chatId === undefined ? undefined : await store.getChat(chatId);
      if (!found) return;
      const title = await askText({
        title: vscode.l10n.t('Rename Chat'),
        value: found.title ?? '',
        validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A chat needs a name.') : undefined),
      });
      if (title !== undefined) await conversations.renameChat(found.id, title);
    },
  };
}
