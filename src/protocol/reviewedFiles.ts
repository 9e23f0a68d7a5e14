import { z } from 'zod';

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
