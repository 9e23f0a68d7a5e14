import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { Event } from '../../base/disposable.ts';

/** The place of a chat page: the side bar, or an editor tab. */
export interface ChatSurface {
  /** The chat it shows, which also decides where other chats opened from it appear. */
  readonly chat: OpenChat;
  readonly onDidChangeChat: Event<void>;
  /** Brings it to the front and focuses it. */
  reveal(): Promise<void>;
  /** The user is here: commands on "the chat" mean this one. */
  use(): void;
  /** Its page shows a conversation. */
  hasShown(): void;
}
