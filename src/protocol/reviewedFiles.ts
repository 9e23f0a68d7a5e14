import { z } from 'zod';

/** What tools changed in files and nobody decided about. */
export const reviewView = z.object({
  /** Files. */
  count: z.number(),
  /** Lines, of all files. */
  added: z.number(),
  removed: z.number(),
  /** The first of them. */
  files: z.array(
    z.object({
      id: z.string(),
      path: z.string(),
      /** Left out where it was there before and still is. */
      change: z.enum(['created', 'deleted']).optional(),
      /** Left out where they cannot be counted. */
      lines: z.object({ added: z.number(), removed: z.number() }).optional(),
    }),
  ),
});
export type ReviewView = z.infer<typeof reviewView>;
