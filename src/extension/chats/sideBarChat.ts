import type * as vscode from 'vscode';
import { isArchived } from '../../engine/chatFlags.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { Emitter } from '../../kit/emitter.ts';

const KEY = 'offshoot.currentChat';

/** The chat in the side bar, which is restored after a reload. */
export class SideBarChat implements Disposable {
  private id: string | undefined;
  private readonly changed = new Emitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ReadonlyStore,
    private readonly userId: string,
    private readonly memory: vscode.Memento,
  ) {}

  /** The chat of the last session, if it still exists; else the most recently used one; else a new one. */
  async chatId(): Promise<string> {
    if (this.id !== undefined) return this.id;
    const remembered = this.memory.get<unknown>(KEY);
    if (typeof remembered === 'string' && (await this.store.getChat(remembered))) {
      return (this.id ??= remembered);
    }
    // An archived chat is not opened automatically, nor one that another user shares.
    const latest = (await this.store.listChats({ userId: this.userId, details: false })).find(
      (chat) => !isArchived(chat) && chat.userId === this.userId,
    );
    return (this.id ??= latest?.id ?? crypto.randomUUID());
  }

  async open(chatId: string): Promise<void> {
    this.id = chatId;
    await this.memory.update(KEY, chatId);
    this.changed.fire();
  }

  /** After its chat was deleted: opens the most recently used one. */
  async leave(): Promise<void> {
    this.id = undefined;
    await this.memory.update(KEY, undefined);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
