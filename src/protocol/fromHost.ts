import { z } from 'zod';
import { attachments, imageAttachment } from './attachments.ts';
import { tokenStyles } from './tokens.ts';
import { triesView } from './alternatives.ts';
import { conversationView, fileView, messageView, partView, textPartView } from './views.ts';

/** What the host tells the page: facts, named as such. */
export const fromHost = z.discriminatedUnion('type', [
  /** Sent once after `ready`: texts in the user's language, keyed by the English text. */
  z.strictObject({
    type: z.literal('localised'),
    texts: z.record(z.string(), z.string()),
    locale: z.string(),
  }),
  /** The whole view anew: after opening, switching, rewinding and saving. */
  z.strictObject({ type: z.literal('conversationChanged'), conversation: conversationView }),
  /** The conversation, or the answers, can't be shown: nothing is, so that nobody takes another one for it. */
  z.strictObject({ type: z.literal('conversationFailed'), reason: z.string() }),
  /** The answers to one question anew; without any when the question is gone. */
  z.strictObject({
    type: z.literal('triesChanged'),
    place: z.object({ chatId: z.string(), questionId: z.string() }),
    tries: triesView.optional(),
  }),
  /** Answer to `loadEarlier`. */
  z.strictObject({
    type: z.literal('earlierMessages'),
    request: z.number(),
    chatId: z.string(),
    branch: z.string(),
    messages: z.array(messageView),
  }),
  /** More of an answer that streams, on whichever branch; `offset` is the length of what the part held before. */
  z.strictObject({
    type: z.literal('answerDelta'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: textPartView,
    offset: z.number().int().nonnegative(),
  }),
  /** A part of an answer on its way that is new, or has changed as a whole: the call of a tool. */
  z.strictObject({
    type: z.literal('answerPart'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: partView,
  }),
  /** A message was refused or an action failed; shown in the page, with what to do. */
  z.strictObject({ type: z.literal('actionFailed'), text: z.string() }),
  /** How the theme that the page named colours code. */
  z.strictObject({ type: z.literal('codeColoured'), themeId: z.string(), styles: tokenStyles }),
  /** Answer to `findFiles`: those of the names that are files of the workspace. */
  z.strictObject({ type: z.literal('filesFound'), names: z.array(z.string()), files: z.array(fileView) }),
  /** Answer to `loadPicture`: the artifact as a `data:` address; without one, it is no picture or not there. */
  z.strictObject({ type: z.literal('pictureLoaded'), name: z.string(), address: z.string().optional() }),
  /** Puts text into the input, for instance the prompt that a rewind took back. */
  z.strictObject({
    type: z.literal('composerFilled'),
    text: z.string(),
    attachments: attachments.optional(),
  }),
  /** Things to go with the next question. */
  z.strictObject({ type: z.literal('attached'), attachments }),
  /** A picture that was chosen on this machine, in base64: the page makes it smaller and hands it back. */
  z.strictObject({
    type: z.literal('imageOffered'),
    name: z.string(),
    mediaType: z.string(),
    data: z.string(),
  }),
  /** Answer to `addImage`, when the picture is kept. */
  z.strictObject({ type: z.literal('imageAdded'), request: z.number(), attachment: imageAttachment }),
  /** Answer to `loadImage`: the bytes in base64; without any when they are no longer kept. */
  z.strictObject({
    type: z.literal('imageLoaded'),
    hash: z.string(),
    mediaType: z.string(),
    data: z.string().optional(),
  }),
  /** Answer to `proposeFiles`. */
  z.strictObject({ type: z.literal('filesProposed'), query: z.string(), paths: z.array(z.string()) }),
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
  z.strictObject({ type: z.literal('composerFocused'), aside: z.boolean() }),
]);
export type FromHost = z.infer<typeof fromHost>;
