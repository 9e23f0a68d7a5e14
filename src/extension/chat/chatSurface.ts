import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { Event } from '../../kit/disposable.ts';

/** Where a page of the chat stands: in the side bar, or in an editor tab. */
export interface ChatSurface {
  /** The chat it shows, and where others are opened that are asked for on it. */
  readonly chat: OpenChat;
  readonly onDidChangeChat: Event<void>;
  /** Brings it to the front, with the keyboard. */
  reveal(): Promise<void>;
  /** The user is here: what is about "the chat" is about this one. */
  use(): void;
  /** Its page shows a conversation. */
  hasShown(): void;
}
