import type { CommandHandlers } from './commandHandlers.ts';
import type { ShownChat } from './currentChat.ts';
import * as vscode from 'vscode';
import { archivedChats } from './listedChats.ts';
import { timeAgo } from '../ui/formats.ts';
import { chatOf } from './commandArguments.ts';
import { pickChat, resolveStoredChat, type ChatsOfUser } from './pickChat.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { ChatMarks } from '../../conversation/chatMarks.ts';
import { askText } from '../ui/inputBox.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export function chatsCommands(
  deps: ChatsOfUser & {
    readonly conversations: Conversations;
    readonly log: vscode.LogOutputChannel;
    readonly marks: ChatMarks;
  },
  chat: ShownChat,
): CommandHandlers<
  'newChat' | 'openChat' | 'renameChat' | 'pinChat' | 'unpinChat' | 'archiveChat' | 'showArchivedChats'
> {
  const { conversations, current, log, marks } = deps;
  return {
    newChat: async () => {
      await current.startNew();
      await chat.focus();
    },
    openChat: async (argument) => {
      const chatId =
        chatOf(argument)?.chatId ?? (await pickChat(deps, vscode.l10n.t('Select a chat to open')));
      if (chatId === undefined) return;
      await current.open(chatId);
      await chat.focus();
    },
    renameChat: async (...args) => {
      const found = await resolveStoredChat(deps, args, vscode.l10n.t('Select a chat to rename'));
      if (!found) return;
      const title = await askText({
        title: vscode.l10n.t('Rename Chat'),
        value: found.title ?? '',
        validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A chat needs a name.') : undefined),
      });
      if (title !== undefined) await conversations.renameChat(found.id, title);
    },
    pinChat: async (...args) => {
      const found = await resolveStoredChat(deps, args, vscode.l10n.t('Select a chat to pin'));
      if (found) await marks.setPinned(found.id, true);
    },
    unpinChat: async (...args) => {
      const found = await resolveStoredChat(deps, args, vscode.l10n.t('Select a chat to unpin'));
      if (found) await marks.setPinned(found.id, false);
    },
    archiveChat: async (...args) => {
      const found = await resolveStoredChat(deps, args, vscode.l10n.t('Select a chat to archive'));
      if (!found) return;
      await marks.archive(found.id);
      const name = found.title ?? vscode.l10n.t('New chat');
      offerUndo(log, vscode.l10n.t('Archived “{0}”', name), () => marks.unarchive(found.id));
    },
    showArchivedChats: async () => {
      const items = (await archivedChats(deps)).map(({ id, title, updatedAt }) => ({
        icon: 'archive',
        label: title ?? vscode.l10n.t('New chat'),
        description: timeAgo(updatedAt),
        id,
      }));
      const picked = await pickOne(items, {
        title: vscode.l10n.t('Archived Chats'),
        placeHolder: vscode.l10n.t('Select a chat to unarchive'),
        matchOnDescription: true,
      });
      if (!picked) return;
      await marks.unarchive(picked.id);
      await chat.focus();
    },
  };
}
