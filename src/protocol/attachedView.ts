import { z } from 'zod';

/** Something that went with a question, as the page shows it. */
export const attachedView = z.discriminatedUnion('type', [
  /** A picture that went with a question; its bytes are asked for. */
  z.object({ type: z.literal('image'), hash: z.string(), mediaType: z.string(), name: z.string() }),
  /** A PDF that went with a question. */
  z.object({
    type: z.literal('pdf'),
    name: z.string(),
    /** In bytes; both left out where they are not known. */
    size: z.number().optional(),
    pages: z.number().optional(),
  }),
  /** A file, or lines of one, that went with a question. */
  z.object({
    type: z.literal('file'),
    path: z.string(),
    startLine: z.int().positive().optional(),
    endLine: z.int().positive().optional(),
    /** How many characters of it did not go along. */
    leftOut: z.number().optional(),
  }),
  /** Something else of the workspace that went with a question. */
  z.object({
    type: z.literal('context'),
    of: z.enum(['folder', 'problems', 'changes', 'text']),
    name: z.string(),
    leftOut: z.number().optional(),
  }),
  /** A prompt file that was run with it. */
  z.object({
    type: z.literal('prompt'),
    name: z.string(),
    path: z.string(),
    /** What it asked for, in the user's language: the mode, the model. */
    settings: z.array(z.string()).optional(),
    /** What it asked for and was not there. */
    missing: z.array(z.string()).optional(),
    leftOut: z.number().optional(),
  }),
  /** A file of instructions of the project that went along. */
  z.object({ type: z.literal('instructions'), path: z.string(), leftOut: z.number().optional() }),
]);
export type AttachedView = z.infer<typeof attachedView>;
