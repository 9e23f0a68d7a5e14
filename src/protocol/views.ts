import { z } from 'zod';
import { usageView } from './answerUsage.ts';
import { attachedView } from './attachedView.ts';
import { editorPart } from './attachments.ts';
import { compactionView, contextWarningView } from './contextViews.ts';
import { reviewView } from './reviewedFiles.ts';
import { toolPartView } from './toolViews.ts';
import { todoView, turnView } from './workViews.ts';

export { usageView, type UsageView } from './answerUsage.ts';
export { reviewView, type ReviewView } from './reviewedFiles.ts';
export * from './toolViews.ts';
export { turnView, type TurnView } from './workViews.ts';

/** How far an answer got. `interrupted`: stopped by the user or by a restart; what had arrived is kept. */
export const answerStatus = z.enum(['streaming', 'complete', 'interrupted', 'failed']);

/** What grows as it is written. */
export const textPartView = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    text: z.string(),
    /** When the model began to think, in milliseconds since 1970, while it does. */
    startedAt: z.number().optional(),
    /** How long it thought, in milliseconds, once it has ended. */
    duration: z.number().optional(),
  }),
]);

export const partView = z.discriminatedUnion('type', [
  ...textPartView.options,
  toolPartView,
  ...attachedView.options,
  /** Something that has its place but is not shown, as the beginning of a step. */
  z.object({ type: z.literal('nothing') }),
]);
export type PartView = z.infer<typeof partView>;

/** A report the agent went back with, or a summary of messages. */
export const reportView = z.object({
  /** What was explored; of a summary, the branch that it is of. */
  goal: z.string(),
  /** The branch that holds what was explored or summarised, as far as its end or its name shows it. */
  exploredBranch: z.string().optional(),
  /** What that branch is called; left out: by its name. */
  exploredLabel: z.string().optional(),
  /** What kind of summary it is; left out: a report of the agent. */
  kind: z.enum(['up-to-here', 'from-here', 'brought-back', 'compacted', 'note']).optional(),
  /** How many messages a summary stands for. */
  count: z.number().optional(),
  /** About how many tokens a summary stands for, and how many it takes. */
  tokens: z.object({ before: z.number(), after: z.number() }).optional(),
  /** The model that wrote the summary; left out: the user, or the agent. */
  model: z.string().optional(),
});
export type ReportView = z.infer<typeof reportView>;

/** Which of several that fork from one point a message is. */
export const versionsView = z.object({
  /** From 1. */
  number: z.number(),
  count: z.number(),
  /** Those beside it, with how they begin. */
  before: z.object({ id: z.string(), preview: z.string() }).optional(),
  after: z.object({ id: z.string(), preview: z.string() }).optional(),
});
export type VersionsView = z.infer<typeof versionsView>;

/** A question that waits for the answer that is on its way. */
export const queuedView = z.object({
  id: z.string(),
  /** How it begins. */
  text: z.string(),
  /** It goes to the model before its next step, rather than after the answer. */
  isSteering: z.boolean(),
});
export type QueuedView = z.infer<typeof queuedView>;

/** A branch that the path leads through, and where it leaves the one before. */
export const lineageView = z.object({
  branch: z.string(),
  /** What it is called; left out: by its name. */
  label: z.string().optional(),
  /** Which of the page's colours is its own. */
  colour: z.int().min(0),
  forkMessageId: z.string().optional(),
});
export type LineageView = z.infer<typeof lineageView>;

/** A web page that an answer relies on. */
export const sourceView = z.object({
  /** In one line; where the page has no title, its address. */
  title: z.string(),
  host: z.string(),
  url: z.string(),
});
export type SourceView = z.infer<typeof sourceView>;

/** A message as the page shows it. */
export const messageView = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system', 'note']),
  parts: z.array(partView),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  status: answerStatus,
  /** What went wrong, in words for the user, with what to do. */
  error: z.string().optional(),
  /** The server asked for a key, or refused the one it got. */
  wantsKey: z.literal(true).optional(),
  /** The conversation is too long for the model: with a summary of what came before, it can go on. */
  canSummarize: z.literal(true).optional(),
  /** Nothing of it is stored: it failed before its first word, or could not be saved. */
  isUnsaved: z.literal(true).optional(),
  /** It has ended, could not be saved, and is nowhere but in this window. */
  canSave: z.literal(true).optional(),
  /** A question that the branch ends with, and that nobody answers now. */
  canAnswer: z.literal(true).optional(),
  /** It did not come to its end, and the branch ends with it. */
  canContinue: z.literal(true).optional(),
  /** The agent gave it, as a task for a run of its own, which knows nothing of what stands before it. */
  isTask: z.literal(true).optional(),
  /** Somebody else wrote it. */
  author: z.string().optional(),
  /** It is a plan, which can be carried out. */
  isPlan: z.literal(true).optional(),
  /** Another window writes it: what has arrived is shown, and it can't be stopped here. */
  isElsewhere: z.literal(true).optional(),
  /** Why an answer has no word yet, when there is a reason: the server was asked in vain and is asked again. */
  waiting: z.string().optional(),
  /** What the user should know of an answer that did not go wrong. */
  notice: z.object({ text: z.string(), canContinue: z.boolean() }).optional(),
  /** What the model gets with it and nothing else here shows: reminders, embedded files, text beside a report. */
  hidden: z.string().optional(),
  /** On a note: the report it holds. */
  report: reportView.optional(),
  model: z
    .object({
      label: z.string(),
      isDemo: z.boolean(),
      temperature: z.number().optional(),
      /** How hard it was asked to think, in the user's language. */
      effort: z.string().optional(),
    })
    .optional(),
  /** Where the conversation forks before it. */
  versions: versionsView.optional(),
  /** The colour of the branch it was said on, where there are several. */
  line: z.int().min(0).optional(),
  usage: usageView.optional(),
  /** What it changed, in a few words: it is a step that can be rewound to. */
  step: z.string().optional(),
  /** What the turn that ends with it took, where that was more than one step. */
  turn: turnView.optional(),
  /** The web pages that were read for it; left out where there are none. */
  sources: z.array(sourceView).optional(),
  checkpoints: z.array(z.string()),
});
export type MessageView = z.infer<typeof messageView>;

