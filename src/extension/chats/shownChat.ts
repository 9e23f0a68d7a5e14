import type { Attachment } from '../../protocol/attachments.ts';

/** What the input is filled with, and what it asks then. */
export interface ComposerPrefill {
  /** A question by the way. */
  readonly sideQuestion?: boolean;
  readonly text?: string;
  readonly attachments?: Attachment[];
  /** It is a question of the conversation, which goes with its branch unless it is changed. */
  readonly isStored?: boolean;
}

/** The chat as the user sees it, where they used it last: what other features do there. */
export interface ShownChat {
  /** Shows the chat, and moves the keyboard there. */
  bringToFront(): Promise<void>;
  /** Shows the chat and puts the keyboard into its input; with text, that text is put there. */
  focus(prefill?: ComposerPrefill): Promise<void>;
  /** Gives a picture to the page, which makes it as small as models want it, and adds it to the next question. */
  offerImage(name: string, bytes: Uint8Array): Promise<void>;
  /** Shows the chat with a message of the branch it is on in view. */
  reveal(messageId: string): Promise<void>;
  /** Shows a message of the branch it is on, without the keyboard, until {@link endPreview}. */
  preview(messageId: string): void;
  /** The chat is again where it was before the first preview. */
  endPreview(): void;
  /** Goes to the question before or after the one where one is. */
  stepQuestion(direction: 'previous' | 'next'): Promise<void>;
}
