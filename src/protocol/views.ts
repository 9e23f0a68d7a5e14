import { z } from 'zod';

/** The tokens and cost of answers, in US dollars by the list price; without a cost where it is not known. */
export const usageView = z.object({
  inputTokens: z.number(),
  /** Input tokens read from a cache. */
  cachedTokens: z.number().optional(),
  outputTokens: z.number(),
  /** Output tokens used for reasoning. */
  reasoningTokens: z.number().optional(),
  cost: z.number().optional(),
});
export type UsageView = z.infer<typeof usageView>;

/** `chat`: do not ask for the same again in this chat; `workspace`: nor in any other chat of this workspace. */
export const approvalChoice = z.enum(['once', 'chat', 'workspace', 'deny']);
export type ApprovalChoiceView = z.infer<typeof approvalChoice>;

const approvalView = z.object({
  id: z.string(),
  question: z.string(),
  /** Why approval is required although similar actions may have been allowed. */
  reason: z.string().optional(),
  /** The exact command to run. */
  command: z.string().optional(),
  /** The exact address to fetch. */
  address: z.string().optional(),
  /** What would be remembered, or forgotten, exactly. */
  fact: z.string().optional(),
  /** The exact text that a model is sent. */
  sent: z.string().optional(),
  choices: z.array(approvalChoice),
  /** What a permission for several uses covers: all edits, reading this file, this command, host, tool or server. */
  covers: z.enum(['edits', 'reading', 'command', 'outside', 'host', 'tool', 'resources', 'requests']),
  hasChanges: z.boolean(),
});
export type ApprovalView = z.infer<typeof approvalView>;

/** What the user is asked by a call, and what they answered. */
const questionsView = z.object({
  /** Answers are given by it; left out where they cannot be given, or were. */
  id: z.string().optional(),
  asked: z.array(
    z.object({
      question: z.string(),
      options: z.array(z.object({ label: z.string(), detail: z.string().optional() })),
      /** More than one may be chosen. */
      several: z.boolean(),
      /** The indexes of the chosen options, and the user's own words; left out if the model decides. */
      answer: z.object({ chosen: z.array(z.number()), text: z.string() }).optional(),
    }),
  ),
  isAnswered: z.boolean(),
});
export type QuestionsView = z.infer<typeof questionsView>;

const taskView = z.object({
  title: z.string(),
  /** `interrupted`: by a restart. */
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'interrupted']),
  /** The original name of its branch, by which its run is stopped, and the branch's id. */
  branch: z.string().optional(),
  branchId: z.string().optional(),
  /** Requests to the model. */
  steps: z.number(),
  /** The current step: “Read src/greet.ts”. */
  step: z.string().optional(),
  /** In milliseconds since 1970, while it runs. */
  startedAt: z.number().optional(),
  /** In milliseconds. */
  duration: z.number().optional(),
  usage: usageView.optional(),
  /** Why it has no report, or only a partial one. */
  reason: z.string().optional(),
});
export type TaskView = z.infer<typeof taskView>;

/** What calls without changes read: each kind is counted separately where they are shown together. */
const readingKind = z.enum(['file', 'folder', 'search', 'problems', 'notes']);
export type ReadingKind = z.infer<typeof readingKind>;

const readingView = z.object({
  kind: readingKind,
  /** The file or folder: read twice, it counts once. */
  of: z.string(),
});
export type ReadingView = z.infer<typeof readingView>;

/** A moment of the shown path. */
export const momentView = z.strictObject({
  messageId: z.string(),
  /** Counts from 0. */
  place: z.int().min(0),
  count: z.int().min(1),
  /** How its message begins. */
  text: z.string(),
  /** How many files the editors show as they were. */
  files: z.int().min(0),
});
export type MomentView = z.infer<typeof momentView>;

export const todoView = z.object({ title: z.string(), status: z.enum(['pending', 'in_progress', 'done']) });
export type TodoView = z.infer<typeof todoView>;

/** The total of all steps of a turn. */
const turnView = z.object({
  /** Time of the model and its tools, in milliseconds; without idle time. */
  duration: z.number(),
  /** Requests to the model. */
  steps: z.number(),
  /** Left out if nothing was counted. */
  usage: usageView.optional(),
});
export type TurnView = z.infer<typeof turnView>;

/** `preparing`: its input is still being written; `queued`: earlier calls must end first; `asking`: for approval. */
const toolState = z.enum(['preparing', 'queued', 'asking', 'running', 'done', 'failed', 'denied']);
export type ToolState = z.infer<typeof toolState>;

const changeView = z.object({
  before: z.string(),
  after: z.string(),
  /** How many characters of both are left out. */
  cut: z.number().optional(),
});
export type ChangeView = z.infer<typeof changeView>;

/** A command: its id once its call has ended, and its exit code once it has ended (null: it was killed). */
const commandView = z.object({
  text: z.string(),
  id: z.string().optional(),
  exitCode: z.number().nullable().optional(),
  /** What a sandbox seems to have refused, and what came of it that should be looked at. */
  sandbox: z.string().optional(),
});

/** What a command that writes nothing seems to wait for, and its id where another call ran it. */
const waitingView = z.object({ text: z.string(), commandId: z.string().optional() });

