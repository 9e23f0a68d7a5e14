import type * as vscode from 'vscode';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import { LOCAL_USER } from '../../engine/localUser.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { DisposableStore } from '../../kit/disposableStore.ts';
import { Emitter } from '../../kit/emitter.ts';
import { SideBarChat } from './sideBarChat.ts';

/** Whose conversations a window shows. */
export const USER_ID = LOCAL_USER;

/** An editor tab: it keeps the chat it was opened with. */
export interface ChatTab {
  readonly chatId: string;
}

/**
 * Which chat the user is in: that of the tab they used last, or else that of the side bar. Whether it exists is for the
 * store to say: a new one is made by its first question.
 */
export class CurrentChat implements OpenChat, Disposable {
  readonly sideBar: SideBarChat;
  private tab: ChatTab | undefined;
  private readonly subscriptions = new DisposableStore();
  private readonly changed = this.subscriptions.add(new Emitter<void>());
  private readonly left = this.subscriptions.add(new Emitter<string>());

  readonly onDidChange = this.changed.event;
  /** A chat was deleted or archived: where it is open, it closes. */
  readonly onDidLeave = this.left.event;

  constructor(store: ReadonlyStore, memory: vscode.Memento) {
    this.sideBar = this.subscriptions.add(new SideBarChat(store, USER_ID, memory));
    this.subscriptions.add(this.sideBar.onDidChange(() => this.changed.fire()));
  }

  /** The tab that the user is in; undefined where they are in the side bar. */
  get tabInUse(): ChatTab | undefined {
    return this.tab;
  }

  async chatId(): Promise<string> {
    return this.tab?.chatId ?? this.sideBar.chatId();
  }

  /** The user is in this tab now; without one, in the side bar. */
  use(tab: ChatTab | undefined): void {
    if (this.tab === tab) return;
    this.tab = tab;
    this.changed.fire();
  }

  /** Opens a chat in the side bar, unless it is the one of the tab in use. */
  async open(chatId: string): Promise<void> {
    if (this.tab?.chatId === chatId) this.changed.fire();
    else await this.openInSideBar(chatId);
  }

  async openInSideBar(chatId: string): Promise<void> {
    this.tab = undefined;
    await this.sideBar.open(chatId);
  }

  /** A chat that is made by its first question. */
  async startNew(): Promise<void> {
    await this.openInSideBar(crypto.randomUUID());
  }

  async leave(chatId: string): Promise<void> {
    if (this.tab?.chatId === chatId) this.use(undefined);
    this.left.fire(chatId);
    if ((await this.sideBar.chatId()) === chatId) await this.sideBar.leave();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
