import { z } from 'zod';
import { attachments, editorPart } from './attachments.ts';
import { actionFailed, localised } from './everyPage.ts';
import { limitAction, messageView, partView, textPartView, todoView, usageView } from './views.ts';

/** The conversation is so long that it will soon exceed the model's context. */
const contextWarningView = z.object({
  text: z.string(),
  /** It already exceeds the context. */
  isFull: z.literal(true).optional(),
});
export type ContextWarningView = z.infer<typeof contextWarningView>;

/** How much of a model's context the next request takes. */
const contextView = z.object({
  tokens: z.number(),
  /** Left out if unknown. */
  window: z.number().positive().optional(),
  /** What sending it takes, before the message that is being typed: texts in the language of the user. */
  price: z.array(z.string()).readonly().optional(),
});
export type ContextView = z.infer<typeof contextView>;

/** The messages that are summarized for the model: the page folds them. */
const compactionView = z.object({
  /** The summary in force. */
  messageId: z.string(),
  /** The last message that it covers. */
  until: z.string(),
  /** Covered messages that are sent anyway. */
  kept: z.array(z.string()),
  count: z.number(),
});
export type CompactionView = z.infer<typeof compactionView>;

const queuedView = z.object({
  id: z.string(),
  /** Its beginning. */
  text: z.string(),
  /** It is sent to the model before its next step, rather than after the answer. */
  isSteering: z.boolean(),
});
export type QueuedView = z.infer<typeof queuedView>;

/** A branch on the path, and where it forks from the previous one. */
const lineageView = z.object({
  branch: z.string(),
  /** Left out: its name. */
  label: z.string().optional(),
  /** By index. */
  color: z.int().min(0),
  forkMessageId: z.string().optional(),
});
export type LineageView = z.infer<typeof lineageView>;

/** A side question and its answer, on a separate branch. */
const sideQuestionView = z.object({
  branch: z.string(),
  /** The permanent id of the branch. */
  branchId: z.string().optional(),
  question: z.string(),
  /** The messages between the question and the last answer, if there were follow-ups. */
  earlier: z.array(messageView).optional(),
  answer: messageView.optional(),
  /** It ends with a question that is not being answered. */
  canAnswer: z.literal(true).optional(),
});
export type SideQuestionView = z.infer<typeof sideQuestionView>;

const modelView = z.object({
  id: z.string(),
  label: z.string(),
  isDemo: z.boolean(),
  /** Left out if unknown. */
  takesImages: z.boolean().optional(),
  /** The limits for PDFs in one request; left out if it reads none. */
  pdfs: z.object({ maxBytes: z.number(), maxPages: z.number().optional() }).optional(),
  /** The reasoning effort, in the user's language; left out if it cannot be selected. */
  effort: z.string().optional(),
});
export type ModelView = z.infer<typeof modelView>;

const editorView = z.object({
  ...editorPart.shape,
  /** It is attached to the next question; otherwise it is only suggested. */
  isOn: z.boolean(),
  /** Its name is typical of files with passwords or keys: it is attached only manually. */
  isSecret: z.literal(true).optional(),
});
export type EditorView = z.infer<typeof editorView>;

const modeView = z.object({
  id: z.enum(['agent', 'plan', 'ask']),
  label: z.string(),
  description: z.string(),
});

/** A notice while the user works: read-only window, no folder open, a damaged file set aside. */
const bannerView = z.object({
  id: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  /** What it is about, in at most four words. */
  title: z.string(),
  text: z.string(),
  /** It is about a limit of this window, and is shown above the input. */
  limit: z.object({ action: limitAction.optional() }).optional(),
  /** The URI of a store with chats of this project, which the user may open, copy or refuse: shown in empty chats. */
  offer: z.string().optional(),
});
export type BannerView = z.infer<typeof bannerView>;

const sharedView = z.object({
  /** The owner, if it is another user. */
  owner: z.string().optional(),
  access: z.enum(['private', 'read', 'write']),
  /** The other users who are here now, some of them on the branch that is shown. */
  others: z.array(z.object({ name: z.string(), isOnBranch: z.boolean() })),
});

