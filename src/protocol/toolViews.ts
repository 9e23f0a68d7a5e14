import { z } from 'zod';
import { approvalView } from './approvalView.ts';
import { taskView } from './tasks.ts';
import { readingView } from './workViews.ts';

/**
 * How far the call of a tool has come. `preparing`: the model is still writing what it wants; `queued`: the calls before
 * it are to end first; `asking`: it waits for the user's leave.
 */
export const toolState = z.enum(['preparing', 'queued', 'asking', 'running', 'done', 'failed', 'denied']);
export type ToolState = z.infer<typeof toolState>;

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
  /** The tasks it has explored. */
  tasks: z.array(taskView).optional(),
  /** What it looks at, where it changes nothing: calls of this kind may be shown together. */
  reading: readingView.optional(),
});
export type ToolPartView = z.infer<typeof toolPartView>;
