import type { Attachment } from '../../protocol/attachments.ts';

/** What the input is filled with, and what it asks then. */
export interface ComposerPrefill {
  /** A question by the way. */
  readonly sideQuestion?: boolean;
  readonly text?: string;
  readonly attachments?: Attachment[];
}

/** The chat as the user sees it: what other features do there. */
export interface ShownChat {
  /** Shows the chat and puts the keyboard into its input; with text, that text is put there. */
  focus(prefill?: ComposerPrefill): Promise<void>;
  /** Gives a picture to the page, which makes it as small as models want it, and adds it to the next question. */
  offerImage(name: string, bytes: Uint8Array): Promise<void>;
  /** Shows the chat with a message of the branch it is on in view. */
  reveal(messageId: string): Promise<void>;
}