const toolPartView = z.object({
  type: z.literal('tool'),
  callId: z.string(),
  /** The name used by the model. */
  name: z.string(),
  /** A short description: “Read src/greet.ts”. */
  title: z.string(),
  /** A codicon. */
  icon: z.string(),
  state: toolState,
  /** Both are truncated if long. */
  input: z.string(),
  output: z.string(),
  /** Its changes in a file, in pieces, instead of the input. */
  changes: z.array(changeView).optional(),
  /** The command it runs, instead of the input. */
  command: commandView.optional(),
  waiting: waitingView.optional(),
  /** What hooks did to it, a line each. */
  hooks: z.array(z.string()).optional(),
  /** The pictures and PDFs it returned; the bytes of pictures are requested separately. */
  files: z
    .array(
      z.object({
        hash: z.string(),
        mediaType: z.string(),
        name: z.string(),
        pages: z.number().optional(),
      }),
    )
    .optional(),
  /** What MCP servers offer to read, and that it returned. */
  resources: z.array(z.object({ uri: z.string(), name: z.string() })).optional(),
  /** In milliseconds, once it has ended. */
  duration: z.number().optional(),
  approval: approvalView.optional(),
  questions: questionsView.optional(),
  tasks: z.array(taskView).optional(),
  /** What it reads, if it changes nothing: such calls may be shown together. */
  reading: readingView.optional(),
});
export type ToolPartView = z.infer<typeof toolPartView>;

const attachedView = z.discriminatedUnion('type', [
  /** Its bytes are requested separately. */
  z.object({ type: z.literal('image'), hash: z.string(), mediaType: z.string(), name: z.string() }),
  z.object({
    type: z.literal('pdf'),
    name: z.string(),
    /** In bytes; both left out if unknown. */
    size: z.number().optional(),
    pages: z.number().optional(),
  }),
  z.object({
    type: z.literal('file'),
    path: z.string(),
    startLine: z.int().positive().optional(),
    endLine: z.int().positive().optional(),
    /** In characters. */
    leftOut: z.number().optional(),
  }),
  z.object({
    type: z.literal('context'),
    of: z.enum(['folder', 'problems', 'changes', 'text']),
    name: z.string(),
    leftOut: z.number().optional(),
  }),
  z.object({
    type: z.literal('prompt'),
    name: z.string(),
    path: z.string(),
    /** The requested settings, in the user's language: the mode, the model. */
    settings: z.array(z.string()).optional(),
    /** Requested settings that were unavailable. */
    missing: z.array(z.string()).optional(),
    leftOut: z.number().optional(),
  }),
  z.object({ type: z.literal('instructions'), path: z.string(), leftOut: z.number().optional() }),
]);
export type AttachedView = z.infer<typeof attachedView>;

/** `interrupted`: stopped by the user or by a restart; the received part is kept. */
const answerStatus = z.enum(['streaming', 'complete', 'interrupted', 'failed']);

/** A part that grows while it is written. */
export const textPartView = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    text: z.string(),
    /** When the reasoning began, in milliseconds since 1970, while it lasts. */
    startedAt: z.number().optional(),
    /** In milliseconds, once it has ended. */
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
const reportView = z.object({
  /** The explored goal; for a summary, the summarized branch. */
  goal: z.string(),
  /** The branch that holds the explored or summarized messages, if it can be determined. */
  exploredBranch: z.string().optional(),
  /** Left out: its name. */
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
const versionsView = z.object({
  /** From 1. */
  number: z.number(),
  count: z.number(),
  /** The adjacent ones, with their beginnings. */
  before: z.object({ id: z.string(), preview: z.string() }).optional(),
  after: z.object({ id: z.string(), preview: z.string() }).optional(),
});
export type VersionsView = z.infer<typeof versionsView>;

const sourceView = z.object({
  /** On one line; the address if the page has no title. */
  title: z.string(),
  host: z.string(),
  url: z.string(),
});
export type SourceView = z.infer<typeof sourceView>;

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
  /** Its next request does not fit a cap of the budget. */
  isAtBudget: z.literal(true).optional(),
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
  isPlan: z.literal(true).optional(),
  /** Another window writes it: the received part is shown, and it cannot be stopped here. */
  isElsewhere: z.literal(true).optional(),
  /** Why an answer has no text yet, if there is a reason: the request failed and is retried. */
  waiting: z.string().optional(),
  /** A notice about an answer that did not fail. */
  notice: z.object({ text: z.string(), canContinue: z.boolean() }).optional(),
  /** Content for the model that nothing else here shows: reminders, embedded files, text next to a report. */
  hidden: z.string().optional(),
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
  /** The user wants models to be sent it always, also where a summary stands for it. */
  isKept: z.literal(true).optional(),
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

export const fileView = z.object({
  /** As in the answer, including the position in it. */
  name: z.string(),
  /** Its real path in the workspace. */
  path: z.string(),
  /** The same, with confusable letters spelled out. */
  trueName: z.string(),
});
export type FileView = z.infer<typeof fileView>;

export const limitAction = z.enum(['manageTrust', 'checkForUpdates', 'showLog', 'reconnect', 'reviewHooks']);
export type LimitAction = z.infer<typeof limitAction>;

/** What can be done with chats of this project that are in another store. */
export const offerAction = z.enum(['open', 'copy', 'refuse']);
export type OfferAction = z.infer<typeof offerAction>;
