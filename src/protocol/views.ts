import { z } from 'zod';
import { usageView, reviewView, toolPartView, todoView, turnView } from './workViews.ts';
import { editorPart } from './attachments.ts';
import { attachedView } from './attachedView.ts';

/** The conversation is so long that it will soon exceed the model's context. */
const contextWarningView = z.object({
  text: z.string(),
  /** It already exceeds the context. */
  isFull: z.literal(true).optional(),
});
export type ContextWarningView = z.infer<typeof contextWarningView>;

/** How much of a model's context the next request takes. */
export const contextView = z.object({
  tokens: z.number(),
  /** The size of the context; left out if unknown. */
  window: z.number().positive().optional(),
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
  /** How many messages it covers. */
  count: z.number(),
});
export type CompactionView = z.infer<typeof compactionView>;

export * from './workViews.ts';

/** The status of an answer. `interrupted`: stopped by the user or by a restart; the received part is kept. */
export const answerStatus = z.enum(['streaming', 'complete', 'interrupted', 'failed']);

/** A part that grows while it is written. */
export const textPartView = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    text: z.string(),
    /** When the reasoning began, in milliseconds since 1970, while it lasts. */
    startedAt: z.number().optional(),
    /** The duration of the reasoning, in milliseconds, once it has ended. */
    duration: z.number().optional(),
  }),
]);

export const partView = z.discriminatedUnion('type', [
  ...textPartView.options,
  toolPartView,
  ...attachedView.options,
  /** A placeholder for an invisible part, such as the beginning of a step. */
  z.object({ type: z.literal('nothing') }),
]);
export type PartView = z.infer<typeof partView>;

/** A report the agent went back with, or a summary of messages. */
export const reportView = z.object({
  /** The explored goal; for a summary, the summarized branch. */
  goal: z.string(),
  /** The branch that holds the explored or summarized messages, if it can be determined. */
  exploredBranch: z.string().optional(),
  /** The label of that branch; left out: its name. */
  exploredLabel: z.string().optional(),
  /** The kind of a summary; left out: a report of the agent. */
  kind: z.enum(['up-to-here', 'from-here', 'brought-back', 'compacted', 'note']).optional(),
  /** How many messages a summary replaces. */
  count: z.number().optional(),
  /** The approximate tokens that a summary replaces, and its own. */
  tokens: z.object({ before: z.number(), after: z.number() }).optional(),
  /** The model that wrote the summary; left out: the user, or the agent. */
  model: z.string().optional(),
});
export type ReportView = z.infer<typeof reportView>;

/** Which of several messages at a fork this is. */
export const versionsView = z.object({
  /** From 1. */
  number: z.number(),
  count: z.number(),
  /** The adjacent ones, with their beginnings. */
  before: z.object({ id: z.string(), preview: z.string() }).optional(),
  after: z.object({ id: z.string(), preview: z.string() }).optional(),
});
export type VersionsView = z.infer<typeof versionsView>;

/** A question queued behind the answer in progress. */
export const queuedView = z.object({
  id: z.string(),
  /** Its beginning. */
  text: z.string(),
  /** It is sent to the model before its next step, rather than after the answer. */
  isSteering: z.boolean(),
});
export type QueuedView = z.infer<typeof queuedView>;

/** A branch on the path, and where it forks from the previous one. */
export const lineageView = z.object({
  branch: z.string(),
  /** Its label; left out: its name. */
  label: z.string().optional(),
  /** Its color, by index. */
  color: z.int().min(0),
  forkMessageId: z.string().optional(),
});
export type LineageView = z.infer<typeof lineageView>;

/** A web page that an answer relies on. */
export const sourceView = z.object({
  /** On one line; the address if the page has no title. */
  title: z.string(),
  host: z.string(),
  url: z.string(),
});
export type SourceView = z.infer<typeof sourceView>;

