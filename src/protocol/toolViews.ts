import { z } from 'zod';

/**
 * How far the call of a tool has come. `preparing`: the model is still writing what it wants; `queued`: the calls before
 * it are to end first; `asking`: it waits for the user's leave.
 */
export const toolState = z.enum(['preparing', 'queued', 'asking', 'running', 'done', 'failed', 'denied']);
export type ToolState = z.infer<typeof toolState>;

/** `chat`: the same is not asked again in this chat; `workspace`: nor in any other of this workspace. */
export const approvalChoice = z.enum(['once', 'chat', 'workspace', 'deny']);
export type ApprovalChoiceView = z.infer<typeof approvalChoice>;

/** What a tool waits for. */
export const approvalView = z.object({
  id: z.string(),
  /** What it wants to do, as a question. */
  question: z.string(),
  /** Why it is asked although the like of it may have been allowed. */
  reason: z.string().optional(),
  /** The command it wants to run, exactly. */
  command: z.string().optional(),
  choices: z.array(approvalChoice),
  /** What an answer for more than once covers: all edits of files, reading this file, this command, or this tool. */
  covers: z.enum(['edits', 'reading', 'command', 'tool']),
  /** There are changes to look at. */
  hasChanges: z.boolean(),
});
export type ApprovalView = z.infer<typeof approvalView>;

/** A piece of a file before and after a change. */
export const changeView = z.object({
  before: z.string(),
  after: z.string(),
  /** How many characters of both are not there. */
  cut: z.number().optional(),
});
export type ChangeView = z.infer<typeof changeView>;

/** A command: its id once its call has ended, and its exit code once it has (null: it was ended). */
export const commandView = z.object({
  text: z.string(),
  id: z.string().optional(),
  exitCode: z.number().nullable().optional(),
});

/** The call of a tool, as the user reads it. */
export const toolPartView = z.object({
  type: z.literal('tool'),
  callId: z.string(),
  /** The name the model calls it by. */
  name: z.string(),
  /** What it does, in a few words: “Read src/greet.ts”. */
  title: z.string(),
  /** A codicon. */
  icon: z.string(),
  state: toolState,
  /** Both cut where they are long. */
  input: z.string(),
  output: z.string(),
  /** What it changes in a file, piece by piece, in place of the input. */
  changes: z.array(changeView).optional(),
  /** The command it runs, in place of the input. */
  command: commandView.optional(),
  /** The pictures and PDFs it answered with; the bytes of pictures are asked for. */
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
  /** How long it took, in milliseconds, once it has ended. */
  duration: z.number().optional(),
  approval: approvalView.optional(),
});
export type ToolPartView = z.infer<typeof toolPartView>;
