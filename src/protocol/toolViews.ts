import { z } from 'zod';
import { approvalView } from './approvalView.ts';
import { taskView } from './tasks.ts';
import { readingView } from './workViews.ts';

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
