import { z } from 'zod';
import { answersFromHost } from './answers.ts';
import { attachments } from './attachments.ts';
import { contextView, conversationView, editorView } from './views.ts';

/** The host's messages to the chat page, named as facts. */
export const chatFromHost = z.discriminatedUnion('type', [
  ...answersFromHost.options,
  /** The whole view: after opening, switching, rewinding and saving. */
  z.strictObject({ type: z.literal('conversationChanged'), conversation: conversationView }),
  /** The tokens of the next request on a branch: counted after the conversation is shown. */
  z.strictObject({
    type: z.literal('contextMeasured'),
    chatId: z.string(),
    branch: z.string(),
    context: contextView,
  }),
  /** Puts text into the input, for instance the question of a rewind. */
  z.strictObject({
    type: z.literal('composerFilled'),
    text: z.string(),
    attachments: attachments.optional(),
    /** It is a stored question: until it is changed, it does not count as a draft. */
    isStored: z.literal(true).optional(),
  }),
  /** A branch was permanently removed, so its draft is removed, too. */
  z.strictObject({ type: z.literal('draftDiscarded'), branchId: z.string() }),
  /** Attachments for the next question. */
  z.strictObject({ type: z.literal('attached'), attachments }),
  /** The content of the last text editor has changed, or there is no editor. */
  z.strictObject({ type: z.literal('editorChanged'), editor: editorView.optional() }),
  /** A picture that was chosen on this machine, in base64: the page scales it down and returns it. */
  z.strictObject({
    type: z.literal('imageOffered'),
    name: z.string(),
    mediaType: z.string(),
    data: z.string(),
  }),
  /** Scrolls to a message of the branch, loading earlier messages if necessary. */
  z.strictObject({ type: z.literal('messageRevealed'), messageId: z.string() }),
  /** Scrolls to a loaded message without focusing it, while the user chooses among messages. */
  z.strictObject({ type: z.literal('messagePreviewed'), messageId: z.string() }),
  /** Nothing was chosen: the page scrolls back to its position before the first preview. */
  z.strictObject({ type: z.literal('previewEnded') }),
  /** A branch or a checkpoint of the tree is being dragged, and may be dropped on the page. */
  z.strictObject({ type: z.literal('treeDragStarted') }),
  /** Moves to the previous or next question. */
  z.strictObject({ type: z.literal('questionStepped'), direction: z.enum(['previous', 'next']) }),
  /** Focuses the input; with `sideQuestion`, the next question is a side question. */
  z.strictObject({ type: z.literal('composerFocused'), sideQuestion: z.boolean() }),
]);
export type ChatFromHost = z.infer<typeof chatFromHost>;