/** A file of the workspace that an answer names. */
export const fileView = z.object({
  /** As the answer has it, with the place in it. */
  name: z.string(),
  /** Its real path in the workspace. */
  path: z.string(),
  /** The same, with every letter spelt out that looks like another. */
  trueName: z.string(),
});
export type FileView = z.infer<typeof fileView>;

/** A side question asked "by the way", and its answer, on a branch of its own. */
export const sideQuestionView = z.object({
  branch: z.string(),
  /** The branch by what stays when it gets another name. */
  branchId: z.string().optional(),
  question: z.string(),
  /** What was said between the question and the last answer, where there were follow-ups. */
  earlier: z.array(messageView).optional(),
  answer: messageView.optional(),
  /** It ends with a question that nobody answers now. */
  canAnswer: z.literal(true).optional(),
});
export type SideQuestionView = z.infer<typeof sideQuestionView>;

export const modelView = z.object({
  id: z.string(),
  label: z.string(),
  isDemo: z.boolean(),
  /** Left out where nothing is known of it. */
  takesImages: z.boolean().optional(),
  /** What it takes of PDFs in one request; left out where it reads none. */
  pdfs: z.object({ maxBytes: z.number(), maxPages: z.number().optional() }).optional(),
  /** How hard it is to think, in the user's language; left out where there is nothing to select. */
  effort: z.string().optional(),
});
export type ModelView = z.infer<typeof modelView>;

/** What the last text editor shows. */
export const editorView = z.object({
  ...editorPart.shape,
  /** It goes with the next question; else it is only suggested. */
  isOn: z.boolean(),
  /** It is called as files are that hold passwords or keys: it goes along only when it is added by hand. */
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

/** What can be done about a limit of this window. */
export const limitAction = z.enum(['manageTrust', 'checkForUpdates', 'showLog', 'reconnect']);
export type LimitAction = z.infer<typeof limitAction>;

/** Something the user should know while they work: read-only window, no folder open, a damaged file set aside. */
export const bannerView = z.object({
  id: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  /** It is about what can't be done here, and stands above the input. */
  limit: z.object({ action: limitAction.optional() }).optional(),
});
export type BannerView = z.infer<typeof bannerView>;

/** What others have to do with a chat. */
export const sharedView = z.object({
  /** Whose it is, where it is somebody else's. */
  owner: z.string().optional(),
  access: z.enum(['private', 'read', 'write']),
  /** Who else is here now, and where: `here` is on the branch that is shown. */
  others: z.array(z.object({ name: z.string(), isOnBranch: z.boolean() })),
});
export type SharedView = z.infer<typeof sharedView>;

/** The active conversation; `messages` are the last of `messageCount`, earlier ones are fetched as the user scrolls. */
export const conversationView = z.object({
  chat: z.object({ id: z.string(), title: z.string() }),
  branch: z.string(),
  /** The branch by what stays when it gets another name; left out of a chat that is not there yet. */
  branchId: z.string().optional(),
  /** It goes when it is left, unless something is said or typed on it. */
  isProvisional: z.literal(true).optional(),
  /** What the branch is called; left out: by its name. */
  branchLabel: z.string().optional(),
  branchCount: z.number(),
  /** The branches that lead here, root first; left out while there is only one. */
  lineage: z.array(lineageView).optional(),
  messageCount: z.number(),
  messages: z.array(messageView),
  /** Left out while all of it is sent. */
  compaction: compactionView.optional(),
  /** The answer that is streaming on this branch now. */
  running: messageView.optional(),
  sideQuestions: z.array(sideQuestionView),
  /** What waits on this branch, in order; left out while nothing does. */
  queue: z.array(queuedView).optional(),
  /** The todo list of the agent; left out while there is none. */
  todos: z.array(todoView).optional(),
  /** Left out while nothing is to be reviewed. */
  review: reviewView.optional(),
  /** Of all answers on the way to the head. */
  usage: usageView.optional(),
  /** Of all answers of the chat, on whatever branch; left out where it is the same, or not counted yet. */
  chatUsage: usageView.optional(),
  model: modelView,
  mode: modeView,
  banners: z.array(bannerView),
  contextWarning: contextWarningView.optional(),
  isReadOnly: z.boolean(),
  /** Why it is, where that is about this chat. */
  readOnlyReason: z.string().optional(),
  /** Left out where others have nothing to do with it. */
  shared: sharedView.optional(),
});
export type ConversationView = z.infer<typeof conversationView>;
