import { z } from 'zod';

/** The input of `fetch_page`. */
export const fetchPageInput = z.object({
  url: z.string().trim().min(1).max(4_000),
  offset: z.int().min(0).default(0),
});

export type FetchPageInput = z.output<typeof fetchPageInput>;
