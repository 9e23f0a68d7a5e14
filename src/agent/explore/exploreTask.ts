import { z } from 'zod';

/** The longest title and the longest task, in UTF-16 units. */
const MAX_TITLE = 80;
const MAX_PROMPT = 20_000;

export const exploreTask = z.object({
  title: z.string().trim().min(1).max(MAX_TITLE).describe('A few words.'),
  prompt: z.string().trim().min(1).max(MAX_PROMPT).describe('All it has to know: it sees nothing else.'),
});
export interface ExploreTask extends z.infer<typeof exploreTask> {
  /** The name of a custom agent. */
  readonly agent?: string | undefined;
}
