import * as vscode from 'vscode';
import { isPinned } from '../../engine/chatFlags.ts';
import { listedChats } from './listedChats.ts';
import { timeAgo } from '../ui/formats.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { CurrentChat } from './currentChat.ts';
import type { ChatData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { chatOf, isRowLost } from './commandArguments.ts';

export interface ChatsOfUser {
  readonly current: CurrentChat;
  readonly store: ReadonlyStore;
  readonly userId: string;
}

/** Undefined when none was picked or there is none. */
export async function pickChat(
  { store, userId, current }: ChatsOfUser,
  title: string,
): Promise<string | undefined> {
  const chats = await listedChats({ store, userId });
  const open = await current.chatId();
  const items = chats.map(({ id, title: name, updatedAt, metadata }) => ({
    icon: isPinned({ metadata }) ? 'pinned' : 'comment-discussion',
    label: name ?? vscode.l10n.t('New chat'),
    description: [...(id === open ? [vscode.l10n.t('open')] : []), timeAgo(updatedAt)].join(' · '),
    id,
  }));
  if (items.length === 0) {
    void notify.information(vscode.l10n.t('There is no chat yet. Ask something to begin one.'));
    return undefined;
  }
  return (await pickOne(items, { title, matchOnDescription: true }))?.id;
}

/**
 * The chat that a command is about: that of its row, or the one in use; if the row is lost, the user is asked. Undefined
 * if none is picked, or if it is not stored yet, which the user is told.
 */
export async function resolveStoredChat(
  deps: ChatsOfUser,
  args: readonly unknown[],
  title: string,
): Promise<ChatData | undefined> {
  const asked = (): Promise<string | undefined> =>
    isRowLost(args) ? pickChat(deps, title) : deps.current.chatId();
  const chatId = chatOf(args[0])?.chatId ?? (await asked());
  if (chatId === undefined) return undefined;
  const chat = await deps.store.getChat(chatId);
  if (!chat) void notify.information(vscode.l10n.t('There is no chat yet. Ask something to begin one.'));
  return chat;
}
