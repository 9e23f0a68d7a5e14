import { z } from 'zod';
import { answersFromHost } from './answersFromHost.ts';
import { attachments } from './attachments.ts';
import { contextView } from './contextViews.ts';
import { conversationView, editorView } from './views.ts';

/** What the host sends to the chat page: facts, named as such. */
export const chatFromHost = z.discriminatedUnion('type', [
  ...answersFromHost.options,
  /** The whole view anew: after opening, switching, rewinding and saving. */
  z.strictObject({ type: z.literal('conversationChanged'), conversation: conversationView }),
  /** What the next request on a branch takes: counted after the conversation is shown. */
  z.strictObject({
    type: z.literal('contextMeasured'),
    chatId: z.string(),
    branch: z.string(),
    context: contextView,
  }),
  /** Puts text into the input, for instance the prompt that a rewind took back. */
  z.strictObject({
    type: z.literal('composerFilled'),
    text: z.string(),
    attachments: attachments.optional(),
    /** It is a question of the conversation: as long as nobody changes it, nothing was said with it. */
    isStored: z.literal(true).optional(),
  }),
  /** A branch is gone for good: what was typed for it goes, too. */
  z.strictObject({ type: z.literal('draftDiscarded'), branchId: z.string() }),
  /** Things to go with the next question. */
  z.strictObject({ type: z.literal('attached'), attachments }),
  /** What the last text editor shows is another now, or there is none. */
  z.strictObject({ type: z.literal('editorChanged'), editor: editorView.optional() }),
  /** A picture that was chosen on this machine, in base64: the page makes it smaller and hands it back. */
  z.strictObject({
    type: z.literal('imageOffered'),
    name: z.string(),
    mediaType: z.string(),
    data: z.string(),
  }),
  /** Brings a message of the branch into view, fetching what stands before it if need be. */
  z.strictObject({ type: z.literal('messageRevealed'), messageId: z.string() }),
  /** Brings a message that the page has into view, without the keyboard, while one chooses among messages. */
  z.strictObject({ type: z.literal('messagePreviewed'), messageId: z.string() }),
  /** Nothing was chosen: the page goes back to where it was before the first preview. */
  z.strictObject({ type: z.literal('previewEnded') }),
  /** A branch or a checkpoint of the tree is being dragged, which may be dropped on the page. */
  z.strictObject({ type: z.literal('treeDragStarted') }),
  /** Goes to the question before or after the one where one is. */
  z.strictObject({ type: z.literal('questionStepped'), direction: z.enum(['previous', 'next']) }),
  /** Puts the keyboard focus into the input; with `aside`, the next question is a side question. */
  z.strictObject({ type: z.literal('composerFocused'), sideQuestion: z.boolean() }),
]);
export type ChatFromHost = z.infer<typeof chatFromHost>;
