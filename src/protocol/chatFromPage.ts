import { z } from 'zod';
import {
  acting,
  answersNotices,
  answersReplies,
  answersRequests,
  id,
  ready,
  stopAnswer,
} from './answersFromPage.ts';
import {
  attachments,
  contextAttachment,
  editorPart,
  fileAttachment,
  imageAttachment,
  MAX_ATTACHMENTS,
  MAX_IMAGE_BYTES,
  MAX_PDF_BYTES,
  pdfAttachment,
} from './attachments.ts';
import type { ChatFromHost } from './chatFromHost.ts';
import { requestOf, type Replies } from './envelope.ts';
import { approvalChoice } from './approvalView.ts';
import { promptView, slashCommand } from './slashCommands.ts';
import { limitAction, messageView } from './views.ts';
import { todoView } from './workViews.ts';

/** The longest question the page may send, in UTF-16 units; longer ones are refused with a reason. */
export const MAX_QUESTION_LENGTH = 1_000_000;

const text = z.string().trim().min(1).max(MAX_QUESTION_LENGTH);

/** A question may have no words where something goes with it. */
const asked = {
  text: z.string().trim().max(MAX_QUESTION_LENGTH),
  attachments: attachments.optional(),
  /** What the chip of the editor shows, where that goes along. */
  editor: editorPart.optional(),
};
const saysSomething = ({
  text: words,
  attachments: given = [],
}: {
  text: string;
  attachments?: unknown[] | undefined;
}) => words !== '' || given.length > 0;

/** The commands that the page may run, by their ids without the prefix. */
const commandsAnywhere = [
  'addBranch',
  'attach',
  'disconnectSharedStore',
  'newChat',
  'openSampleChat',
  'openStorageAgain',
  'selectMode',
  'selectModel',
  'selectReasoningEffort',
] as const;
const commandsHere = [
  'carryOutPlan',
  'compareAnswers',
  'copyMessage',
  'createCheckpointHere',
  'editPlan',
  'goToMessage',
  'keepEdits',
  'regenerate',
  'regenerateWith',
  'reviewEdits',
  'rewind',
  'rewindToHere',
  'summariseContext',
  'switchBranch',
  'tryTimes',
  'undoCompaction',
  'undoEdits',
] as const;

/** What the chat page asks and waits for. */
export const chatRequest = z.discriminatedUnion('type', [
  ...answersRequests,
  /** Keeps a picture, in base64, for a question that is still to be asked. */
  z.strictObject({
    type: z.literal('addImage'),
    name: z.string().min(1).max(200),
    data: z.base64().max(MAX_IMAGE_BYTES * 2),
  }),
  /** The same of a PDF. */
  z.strictObject({
    type: z.literal('addPdf'),
    name: z.string().min(1).max(200),
    data: z.base64().max(Math.ceil(MAX_PDF_BYTES / 3) * 4),
  }),
  /** Files of the workspace whose paths match. */
  z.strictObject({ type: z.literal('proposeFiles'), query: z.string().max(300) }),
  /** The prompt files that can be run by their names. */
  z.strictObject({ type: z.literal('listPrompts') }),
  z.strictObject({
    type: z.literal('loadEarlier'),
    ...acting,
    branch: id,
    beforeMessageId: id,
    /** Everything from this message on, instead of the next few. */
    fromMessageId: id.optional(),
  }),
]);
export type ChatRequest = z.infer<typeof chatRequest>;

export const chatReplies = {
  ...answersReplies,
  addImage: z.strictObject({ attachment: imageAttachment }),
  addPdf: z.strictObject({ attachment: pdfAttachment }),
  proposeFiles: z.strictObject({
    paths: z.array(z.string()),
    /** What else of the workspace it may mean. */
    context: z.array(contextAttachment).optional(),
    /** A branch or a checkpoint may be meant; which one is asked for. */
    branch: z.literal(true).optional(),
    /** Names that are defined in files, and where. */
    symbols: z.array(z.strictObject({ name: z.string(), lines: fileAttachment })).optional(),
  }),
  listPrompts: z.strictObject({ prompts: z.array(promptView) }),
  loadEarlier: z.strictObject({ messages: z.array(messageView) }),
} satisfies Record<ChatRequest['type'], z.ZodType>;