/** A message, for display. */
export const messageView = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system', 'note']),
  parts: z.array(partView),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  status: answerStatus,
  /** The error, as a text for the user with advice. */
  error: z.string().optional(),
  /** The server requires a key, or refused the given one. */
  wantsKey: z.literal(true).optional(),
  /** The conversation is too long for the model: it can continue with a summary of earlier messages. */
  canSummarize: z.literal(true).optional(),
  /** Nothing of it is stored: it failed before its first word, or could not be saved. */
  isUnsaved: z.literal(true).optional(),
  /** It is finished, could not be saved, and exists only in this window. */
  canSave: z.literal(true).optional(),
  /** A question that the branch ends with, and that is not being answered. */
  canAnswer: z.literal(true).optional(),
  /** It did not complete, and the branch ends with it. */
  canContinue: z.literal(true).optional(),
  /** A task from the agent for a separate run, which does not see earlier messages. */
  isTask: z.literal(true).optional(),
  /** Another user wrote it. */
  author: z.string().optional(),
  /** It is a plan, which can be carried out. */
  isPlan: z.literal(true).optional(),
  /** Another window writes it: the received part is shown, and it cannot be stopped here. */
  isElsewhere: z.literal(true).optional(),
  /** Why an answer has no text yet, if there is a reason: the request failed and is retried. */
  waiting: z.string().optional(),
  /** A notice about an answer that did not fail. */
  notice: z.object({ text: z.string(), canContinue: z.boolean() }).optional(),
  /** Content for the model that nothing else here shows: reminders, embedded files, text next to a report. */
  hidden: z.string().optional(),
  /** For a note: the report it holds. */
  report: reportView.optional(),
  model: z
    .object({
      label: z.string(),
      isDemo: z.boolean(),
      temperature: z.number().optional(),
      /** The reasoning effort, in the user's language. */
      effort: z.string().optional(),
    })
    .optional(),
  /** Present if the conversation forks before it. */
  versions: versionsView.optional(),
  /** The color of its branch, if there are several. */
  line: z.int().min(0).optional(),
  usage: usageView.optional(),
  /** A short description of its changes: it is a step that can be rewound to. */
  step: z.string().optional(),
  /** The total usage of the turn that ends with it, if it had more than one step. */
  turn: turnView.optional(),
  /** The web pages that were read for it; left out if there are none. */
  sources: z.array(sourceView).optional(),
  checkpoints: z.array(z.string()),
});
export type MessageView = z.infer<typeof messageView>;

/** A file of the workspace that an answer names. */
export const fileView = z.object({
  /** As in the answer, including the position in it. */
  name: z.string(),
  /** Its real path in the workspace. */
  path: z.string(),
  /** The same, with confusable letters spelled out. */
  trueName: z.string(),
});
export type FileView = z.infer<typeof fileView>;

/** A side question and its answer, on a separate branch. */
export const sideQuestionView = z.object({
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

export const modelView = z.object({
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

/** The content of the last text editor. */
export const editorView = z.object({
  ...editorPart.shape,
  /** It is attached to the next question; otherwise it is only suggested. */
  isOn: z.boolean(),
  /** Its name is typical of files with passwords or keys: it is attached only manually. */
  isSecret: z.literal(true).optional(),
});
export type EditorView = z.infer<typeof editorView>;

/** What the model may do. */
export const modeView = z.object({
  id: z.enum(['agent', 'plan', 'ask']),
  label: z.string(),
  description: z.string(),
});
export type ModeView = z.infer<typeof modeView>;

/** An action that resolves a limit of this window. */
export const limitAction = z.enum(['manageTrust', 'checkForUpdates', 'showLog', 'reconnect']);
export type LimitAction = z.infer<typeof limitAction>;

/** A notice while the user works: read-only window, no folder open, a damaged file set aside. */
export const bannerView = z.object({
  id: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  /** It is about a limit of this window, and is shown above the input. */
  limit: z.object({ action: limitAction.optional() }).optional(),
});
export type BannerView = z.infer<typeof bannerView>;

/** How a chat is shared with others. */
export const sharedView = z.object({
  /** The owner, if it is another user. */
  owner: z.string().optional(),
  access: z.enum(['private', 'read', 'write']),
  /** The other users who are here now: `here` is on the branch that is shown. */
  others: z.array(z.object({ name: z.string(), isOnBranch: z.boolean() })),
});
export type SharedView = z.infer<typeof sharedView>;

/**
 * The active conversation; `messages` are the last of `messageCount`, earlier ones are loaded as the user scrolls.
 */
export const conversationView = z.object({
  chat: z.object({ id: z.string(), title: z.string() }),
  branch: z.string(),
  /** The permanent id of the branch; left out for a chat that does not exist yet. */
  branchId: z.string().optional(),
  /** It is dropped when it is left, unless text is sent or typed on it. */
  isProvisional: z.literal(true).optional(),
  /** The label of the branch; left out: its name. */
  branchLabel: z.string().optional(),
  branchCount: z.number(),
  /** The branches on the path, root first; left out if there is only one. */
  lineage: z.array(lineageView).optional(),
  messageCount: z.number(),
  messages: z.array(messageView),
  /** Left out while everything is sent. */
  compaction: compactionView.optional(),
  /** The answer currently streaming on this branch. */
  running: messageView.optional(),
  sideQuestions: z.array(sideQuestionView),
  /** The queue of this branch, in order; left out while it is empty. */
  queue: z.array(queuedView).optional(),
  /** The agent's todo list; left out while there is none. */
  todos: z.array(todoView).optional(),
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
