import { z } from 'zod';
import { isToolPart, type UIMessage } from './uiMessage.ts';

/** The longest title that is kept, in UTF-16 units. */
export const MAX_PAGE_TITLE = 300;

/** A web page that a tool read. */
export const fetchedPage = z.object({
  /** Where it was in the end. */
  url: z
    .string()
    .max(4_000)
    .refine((url) => /^https?:$/u.test(URL.parse(url)?.protocol ?? '')),
  /** Empty where it has none. */
  title: z.string().max(MAX_PAGE_TITLE),
});
export type FetchedPage = z.infer<typeof fetchedPage>;

const output = z.looseObject({ details: z.looseObject({ page: fetchedPage }) });

/** What of a turn is read here. */
export interface TurnMessage {
  readonly id: string;
  readonly message: UIMessage | undefined;
  /** The user said it, and with it another turn begins. */
  readonly isUserTurn: boolean;
}

/** The web pages that the calls of a message read, in order. */
export function fetchedPagesOf({ parts }: Pick<UIMessage, 'parts'>): FetchedPage[] {
  return parts.flatMap((part) => {
    if (!isToolPart(part) || part.type !== 'tool-fetch_page' || part.state !== 'output-available') return [];
    const read = output.safeParse(part.output);
    return read.success ? [read.data.details.page] : [];
  });
}

/** The pages that each answer relies on, by the id of the message a turn ends with. Each page once, in order. */
export function pagesOfTurns(path: readonly TurnMessage[]): ReadonlyMap<string, readonly FetchedPage[]> {
  const found = new Map<string, readonly FetchedPage[]>();
  let pages = new Map<string, FetchedPage>();
  for (const [index, { id, message, isUserTurn }] of path.entries()) {
    if (isUserTurn) pages = new Map();
    for (const page of message ? fetchedPagesOf(message) : []) {
      if (!pages.has(page.url)) pages.set(page.url, page);
    }
    const isLast = path[index + 1]?.isUserTurn ?? true;
    if (isLast && pages.size > 0 && message?.role === 'assistant') found.set(id, [...pages.values()]);
  }
  return found;
}
