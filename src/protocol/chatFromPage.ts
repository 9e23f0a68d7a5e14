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

/** What the chat page asks and waits for. */
/** One of the files that are to be reviewed; left out: all of them. */
const reviewedFile = z.string().min(1).max(10_000).optional();

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
  /** Asks the user what is to go with the next question. */
  z.strictObject({ type: z.literal('attach') }),
  /** Files and folders that were dropped, by their addresses: whatever was dragged wrote them. */
  z.strictObject({
    type: z.literal('dropFiles'),
    uris: z.array(z.string().min(1).max(10_000)).min(1).max(MAX_ATTACHMENTS),
  }),
  /** A file of the workspace that is shown to models rather than read to them. */
  z.strictObject({ type: z.literal('attachFile'), path: z.string().min(1).max(4_096) }),
  /** Switches whether what the last text editor shows goes with questions; adds it by hand where it never does by itself. */
  z.strictObject({ type: z.literal('toggleEditor'), editor: editorPart }),
  /** Asks for a branch or a checkpoint of any chat, to be attached. */
  z.strictObject({ type: z.literal('addBranch') }),
  z.strictObject({ type: z.literal('dismissSideQuestion'), ...acting, branch: id }),
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
  /** Answers the last question of the branch again, on a new branch. */
  z.strictObject({ type: z.literal('regenerate'), ...acting, messageId: id }),
  /** Sets the key that a server asked for: that of the model which wrote the message. */
  z.strictObject({ type: z.literal('setApiKey'), messageId: id }),
  /** The same by a model and with a temperature that are asked for. */
  z.strictObject({ type: z.literal('regenerateWith'), ...acting, messageId: id }),
  /** Several answers at once, side by side. */
  z.strictObject({ type: z.literal('tryTimes'), ...acting, messageId: id }),
  /** Shows the answers there are, side by side. */
  z.strictObject({ type: z.literal('compareAnswers'), ...acting, messageId: id }),
  z.strictObject({ type: z.literal('rewindTo'), ...acting, messageId: id }),
  z.strictObject({ type: z.literal('createCheckpoint'), ...acting, messageId: id }),
  z.strictObject({ type: z.literal('switchBranch'), ...acting, branch: id }),
  /** What was dragged from the tree was dropped on the page. */
  z.strictObject({ type: z.literal('dropTreeItem') }),
  /** Goes to the branch through a message that was used last, with the message in view. */
  z.strictObject({ type: z.literal('openVersion'), ...acting, messageId: id }),
  /** Asks a question differently, on a new branch. */
  z.strictObject({ type: z.literal('editMessage'), ...acting, messageId: id, text }),
  z.strictObject({ type: z.literal('copyMessage'), ...acting, messageId: id }),
  /** Has the plan of an answer carried out, on a branch of its own. */
  z.strictObject({ type: z.literal('carryOutPlan'), ...acting, messageId: id }),
  /** Opens the plan of an answer in the editor, to be changed before that. */
  z.strictObject({ type: z.literal('editPlan'), ...acting, messageId: id }),
  /** Shows what tools changed in files, all of them or one; keeps it; takes it back. */
  z.strictObject({ type: z.literal('reviewEdits'), ...acting, file: reviewedFile }),
  z.strictObject({ type: z.literal('keepEdits'), ...acting, file: reviewedFile }),
  z.strictObject({ type: z.literal('undoEdits'), ...acting, file: reviewedFile }),
  /** Puts a summary in place of what came before the last question, on a new branch. */
  z.strictObject({ type: z.literal('summariseContext'), ...acting }),
  /** Compacts the conversation, and answers the question then or continues its answer: the context is full. */
  z.strictObject({ type: z.literal('compactAndContinue'), ...acting }),
  /** Goes on without a summary that the conversation was compacted to, on a new branch. */
  z.strictObject({ type: z.literal('undoCompaction'), ...acting, messageId: id }),
  z.strictObject({ type: z.literal('dismissContextWarning'), ...acting }),
  z.strictObject({ type: z.literal('pickModel') }),
  z.strictObject({ type: z.literal('pickEffort') }),
  /** Selects what the model may do. */
  z.strictObject({ type: z.literal('pickMode') }),
  z.strictObject({ type: z.literal('pickBranch'), ...acting }),
  z.strictObject({ type: z.literal('pickMessage'), ...acting }),
  /** Lists the questions, to rewind to one. */
  z.strictObject({ type: z.literal('pickRewind'), ...acting }),
  z.strictObject({ type: z.literal('takeLimitAction'), action: limitAction }),
  /** Shows what the next request is made of. */
  z.strictObject({ type: z.literal('showContext') }),
  z.strictObject({ type: z.literal('newChat') }),
  /** Tries at once to reach the shared store. */
  z.strictObject({ type: z.literal('reconnect') }),
  z.strictObject({ type: z.literal('useLocalChats') }),
  z.strictObject({ type: z.literal('openSampleChat') }),
  requestOf(chatRequest),
]);
export type ChatFromPage = z.infer<typeof chatFromPage>;

export interface ChatProtocol {
  readonly fromPage: ChatFromPage;
  readonly replies: Replies<typeof chatReplies>;
  readonly fromHost: ChatFromHost;
}