/** What the chat page says to its host. */
export const chatFromPage = z.discriminatedUnion('type', [
  ready,
  ...answersNotices,
  /** The keyboard came to the page: of several, the user is in this one. */
  z.strictObject({ type: z.literal('focused') }),
  /** Asks, or, while an answer is on its way, queues; `steers`: for the model before its next step. */
  z
    .strictObject({
      type: z.literal('sendMessage'),
      ...acting,
      ...asked,
      steers: z.literal(true).optional(),
    })
    .refine(saysSomething),
  /** Runs a command that was typed after a slash; what follows it may be given to it. */
  z.strictObject({
    type: z.literal('runSlashCommand'),
    ...acting,
    command: slashCommand,
    argument: z.string().trim().min(1).max(MAX_QUESTION_LENGTH).optional(),
  }),
  /** Takes a queued question back into the input. */
  z.strictObject({ type: z.literal('editQueued'), ...acting, id }),
  z.strictObject({ type: z.literal('removeQueued'), ...acting, id }),
  /** Stops the answer that is on its way, and asks. */
  z.strictObject({ type: z.literal('sendQueuedNow'), ...acting, id }),
  z.strictObject({ type: z.literal('moveQueued'), ...acting, id, to: z.int().min(0) }),
  z.strictObject({ type: z.literal('steerQueued'), ...acting, id, steers: z.boolean() }),
  /** Marks an entry of the agent's todo list; the title is the one that was shown. */
  z.strictObject({
    type: z.literal('markTodo'),
    ...acting,
    index: z.int().min(0).max(1_000),
    title: z.string().min(1).max(1_000),
    status: todoView.shape.status,
  }),
  z.strictObject({ type: z.literal('clearTodos'), ...acting }),
  /** What is typed for the branch that is shown is more than a rewind put there. */
  z.strictObject({ type: z.literal('draftChanged'), ...acting }),
  /** A side question: answered on a branch of its own while the main answer goes on, or on that of an earlier one. */
  z
    .strictObject({ type: z.literal('askSideQuestion'), ...acting, ...asked, branch: id.optional() })
    .refine(saysSomething),
  /** Adds a summary of a side question to the branch that is shown. */
  z.strictObject({ type: z.literal('mergeSideQuestion'), ...acting, branch: id }),
  /** Removes a side question for good. */
  z.strictObject({ type: z.literal('discardSideQuestion'), ...acting, branch: id }),
  /** Files and folders that were dropped, by their addresses: whatever was dragged wrote them. */
  z.strictObject({
    type: z.literal('dropFiles'),
    uris: z.array(z.string().min(1).max(10_000)).min(1).max(MAX_ATTACHMENTS),
  }),
  /** A file of the workspace that is shown to models rather than read to them. */
  z.strictObject({ type: z.literal('attachFile'), path: z.string().min(1).max(4_096) }),
  /** Switches whether what the last text editor shows goes with questions; adds it by hand where it never does by itself. */
  z.strictObject({ type: z.literal('toggleEditor'), editor: editorPart }),
  z.strictObject({ type: z.literal('dismissSideQuestion'), ...acting, branch: id }),
  /** A command as the palette has it. */
  z.strictObject({ type: z.literal('runCommand'), command: z.enum(commandsAnywhere) }),
  /** One on the conversation that is shown, on a message of it, or on a file that tools changed (left out: on all of them). */
  z.strictObject({
    type: z.literal('runCommandHere'),
    ...acting,
    command: z.enum(commandsHere),
    messageId: id.optional(),
    file: z.string().min(1).max(10_000).optional(),
  }),
  stopAnswer,
  /** The user's answer to what a tool asks; under an id that is not asked any more it does nothing. */
  z.strictObject({ type: z.literal('answerApproval'), ...acting, id, choice: approvalChoice }),
  /** Shows what a tool wants to change, in the editor. */
  z.strictObject({ type: z.literal('showChanges'), ...acting, id }),
  /** Goes on where an answer failed, was stopped, or reached its limit of steps. */
  z.strictObject({ type: z.literal('continueAnswer'), ...acting, branch: id }),
  /** Answers the question that the branch ends with: its answer failed before the first word, or never came. */
  z.strictObject({ type: z.literal('retryAnswer'), ...acting, branch: id }),
  /** Saves the answer of the branch that ended and could not be saved. */
  z.strictObject({ type: z.literal('saveAnswer'), ...acting, branch: id }),
  /** Sets the key that a server asked for: that of the model which wrote the message. */
  z.strictObject({ type: z.literal('setApiKey'), messageId: id }),
  z.strictObject({ type: z.literal('switchBranch'), ...acting, branch: id }),
  /** What was dragged from the tree was dropped on the page. */
  z.strictObject({ type: z.literal('dropTreeItem') }),
  /** Goes to the branch through a message that was used last, with the message in view. */
  z.strictObject({ type: z.literal('openVersion'), ...acting, messageId: id }),
  /** Asks a question differently, on a new branch. */
  z.strictObject({ type: z.literal('editMessage'), ...acting, messageId: id, text }),
  /** Compacts the conversation, and answers the question then or continues its answer: the context is full. */
  z.strictObject({ type: z.literal('compactAndContinue'), ...acting }),
  z.strictObject({ type: z.literal('dismissContextWarning'), ...acting }),
  z.strictObject({ type: z.literal('takeLimitAction'), action: limitAction }),
  /** Shows what the next request is made of. */
  z.strictObject({ type: z.literal('showContext') }),
  requestOf(chatRequest),
]);
export type ChatFromPage = z.infer<typeof chatFromPage>;

export interface ChatProtocol {
  readonly fromPage: ChatFromPage;
  readonly replies: Replies<typeof chatReplies>;
  readonly fromHost: ChatFromHost;
}
