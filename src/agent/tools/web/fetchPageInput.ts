import { z } from 'zod';

/** Which page, and from which character on. */
export const fetchPageInput = z.object({
  url: z.string().trim().min(1).max(4_000),
  offset: z.int().min(0).default(0),
});
export type FetchPageInput = z.output<typeof fetchPageInput>;
