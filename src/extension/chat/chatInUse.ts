import type { ComposerPrefill, ShownChat } from '../chats/shownChat.ts';

/** The chat the user used last: in the side bar, or in one of the tabs. */
export class ChatInUse implements ShownChat {
  constructor(private readonly find: () => ShownChat) {}

  bringToFront(): Promise<void> {
    return this.find().bringToFront();
  }

  focus(prefill?: ComposerPrefill): Promise<void> {
    return this.find().focus(prefill);
  }

  offerImage(name: string, bytes: Uint8Array): Promise<void> {
    return this.find().offerImage(name, bytes);
  }

  reveal(messageId: string): Promise<void> {
    return this.find().reveal(messageId);
  }

  preview(messageId: string): void {
    this.find().preview(messageId);
  }

  endPreview(): void {
    this.find().endPreview();
  }

  stepQuestion(direction: 'previous' | 'next'): Promise<void> {
    return this.find().stepQuestion(direction);
  }
}