/** File changes by tools that are not reviewed yet. */
const reviewView = z.object({
  count: z.number(),
  /** Changed lines in all files. */
  added: z.number(),
  removed: z.number(),
  /** The first of them; `count` includes the others. */
  files: z.array(
    z.object({
      id: z.string(),
      path: z.string(),
      /** Left out if the file existed before and still does. */
      change: z.enum(['created', 'deleted']).optional(),
      /** Left out if they cannot be counted. */
      lines: z.object({ added: z.number(), removed: z.number() }).optional(),
    }),
  ),
});
export type ReviewView = z.infer<typeof reviewView>;

/** `messages` are the last of `messageCount`; earlier ones are loaded as the user scrolls. */
const conversationView = z.object({
  chat: z.object({ id: z.string(), title: z.string() }),
  branch: z.string(),
  /** The permanent id of the branch; left out for a chat that does not exist yet. */
  branchId: z.string().optional(),
  /** It is dropped when it is left, unless text is sent or typed on it. */
  isProvisional: z.literal(true).optional(),
  /** It was made before this question, which is in the input until there is another draft. */
  question: z.object({ text: z.string(), attachments }).optional(),
  /** Left out: its name. */
  branchLabel: z.string().optional(),
  branchCount: z.number(),
  /** The branches on the path, root first; left out if there is only one. */
  lineage: z.array(lineageView).optional(),
  messageCount: z.number(),
  messages: z.array(messageView),
  /** A branch can get files of its own here. */
  canHaveOwnFiles: z.literal(true).optional(),
  /** Left out while everything is sent. */
  compaction: compactionView.optional(),
  running: messageView.optional(),
  sideQuestions: z.array(sideQuestionView),
  /** In order; left out while it is empty. */
  queue: z.array(queuedView).optional(),
  /** Left out while there are none. */
  todos: z.array(todoView).optional(),
  /** How many steps the plan of the branch has, and how many of them are done. */
  plan: z.object({ done: z.number(), count: z.number(), isBegun: z.boolean() }).optional(),
  /** Left out while there is nothing to review. */
  review: reviewView.optional(),
  /** The total of all answers on the path to the head. */
  usage: usageView.optional(),
  /** The total of all answers of the chat, on all branches; left out if it is the same, or not counted yet. */
  chatUsage: usageView.optional(),
  model: modelView,
  mode: modeView,
  banners: z.array(bannerView),
  contextWarning: contextWarningView.optional(),
  isReadOnly: z.boolean(),
  /** The reason for that, if it concerns this chat. */
  readOnlyReason: z.string().optional(),
  /** Left out if the chat is not shared. */
  shared: sharedView.optional(),
});
export type ConversationView = z.infer<typeof conversationView>;

/** The files of a branch that doesn't work in the workspace, and how they were checked. */
const attemptView = z.object({
  /** They are here, and were not discarded. */
  isOpen: z.boolean(),
  /** They are on another machine, or were removed from this one. */
  isElsewhere: z.literal(true).optional(),
  /** Left out until they are counted. */
  lines: z.object({ files: z.number(), added: z.number(), removed: z.number() }).optional(),
  changed: z.array(
    z.object({ folder: z.string(), path: z.string(), kind: z.enum(['added', 'changed', 'deleted']) }),
  ),
  /** How many more there are. */
  more: z.number(),
  effort: z.string().optional(),
  hint: z.string().optional(),
  /** Left out if there is none. */
  check: z
    .object({
      command: z.string(),
      /** `waiting` for the answer to end; `elsewhere`: another window runs it; `none`: it did not run to its end. */
      state: z.enum(['waiting', 'running', 'elsewhere', 'passed', 'failed', 'stopped', 'late', 'none']),
      /** Null: not known. */
      exitCode: z.number().nullable().optional(),
      /** In milliseconds. */
      duration: z.number().optional(),
      output: z.string().optional(),
    })
    .optional(),
});
export type AttemptView = z.infer<typeof attemptView>;

