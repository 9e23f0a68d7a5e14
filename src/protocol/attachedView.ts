import { z } from 'zod';

/** An attachment of a question, as the page shows it. */
export const attachedView = z.discriminatedUnion('type', [
  /** An attached picture; its bytes are requested separately. */
  z.object({ type: z.literal('image'), hash: z.string(), mediaType: z.string(), name: z.string() }),
  /** An attached PDF. */
  z.object({
    type: z.literal('pdf'),
    name: z.string(),
    /** In bytes; both left out if unknown. */
    size: z.number().optional(),
    pages: z.number().optional(),
  }),
  /** An attached file, or lines of one. */
  z.object({
    type: z.literal('file'),
    path: z.string(),
    startLine: z.int().positive().optional(),
    endLine: z.int().positive().optional(),
    /** How many characters of it were left out. */
    leftOut: z.number().optional(),
  }),
  /** Other attached context of the workspace. */
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
    /** The requested settings, in the user's language: the mode, the model. */
    settings: z.array(z.string()).optional(),
    /** Requested settings that were unavailable. */
    missing: z.array(z.string()).optional(),
    leftOut: z.number().optional(),
  }),
  /** A project's instructions file that was added. */
  z.object({ type: z.literal('instructions'), path: z.string(), leftOut: z.number().optional() }),
]);
export type AttachedView = z.infer<typeof attachedView>;
