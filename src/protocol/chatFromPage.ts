import { z } from 'zod';
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
import { requestOf, type Replies } from './everyPage.ts';
import { promptView, slashCommand } from './slashCommands.ts';
import {
  approvalChoice,
  fileView,
  limitAction,
  offerAction,
  messageView,
  momentView,
  todoView,
} from './views.ts';

const id = z.string().min(1).max(1_000);

/** A request for another conversation than the host's is refused, because the page still shows the other one. */
const shownPosition = z.strictObject({
  chatId: id,
  branch: id.optional(),
  questionId: id.optional(),
});
export type ShownPosition = z.infer<typeof shownPosition>;

/** Requests that act on the shown conversation identify it. */
const acting = { place: shownPosition };

/** What the user decided about an answer that a cap stopped. */
const onBudget = z.enum(['once', 'raise']);
export type OnBudget = z.infer<typeof onBudget>;

/** In UTF-16 units; longer ones are refused with a reason. */
export const MAX_QUESTION_LENGTH = 1_000_000;

const text = z.string().trim().min(1).max(MAX_QUESTION_LENGTH);

/** The longest answer in the user's own words, in UTF-16 units. */
export const MAX_OWN_WORDS = 10_000;

/** A question may be empty if it has attachments. */
const asked = {
  text: z.string().trim().max(MAX_QUESTION_LENGTH),
  attachments: attachments.optional(),
  editor: editorPart.optional(),
};
const saysSomething = ({
  text: words,
  attachments: given = [],
}: {
  text: string;
  attachments?: unknown[] | undefined;
}) => words !== '' || given.length > 0;

/** The commands that the page may run, by id without the prefix. */
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
  'carryOutPlanInOwnFiles',
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
  'summarizeContext',
  'switchBranch',
  'tryTimes',
  'undoCompaction',
  'undoEdits',
] as const;

export const answersNotices = [
  /** On `branch`; the received part is kept. */
  z.strictObject({ type: z.literal('stopAnswer'), ...acting, branch: id }),
  /** Continues an answer that failed, was stopped, or reached its step limit. */
  z.strictObject({ type: z.literal('continueAnswer'), ...acting, branch: id, onBudget: onBudget.optional() }),
  /** Answers the question that the branch ends with: its answer failed before the first word, or never came. */
  z.strictObject({ type: z.literal('retryAnswer'), ...acting, branch: id, onBudget: onBudget.optional() }),
  z.strictObject({ type: z.literal('copyText'), text: z.string().max(10_000_000) }),
  z.strictObject({ type: z.literal('insertText'), text: z.string().max(10_000_000) }),
  /** Previews applying a code block to its file, or to the one in the editor. */
  z.strictObject({
    type: z.literal('applyCode'),
    code: z.string().max(10_000_000),
    language: z.string().max(1_000),
    file: z.string().max(1_000).optional(),
  }),
  /** Opened by the host after a check of its scheme. */
  z.strictObject({ type: z.literal('openLink'), href: z.string().max(10_000) }),
  z.strictObject({
    type: z.literal('openToolCall'),
    ...acting,
    messageId: id,
    callId: z.string().max(1_000),
  }),
  /** `leave`: it continues, and nothing waits for it. */
  z.strictObject({
    type: z.literal('actOnCommand'),
    action: z.enum(['stop', 'leave', 'showTerminal']),
    callId: z.string().max(1_000),
    /** The id of the command, once its call has ended. */
    commandId: z.string().max(1_000).optional(),
  }),
  z.strictObject({ type: z.literal('openTask'), ...acting, branchId: id }),
  z.strictObject({ type: z.literal('stopTask'), ...acting, branch: id }),
] as const;
export type AnswersNotice = z.infer<(typeof answersNotices)[number]>;

export const alternativesNotices = [
  /** Switches to the branch of the chosen answer. */
  z.strictObject({ type: z.literal('keepAlternative'), ...acting, branch: id }),
  z.strictObject({ type: z.literal('stopAlternatives'), ...acting }),
  /** About a branch with files of its own. `compare`: with what they were at first, `compareWith`: with another's. */
  z.strictObject({
    type: z.literal('actOnAttempt'),
    ...acting,
    branch: id,
    action: z.enum(['compare', 'compareWith', 'ask', 'runCheck', 'stopCheck', 'showCheck']),
  }),
  /** One of the files that it changed. */
  z.strictObject({
    type: z.literal('openAttemptFile'),
    ...acting,
    branch: id,
    folder: z.string().max(10_000),
    path: z.string().max(10_000),
    compares: z.boolean(),
  }),
] as const;
export type AlternativesNotice = z.infer<(typeof alternativesNotices)[number]>;

