import * as vscode from 'vscode';
import type { ShownChat } from './shownChat.ts';
import { archivedChats } from './listedChats.ts';
import { timeAgo } from '../ui/timeAgo.ts';
import { chatOf } from '../commands/commandArguments.ts';
import { pickChat, type PickChatDeps } from './pickChat.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { ChatMarks } from '../../conversation/chatMarks.ts';

export interface ChatMarkCommandsDeps extends PickChatDeps {
  readonly log: vscode.LogOutputChannel;
  readonly marks: ChatMarks;
}

/** Commands that pin and archive chats. */
export function chatMarkCommands(
  deps: ChatMarkCommandsDeps,
  chat: ShownChat,
): CommandHandlers<'pinChat' | 'unpinChat' | 'archiveChat' | 'showArchivedChats'> {
  const { store, marks, log } = deps;
  const chosen = async (argument: unknown, title: string): Promise<string | undefined> =>
    chatOf(argument)?.chatId ?? pickChat(deps, title);
  return {
    pinChat: async (argument) => {
      const chatId = await chosen(argument, vscode.l10n.t('Select a chat to pin'));
      if (chatId !== undefined) await marks.setPinned(chatId, true);
    },
    unpinChat: async (argument) => {
      const chatId = await chosen(argument, vscode.l10n.t('Select a chat to unpin'));
      if (chatId !== undefined) await marks.setPinned(chatId, false);
    },
    archiveChat: async (argument) => {
      const chatId = await chosen(argument, vscode.l10n.t('Select a chat to archive'));
      const found = chatId === undefined ? undefined : await store.getChat(chatId);
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
