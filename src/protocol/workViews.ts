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

/** A pending approval of a tool. */
const approvalView = z.object({
  id: z.string(),
  /** The requested action, as a question. */
  question: z.string(),
  /** Why approval is required although similar actions may have been allowed. */
  reason: z.string().optional(),
  /** The exact command to run. */
  command: z.string().optional(),
  /** The exact address to fetch. */
  address: z.string().optional(),
  choices: z.array(approvalChoice),
  /**
   * The scope of a permission for several uses: all edits of files, reading this file, this command, this host, or
   * this tool.
   */
  covers: z.enum(['edits', 'reading', 'command', 'host', 'tool']),
  /** There are changes to view. */
  hasChanges: z.boolean(),
});
export type ApprovalView = z.infer<typeof approvalView>;

/** A task that an answer has explored, for display. */
const taskView = z.object({
  title: z.string(),
  /** `interrupted`: by a restart. */
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped', 'interrupted']),
  /** The original name of its branch, by which its run is stopped, and the branch's id. */
  branch: z.string().optional(),
  branchId: z.string().optional(),
  /** The number of requests to the model. */
  steps: z.number(),
  /** The current step: “Read src/greet.ts”. */
  step: z.string().optional(),
  /** The start time, in milliseconds since 1970, while it runs. */
  startedAt: z.number().optional(),
  /** The duration, in milliseconds. */
  duration: z.number().optional(),
  usage: usageView.optional(),
  /** Why it has no report, or only a partial one. */
  reason: z.string().optional(),
});
export type TaskView = z.infer<typeof taskView>;

/** What calls without changes read: each kind is counted separately where they are shown together. */
const readingKind = z.enum(['file', 'folder', 'search', 'problems', 'notes']);
export type ReadingKind = z.infer<typeof readingKind>;

/** What a call reads, if it changes nothing. */
const readingView = z.object({
  kind: readingKind,
  /** The file or folder: read twice, it counts once. */
  of: z.string(),
});
export type ReadingView = z.infer<typeof readingView>;

/** An entry of the agent's todo list. */
export const todoView = z.object({ title: z.string(), status: z.enum(['pending', 'in_progress', 'done']) });
export type TodoView = z.infer<typeof todoView>;

/** The total of all steps of a turn. */
export const turnView = z.object({
  /** Time of the model and its tools, in milliseconds; without idle time. */
  duration: z.number(),
  /** The number of requests to the model. */
  steps: z.number(),
  /** Left out if nothing was counted. */
  usage: usageView.optional(),
});
export type TurnView = z.infer<typeof turnView>;

/**
 * The state of a tool call. `preparing`: the model is still writing its input; `queued`: earlier calls must end
 * first; `asking`: it waits for the user's approval.
 */
export const toolState = z.enum(['preparing', 'queued', 'asking', 'running', 'done', 'failed', 'denied']);
export type ToolState = z.infer<typeof toolState>;

/** A piece of a file before and after a change. */
export const changeView = z.object({
  before: z.string(),
  after: z.string(),
  /** How many characters of both are left out. */
  cut: z.number().optional(),
});
export type ChangeView = z.infer<typeof changeView>;

/** A command: its id once its call has ended, and its exit code once it has ended (null: it was killed). */
export const commandView = z.object({
  text: z.string(),
  id: z.string().optional(),
  exitCode: z.number().nullable().optional(),
});

/** A tool call, for display. */
export const toolPartView = z.object({
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
  /** The duration, in milliseconds, once it has ended. */
  duration: z.number().optional(),
  approval: approvalView.optional(),
  /** The tasks it has explored. */
  tasks: z.array(taskView).optional(),
  /** What it reads, if it changes nothing: such calls may be shown together. */
  reading: readingView.optional(),
});
export type ToolPartView = z.infer<typeof toolPartView>;

/** File changes by tools that are not reviewed yet. */
export const reviewView = z.object({
  /** Files. */
  count: z.number(),
  /** Changed lines in all files. */
  added: z.number(),
  removed: z.number(),
  /** The first of them. */
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
