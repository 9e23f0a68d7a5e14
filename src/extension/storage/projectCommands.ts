import * as vscode from 'vscode';
import { z } from 'zod';
import { LOCAL_USER } from '../../engine/users.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import { findConversations } from './findConversations.ts';
import { openInNewWindow, useStore, type ProjectParts } from './projectActions.ts';
import type { RelatedChatsOfStore } from './relatedChats.ts';
import { readStore } from './storeTitles.ts';
import { transfer } from './transferChats.ts';

export { offerNoFolderChats } from './offerNoFolderChats.ts';
export { readTitles } from './storeTitles.ts';

const relatedArgument = z.object({ store: z.string() });
const otherChatArgument = z.object({ kind: z.literal('otherChat'), store: z.string(), chatId: z.string() });

export function projectCommands(
  deps: ProjectParts,
  chat: ShownChat,
): CommandHandlers<'copyRelated' | 'findConversations' | 'openOtherChat' | 'openRelated' | 'refuseRelated'> {
  const { related, project } = deps;
  const relatedOf = async (argument: unknown): Promise<RelatedChatsOfStore | undefined> => {
    const { data } = relatedArgument.safeParse(argument);
    return data ? related.all.find(({ store }) => store === data.store) : pickRelated(related.all);
  };
  return {
    openRelated: async (argument) => {
      const picked = await relatedOf(argument);
      if (picked) await useStore(project, picked.store, picked.name);
    },
    copyRelated: async (argument) => {
      const picked = await relatedOf(argument);
      if (!picked) return;
      await copyAll(deps, picked);
    },
    refuseRelated: async (argument) => {
      const picked = await relatedOf(argument);
      if (!picked) return;
      await project.projects.refuse(picked.store);
      related.forget(picked.store);
    },
    openOtherChat: async (argument) => {
      const { data } = otherChatArgument.safeParse(argument);
      const from = data && related.all.find(({ store }) => store === data.store);
      if (data && from) await openOther(deps, from, data.chatId, chat);
    },
    findConversations: () => findConversations(deps),
  };
}

async function pickRelated(all: readonly RelatedChatsOfStore[]): Promise<RelatedChatsOfStore | undefined> {
  if (all.length === 0) {
    void notify.information(
      vscode.l10n.t(
        'No other chats of this project were found. “Find Conversations” lists all of this machine.',
      ),
    );
    return undefined;
  }
  const rows = all.map((related) => ({ label: related.name, icon: 'folder', related }));
  return (await pickOne(rows, { title: vscode.l10n.t('Select a project') }))?.related;
}

async function copyAll(deps: ProjectParts, { store, name, chats }: RelatedChatsOfStore): Promise<void> {
  const { conversations, host, log, project, related } = deps;
  const { failures } = await readStore(host, store, (from) =>
    transfer(
      chats.map(({ id, title }) => ({ id, label: title ?? vscode.l10n.t('New chat') })),
      (id) => conversations.copyHere(from, id),
      { title: vscode.l10n.t('Copying chats from “{0}”', name), log },
    ),
  );
  // What could not be copied is still offered.
  if (failures > 0) return;
  await project.projects.refuse(store);
  related.forget(store);
}

/** The chat is in another store: which of the ways to get to it is meant, only the user knows. */
async function openOther(
  deps: ProjectParts,
  { store, name, record }: RelatedChatsOfStore,
  chatId: string,
  chat: ShownChat,
): Promise<void> {
  const { conversations, current, host, openStore, project } = deps;
  const show = async (id: string): Promise<void> => {
    await current.open(id);
    await chat.bringToFront();
  };
  const [folder] = record.folders;
  const rows = [
    {
      icon: 'folder-opened',
      label: vscode.l10n.t('Use All Chats from “{0}” Here', name),
      detail: vscode.l10n.t('The window reloads. New chats are kept with them.'),
      act: () => useStore(project, store, name),
    },
    {
      icon: 'copy',
      label: vscode.l10n.t('Copy This Chat Here'),
      detail: vscode.l10n.t('The original stays, and each goes its own way.'),
      act: async () =>
        show((await readStore(host, store, (from) => conversations.copyHere(from, chatId))).chatId),
    },
    {
      icon: 'arrow-right',
      label: vscode.l10n.t('Move This Chat Here'),
      detail: vscode.l10n.t('The original goes to the trash of its project.'),
      act: async () => {
        const other = openStore(store);
        try {
          const remove = (id: string): Promise<boolean> => other.deleteChat(id, { userId: LOCAL_USER });
          const { chatId: moved } = await conversations.moveHere({ store: other, remove }, chatId);
          deps.related.forgetChat(store, chatId);
          await show(moved);
        } finally {
          await other.close();
        }
      },
    },
    ...(folder
      ? [
          {
            icon: 'empty-window',
            label: vscode.l10n.t('Open “{0}” in a New Window', folder.name),
            act: () => openInNewWindow(record.file ?? folder.uri),
          },
        ]
      : []),
  ];
  const picked = await pickOne(rows, { title: vscode.l10n.t('This chat is kept with “{0}”', name) });
  await picked?.act();
}