/** Parts of code that a theme colors; each is a class that the page gives to pieces of highlighted code. */
export const TOKENS = [
  ...['keyword', 'control', 'builtin', 'type', 'literal', 'number', 'operator', 'punctuation', 'property'],
  ...[
    'regexp',
    'string',
    'escape',
    'symbol',
    'variable',
    'self',
    'constant',
    'function',
    'class',
    'parameter',
  ],
  ...['comment', 'doctag', 'directive', 'heading', 'tag', 'attribute', 'bullet', 'raw', 'link', 'quote'],
  ...['selector', 'pseudo', 'inserted', 'deleted'],
] as const;

const tokenStyle = z.object({
  color: z
    .string()
    .regex(/^#[0-9a-f]{3,8}$/i)
    .optional(),
  isItalic: z.boolean().optional(),
  isBold: z.boolean().optional(),
});
export type TokenStyle = z.infer<typeof tokenStyle>;

/** By the names in `TOKENS`. Missing parts have the color of plain text. */
const tokenStyles = z.record(z.string(), tokenStyle);
export type TokenStyles = z.infer<typeof tokenStyles>;

export const MAX_NAMES = 200;

export const answersRequests = [
  /** The code colors of a theme, by VS Code's id. */
  z.strictObject({ type: z.literal('readTokenStyles'), themeId: z.string().max(1_000) }),
  /** Which of these names, found in answers, are files of the workspace. */
  z.strictObject({ type: z.literal('findFiles'), names: z.array(z.string().max(1_000)).max(MAX_NAMES) }),
  /** A picture among the artifacts of the conversation. */
  z.strictObject({ type: z.literal('loadPicture'), ...acting, name: z.string().min(1).max(1_000) }),
  /** A picture attached to a question, or returned by a tool. */
  z.strictObject({ type: z.literal('loadImage'), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
] as const;
export type AnswersRequest = z.infer<(typeof answersRequests)[number]>;

export const chatRequest = z.discriminatedUnion('type', [
  ...answersRequests,
  /** Stores a picture, in base64, for a question that is not asked yet. */
  z.strictObject({
    type: z.literal('addImage'),
    name: z.string().min(1).max(200),
    data: z.base64().max(MAX_IMAGE_BYTES * 2),
  }),
  z.strictObject({
    type: z.literal('addPdf'),
    name: z.string().min(1).max(200),
    data: z.base64().max(Math.ceil(MAX_PDF_BYTES / 3) * 4),
  }),
  z.strictObject({ type: z.literal('proposeFiles'), query: z.string().max(300) }),
  z.strictObject({ type: z.literal('listPrompts') }),
  z.strictObject({
    type: z.literal('loadEarlier'),
    ...acting,
    branch: id,
    beforeMessageId: id,
    /** Everything from this message on, instead of the next few. */
    fromMessageId: id.optional(),
  }),
  /** Has the editors and the chat show a moment of the path, by its place among them; left out: the last one. */
  z.strictObject({ type: z.literal('lookBack'), ...acting, to: z.int().min(0).optional() }),
]);
export type ChatRequest = z.infer<typeof chatRequest>;

export const chatReplies = {
  readTokenStyles: z.strictObject({ styles: tokenStyles }),
  findFiles: z.strictObject({ files: z.array(fileView) }),
  /** The artifact as a `data:` address; absent when it is not a picture or does not exist. */
  loadPicture: z.strictObject({ address: z.string().optional() }),
  /** The bytes in base64; absent when they are no longer kept. */
  loadImage: z.strictObject({ mediaType: z.string(), data: z.string().optional() }),
  addImage: z.strictObject({ attachment: imageAttachment }),
  addPdf: z.strictObject({ attachment: pdfAttachment }),
  proposeFiles: z.strictObject({
    paths: z.array(z.string()),
    context: z.array(contextAttachment).optional(),
    /** A branch or a checkpoint may match; the user is then asked which one. */
    branch: z.literal(true).optional(),
    symbols: z.array(z.strictObject({ name: z.string(), lines: fileAttachment })).optional(),
  }),
  listPrompts: z.strictObject({ prompts: z.array(promptView) }),
  loadEarlier: z.strictObject({ messages: z.array(messageView) }),
  /** Left out where there is no message. */
  lookBack: z.strictObject({ moment: momentView.optional() }),
} satisfies Record<ChatRequest['type'], z.ZodType>;

/** Each host handles the messages of its page, and refuses the others. */
export const chatFromPage = z.discriminatedUnion('type', [
  /** The page is ready and has no content yet; `again`: it has missed something. */
  z.strictObject({ type: z.literal('ready'), again: z.literal(true).optional() }),
  ...answersNotices,
  ...alternativesNotices,
  /** The editors show the files again. */
  z.strictObject({ type: z.literal('lookBackEnded') }),
  /** The page got the focus: of several pages, the user is in this one. */
  z.strictObject({ type: z.literal('focused') }),
  /** Asks, or queues while an answer is being written; `steers`: for the model before its next step. */
  z
    .strictObject({
      type: z.literal('sendMessage'),
      ...acting,
      ...asked,
      steers: z.literal(true).optional(),
    })
    .refine(saysSomething),
  z.strictObject({
    type: z.literal('runSlashCommand'),
    ...acting,
    command: slashCommand,
    argument: z.string().trim().min(1).max(MAX_QUESTION_LENGTH).optional(),
  }),
  /** Takes a queued question back into the input. */
  z.strictObject({ type: z.literal('editQueued'), ...acting, id }),
  z.strictObject({ type: z.literal('removeQueued'), ...acting, id }),
  /** Stops the answer in progress, and asks. */
  z.strictObject({ type: z.literal('sendQueuedNow'), ...acting, id }),
  z.strictObject({ type: z.literal('moveQueued'), ...acting, id, to: z.int().min(0) }),
  z.strictObject({ type: z.literal('steerQueued'), ...acting, id, steers: z.boolean() }),
  /** The title is the one that was shown. */
  z.strictObject({
    type: z.literal('markTodo'),
    ...acting,
    index: z.int().min(0).max(1_000),
    title: z.string().min(1).max(1_000),
    status: todoView.shape.status,
  }),
  z.strictObject({ type: z.literal('clearTodos'), ...acting }),
  /** The draft of the shown branch is more than a rewind put there. */
  z.strictObject({ type: z.literal('draftChanged'), ...acting }),
  /** A side question: answered on a separate branch while the main answer continues, or on that of an earlier one. */
  z
    .strictObject({ type: z.literal('askSideQuestion'), ...acting, ...asked, branch: id.optional() })
    .refine(saysSomething),
  /** Adds a summary of a side question to the branch that is shown. */
  z.strictObject({ type: z.literal('mergeSideQuestion'), ...acting, branch: id }),
  /** Permanently removes a side question. */
  z.strictObject({ type: z.literal('discardSideQuestion'), ...acting, branch: id }),
  /** Dropped files and folders, by address: the addresses are untrusted. */
  z.strictObject({
    type: z.literal('dropFiles'),
    uris: z.array(z.string().min(1).max(10_000)).min(1).max(MAX_ATTACHMENTS),
  }),
  /** A file of the workspace that models view rather than read as text. */
  z.strictObject({ type: z.literal('attachFile'), path: z.string().min(1).max(4_096) }),
  /** Toggles whether it is attached to questions; attaches it where it never is automatically. */
  z.strictObject({ type: z.literal('toggleEditor'), editor: editorPart }),
  z.strictObject({ type: z.literal('dismissSideQuestion'), ...acting, branch: id }),
  z.strictObject({ type: z.literal('runCommand'), command: z.enum(commandsAnywhere) }),
  /** On the shown conversation, on a message of it, or on a file that tools changed (left out: on all of them). */
  z.strictObject({
    type: z.literal('runCommandHere'),
    ...acting,
    command: z.enum(commandsHere),
    messageId: id.optional(),
    file: z.string().min(1).max(10_000).optional(),
  }),
  /** The user's answer to an approval; an id that is no longer pending is ignored. */
  z.strictObject({ type: z.literal('answerApproval'), ...acting, id, choice: approvalChoice }),
  /** An answer to each question of a call; left out: the model decides. */
  z.strictObject({
    type: z.literal('answerQuestions'),
    ...acting,
    id,
    answers: z
      .array(
        z.strictObject({
          chosen: z.array(z.int().min(0).max(100)).max(100),
          text: z.string().max(MAX_OWN_WORDS),
        }),
      )
      .max(100)
      .optional(),
  }),
  z.strictObject({ type: z.literal('showChanges'), ...acting, id }),
  z.strictObject({ type: z.literal('saveAnswer'), ...acting, branch: id }),
  /** Sets the key that a server requires: that of the model which wrote the message. */
  z.strictObject({ type: z.literal('setApiKey'), messageId: id }),
  z.strictObject({ type: z.literal('switchBranch'), ...acting, branch: id }),
  z.strictObject({ type: z.literal('dropTreeItem') }),
  /** Switches to the branch through a message that was used last, and scrolls to the message. */
  z.strictObject({ type: z.literal('openVersion'), ...acting, messageId: id }),
  /** Asks a question differently, on a new branch. */
  z.strictObject({ type: z.literal('editMessage'), ...acting, messageId: id, text }),
  /** Compacts the conversation because the context is full, then answers the question or continues its answer. */
  z.strictObject({ type: z.literal('compactAndContinue'), ...acting }),
  z.strictObject({ type: z.literal('dismissContextWarning'), ...acting }),
  z.strictObject({ type: z.literal('takeLimitAction'), action: limitAction }),
  z.strictObject({ type: z.literal('takeOffer'), offer: z.string(), action: offerAction }),
  /** Shows the contents of the next request. */
  z.strictObject({ type: z.literal('showContext') }),
  requestOf(chatRequest),
]);
export type ChatFromPage = z.infer<typeof chatFromPage>;

export interface ChatProtocol {
  readonly fromPage: ChatFromPage;
  readonly replies: Replies<typeof chatReplies>;
  readonly fromHost: ChatFromHost;
}
