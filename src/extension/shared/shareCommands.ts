import * as vscode from 'vscode';
import { shareChat } from '../../conversation/shareChat.ts';
import type { ChatAccess } from '../../postgres/sharedStore.ts';
import { chatMeant } from '../chats/chatMeant.ts';
import type { PickChatDeps } from '../chats/pickChat.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import type { SharedWorkplace } from './openShared.ts';

export interface ShareCommandsDeps extends PickChatDeps {
  readonly workplace: SharedWorkplace | undefined;
}

/** Commands that let others read or continue a chat, or make it private again. */
export function shareCommands(deps: ShareCommandsDeps): CommandHandlers<'shareChat'> {
  return {
    shareChat: async (...args) => {
      const { workplace } = deps;
      if (!workplace) {
        notConnected();
        return;
      }
      const chatId = await chatMeant(deps, args, vscode.l10n.t('Select a chat to share'));
      if (chatId === undefined) return;
      const chat = await workplace.store.getChat(chatId);
      if (!chat) {
        void notify.information(vscode.l10n.t('There is no chat yet. Ask something to begin one.'));
        return;
      }
      const { access } = await workplace.store.getSharing(chatId);
      const picked = await pickOne(choices(access), {
        title: vscode.l10n.t('Share “{0}”', chat.title ?? vscode.l10n.t('New chat')),
        placeHolder: vscode.l10n.t('With everybody in the shared store'),
      });
      if (!picked || picked.access === access) return;
      await shareChat(workplace.store, chatId, picked.access);
    },
  };
}

/** Shown for commands that need a shared store when there is none. */
export function notConnected(): void {
  void notify.information(
    vscode.l10n.t('This window is not connected to a shared store. Run “Connect to a Shared Store” first.'),
  );
}

function choices(now: ChatAccess): (PickRow & { readonly access: ChatAccess })[] {
  const rows = [
    {
      access: 'private' as const,
      icon: 'lock',
      label: vscode.l10n.t('Private'),
      detail: vscode.l10n.t('Only you see it.'),
    },
    {
      access: 'read' as const,
      icon: 'eye',
      label: vscode.l10n.t('Shared to Read'),
      detail: vscode.l10n.t('Others see it, also while it is answered, and can copy it.'),
    },
    {
      access: 'write' as const,
      icon: 'edit',
      label: vscode.l10n.t('Shared to Write'),
      detail: vscode.l10n.t(
        'Others can also ask, branch and rewind in it. Each stays on the branch they chose.',
      ),
    },
  ];
  return rows.map((row) => (row.access === now ? { ...row, description: vscode.l10n.t('now') } : row));
}
