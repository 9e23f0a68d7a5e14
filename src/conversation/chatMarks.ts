import { Emitter } from '../base/emitter.ts';
import type { Disposable, Event } from '../base/disposable.ts';
import type { ConversationParts } from './conversationParts.ts';

export class ChatMarks implements Disposable {
  private readonly parts: Pick<ConversationParts, 'store' | 'current'>;
  private readonly changed: Emitter<void>;

  constructor(
    parts: Pick<ConversationParts, 'store' | 'current'>,
    onListenerError: (error: unknown) => void,
  ) {
    this.parts = parts;
    this.changed = new Emitter(onListenerError);
  }

  /** Fires when a chat is pinned or archived: the order of lists changes. */
  get onDidChange(): Event<void> {
    return this.changed.event;
  }

  async setPinned(chatId: string, pinned: boolean): Promise<void> {
    await this.mark(chatId, { pinned });
  }

  /** If it was open, another is opened. */
  async archive(chatId: string): Promise<void> {
    const { current } = this.parts;
    await this.mark(chatId, { archived: true });
    await current.leave(chatId);
  }

  async unarchive(chatId: string): Promise<void> {
    await this.mark(chatId, { archived: false });
    await this.parts.current.open(chatId);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async mark(
    chatId: string,
    marks: { readonly pinned: boolean } | { readonly archived: boolean },
  ): Promise<void> {
    await this.parts.store.updateChat(chatId, { metadata: { ...marks } });
    this.changed.fire();
  }
}
