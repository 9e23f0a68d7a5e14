import type * as vscode from 'vscode';
import { z } from 'zod';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isArchived } from '../../engine/chatFlags.ts';
import type { Attachment } from '../../protocol/attachments.ts';

/** An editor tab: its chat never changes. */
export interface ChatTab {
  readonly chatId: string;
}

/**
 * The chat the user is in: that of the tab they used last, or else that of the side bar. Only the store knows whether
 * it exists: a new one is created by its first question.
 */
export class CurrentChat implements OpenChat, Disposable {
  readonly sideBar: SideBarChat;
  private tab: ChatTab | undefined;
  private readonly subscriptions = new DisposableStore();
  private readonly changed = this.subscriptions.add(new Emitter<void>());
  private readonly left = this.subscriptions.add(new Emitter<string>());

  readonly onDidChange = this.changed.event;
  /** A chat was deleted or archived: views that show it must close it. */
  readonly onDidLeave = this.left.event;

  /** @param complete resolves when the store has all chats; at once where they are not in several stores */
  constructor(store: ReadonlyStore, userId: string, memory: vscode.Memento, complete?: () => Promise<void>) {
    this.sideBar = this.subscriptions.add(new SideBarChat(store, userId, memory, complete));
    this.subscriptions.add(this.sideBar.onDidChange(() => this.changed.fire()));
  }

  /** Undefined: the user is in the side bar. */
  get tabInUse(): ChatTab | undefined {
    return this.tab;
  }

  async chatId(): Promise<string> {
    return this.tab?.chatId ?? this.sideBar.chatId();
  }

  /** @param tab undefined: the side bar */
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

  /** A chat that is created by its first question. */
  async startNew(): Promise<void> {
    this.tab = undefined;
    await this.sideBar.open(crypto.randomUUID(), true);
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

const KEY = 'offshoot.currentChat';

/** The id of a chat; one that has no question yet is not in the store. */
const memorySchema = z.union([
  z.string().transform((chatId) => ({ chatId, isNew: false })),
  z.object({ chatId: z.string(), isNew: z.literal(true) }),
]);

/** Restored after a reload. */
class SideBarChat implements Disposable {
  private id: string | undefined;
  private readonly changed = new Emitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ReadonlyStore,
    private readonly userId: string,
    private readonly memory: vscode.Memento,
    private readonly complete: (() => Promise<void>) | undefined,
  ) {}

  /** The chat of the last session, if it is new or still exists; else the most recently used one; else a new one. */
  async chatId(): Promise<string> {
    if (this.id === undefined) await this.complete?.();
    // By now the user may have opened one.
    if (this.id !== undefined) return this.id;
    const remembered = memorySchema.safeParse(this.memory.get(KEY)).data;
    if (remembered && (remembered.isNew || (await this.store.getChat(remembered.chatId)))) {
      return (this.id ??= remembered.chatId);
    }
    // An archived chat is not opened automatically, nor one that another user shares.
    const latest = (await this.store.listChats({ userId: this.userId, details: false })).find(
      (chat) => !isArchived(chat) && chat.userId === this.userId,
    );
    return (this.id ??= latest?.id ?? crypto.randomUUID());
  }

  async open(chatId: string, isNew = false): Promise<void> {
    this.id = chatId;
    await this.memory.update(KEY, isNew ? { chatId, isNew } : chatId);
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

export interface ComposerPrefill {
  readonly sideQuestion?: boolean;
  readonly text?: string;
  readonly attachments?: Attachment[];
  /** The text is a stored question: unless it is changed, it is discarded with its branch. */
  readonly isStored?: boolean;
}

/** The chat that the user used last. */
export interface ShownChat {
  bringToFront(): Promise<void>;
  focus(prefill?: ComposerPrefill): Promise<void>;
  /** The page scales the picture down for models, and adds it to the next question. */
  offerImage(name: string, bytes: Uint8Array): Promise<void>;
  /** The message must be on the active branch. */
  reveal(messageId: string): Promise<void>;
  /** Does not move the focus; the message must be on the active branch. */
  preview(messageId: string): void;
  /** Scrolls the chat back to where it was before the first preview. */
  endPreview(): void;
  /** In every chat: the focus goes from a file as it was to the file. */
  endLookBack(): Promise<void>;
  stepQuestion(direction: 'previous' | 'next'): Promise<void>;
}