const alternativeView = z.object({
  branch: z.string(),
  /** Left out: its name. */
  label: z.string().optional(),
  /** The conversation is on this branch. */
  isActive: z.boolean(),
  /** An answer that uses tools may be several messages; the last may still be streaming. */
  messages: z.array(messageView),
  /** In milliseconds; absent while it is written. */
  duration: z.number().optional(),
  usage: usageView.optional(),
  /** It has later messages. */
  goesOn: z.boolean(),
  /** Left out if it works in the workspace. */
  attempt: attemptView.optional(),
});
export type AlternativeView = z.infer<typeof alternativeView>;

const alternativesView = z.object({
  chatId: z.string(),
  questionId: z.string(),
  question: z.string(),
  alternatives: z.array(alternativeView),
  isReadOnly: z.boolean(),
});
export type AlternativesView = z.infer<typeof alternativesView>;

/** The host's messages to the pages of the chat and of alternatives, named as facts. */
/** It answers what the page asked for: another box in which the user types by now keeps the focus. */
const isReply = z.literal(true).optional();

export const chatFromHost = z.discriminatedUnion('type', [
  localised,
  actionFailed,
  /** The page is cleared, so that no other content is mistaken for what cannot be shown. */
  z.strictObject({
    type: z.literal('conversationFailed'),
    reason: z.string(),
    /** The shared store cannot be reached; it is retried automatically. */
    isAway: z.literal(true).optional(),
  }),
  /** More text of a streaming answer, on any branch; `offset` is the previous length of the part. */
  z.strictObject({
    type: z.literal('answerDelta'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: textPartView,
    offset: z.number().int().nonnegative(),
  }),
  /** A new or completely changed part of a streaming answer: a tool call. */
  z.strictObject({
    type: z.literal('answerPart'),
    chatId: z.string(),
    branch: z.string(),
    messageId: z.string(),
    partIndex: z.number().int().nonnegative(),
    part: partView,
  }),
  /** The themes' code colors have changed: the page requests those of its theme again. */
  z.strictObject({ type: z.literal('codeColorsChanged') }),
  /** The whole view: after opening, switching, rewinding and saving. */
  z.strictObject({ type: z.literal('conversationChanged'), conversation: conversationView }),
  /** Left out when the question is gone. */
  z.strictObject({
    type: z.literal('alternativesChanged'),
    place: z.object({ chatId: z.string(), questionId: z.string() }),
    alternatives: alternativesView.optional(),
  }),
  /** Counted after the conversation is shown. */
  z.strictObject({
    type: z.literal('contextMeasured'),
    chatId: z.string(),
    branch: z.string(),
    context: contextView,
  }),
  /** For instance the question of a rewind. */
  z.strictObject({
    type: z.literal('composerFilled'),
    text: z.string(),
    attachments: attachments.optional(),
    /** It is a stored question: until it is changed, it does not count as a draft. */
    isStored: z.literal(true).optional(),
    isReply,
    /** The branch of another chat, whose draft it is; left out: the shown one. */
    branchId: z.string().optional(),
  }),
  /** A branch was permanently removed, so its draft is removed, too. */
  z.strictObject({ type: z.literal('draftDiscarded'), branchId: z.string() }),
  z.strictObject({ type: z.literal('attached'), attachments, isReply }),
  /** Left out if there is none. */
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
  /** Nothing was chosen: the page scrolls back to its position before the first preview, and looks back no more. */
  z.strictObject({ type: z.literal('previewEnded') }),
  z.strictObject({ type: z.literal('treeDragStarted') }),
  z.strictObject({ type: z.literal('questionStepped'), direction: z.enum(['previous', 'next']) }),
  /** Focuses the input; with `sideQuestion`, the next question is a side question. */
  z.strictObject({ type: z.literal('composerFocused'), sideQuestion: z.boolean() }),
]);
export type ChatFromHost = z.infer<typeof chatFromHost>;
