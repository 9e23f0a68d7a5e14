import * as vscode from 'vscode';
import { isArchived } from '../../conversation/chatFlags.ts';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

const KEY = 'offshoot.currentChat';

/** Conversations belong to whoever sits at this machine; the engine wants a name for that. */
export const USER_ID = 'local';

/** Which chat the user is in. Whether it exists is for the store to say: a new one is made by its first question. */
export class CurrentChat implements OpenChat, vscode.Disposable {
  private id: string | undefined;
  private readonly changed = new vscode.EventEmitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ReadonlyStore,
    private readonly memory: vscode.Memento,
  ) {}

  /** The chat of the last time, if it is still there; else the one used last; else a new one. */
  async chatId(): Promise<string> {
    if (this.id !== undefined) return this.id;
    const remembered = this.memory.get<unknown>(KEY);
    if (typeof remembered === 'string' && (await this.store.getChat(remembered))) {
      return (this.id ??= remembered);
    }
    // An archived chat is not opened by itself.
    const latest = (await this.store.listChats({ userId: USER_ID, details: false })).find(
      (chat) => !isArchived(chat),
    );
    return (this.id ??= latest?.id ?? crypto.randomUUID());
  }

  async open(chatId: string): Promise<void> {
    this.id = chatId;
    await this.memory.update(KEY, chatId);
    this.changed.fire();
  }

  /** A chat that is made by its first question. */
  async startNew(): Promise<void> {
    await this.open(crypto.randomUUID());
  }

  /** After its chat was deleted: whichever was used last. */
  async leave(): Promise<void> {
    this.id = undefined;
    await this.memory.update(KEY, undefined);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
