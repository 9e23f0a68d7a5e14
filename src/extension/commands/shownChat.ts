import type { Attachment } from '../../protocol/attachments.ts';

/** The content of the input, and what sending it asks. */
export interface ComposerPrefill {
  /** It is a side question. */
  readonly sideQuestion?: boolean;
  readonly text?: string;
  readonly attachments?: Attachment[];
  /** The text is a stored question: unless it is changed, it is discarded with its branch. */
  readonly isStored?: boolean;
}

/** The chat that the user used last, as other features control it. */
export interface ShownChat {
  /** Shows the chat, and focuses it. */
  bringToFront(): Promise<void>;
  /** Shows the chat and focuses its input; a text, if given, is put there. */
  focus(prefill?: ComposerPrefill): Promise<void>;
  /** Passes a picture to the page, which scales it down for models and adds it to the next question. */
  offerImage(name: string, bytes: Uint8Array): Promise<void>;
  /** Shows the chat, scrolled to a message of the active branch. */
  reveal(messageId: string): Promise<void>;
  /** Shows a message of the active branch without moving the focus, until {@link endPreview}. */
  preview(messageId: string): void;
  /** Scrolls the chat back to where it was before the first preview. */
  endPreview(): void;
  /** Goes to the question before or after the current one. */
  stepQuestion(direction: 'previous' | 'next'): Promise<void>;
}
