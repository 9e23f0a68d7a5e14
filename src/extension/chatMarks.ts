import * as vscode from 'vscode';
import type { ChatData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import { isArchived, isPinned } from './chatFlags.ts';
import { USER_ID } from './currentChat.ts';

/** The chats that lists show: what is pinned first, then what was used last; without what is archived. */
export async function listedChats(store: Pick<ContextStore, 'listChats'>): Promise<ChatData[]> {
  const chats = (await store.listChats({ userId: USER_ID, details: false })).filter(
    (chat) => !isArchived(chat),
  );
  return [...chats.filter(isPinned), ...chats.filter((chat) => !isPinned(chat))];
}

/** The chats that were put out of sight, the one used last first. */
export async function archivedChats(store: Pick<ContextStore, 'listChats'>): Promise<ChatData[]> {
  return (await store.listChats({ userId: USER_ID, details: false })).filter(isArchived);
}

/** Pins chats and puts them out of sight. */
export class ChatMarks implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();

  /** Another chat is pinned or archived: lists have another order. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly store: Pick<ContextStore, 'updateChat'>) {}

  async setPinned(chatId: string, pinned: boolean): Promise<void> {
    await this.store.updateChat(chatId, { metadata: { pinned } });
    this.changed.fire();
  }

  async setArchived(chatId: string, archived: boolean): Promise<void> {
    await this.store.updateChat(chatId, { metadata: { archived } });
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
