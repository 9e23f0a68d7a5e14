import { z } from 'zod';

/** In UTF-16 units. */
export const MAX_PAGE_TITLE = 300;

export const fetchedPage = z.object({
  /** The final URL, after redirects. */
  url: z
    .string()
    .max(4_000)
    .refine((url) => URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol)),
  /** Empty where the page has none. */
  title: z.string().max(MAX_PAGE_TITLE),
});
export type FetchedPage = z.infer<typeof fetchedPage>;

const CALL = 'tool-fetch_page';

const call = z.object({
  state: z.literal('output-available'),
  output: z.object({ details: z.object({ page: fetchedPage }) }),
});

export interface TurnMessage {
  readonly id: string;
  /** A message as it is stored. */
  readonly data: unknown;
  /** The user wrote it, so it begins another turn. */
  readonly isUserTurn: boolean;
}

/** The pages that each answer relies on, by the id of the last message of the turn. Each page once, in order. */
export function pagesOfTurns(path: readonly TurnMessage[]): ReadonlyMap<string, readonly FetchedPage[]> {
  const found = new Map<string, readonly FetchedPage[]>();
  const pages = new Map<string, FetchedPage>();
  for (const [index, { id, data, isUserTurn }] of path.entries()) {
    if (isUserTurn) pages.clear();
    for (const page of fetchedPagesIn(data)) if (!pages.has(page.url)) pages.set(page.url, page);
    const isLast = path[index + 1]?.isUserTurn ?? true;
    if (isLast && pages.size > 0) found.set(id, [...pages.values()]);
  }
  return found;
}

/** Most messages have none and are skipped early. */
function fetchedPagesIn(data: unknown): FetchedPage[] {
  if (typeof data !== 'object' || data === null || !('parts' in data) || !Array.isArray(data.parts))
    return [];
  return data.parts.flatMap((part: unknown) => {
    if (typeof part !== 'object' || part === null || !('type' in part) || part.type !== CALL) return [];
    return call.safeParse(part).data?.output.details.page ?? [];
  });
}
