import { pagesOfTurns, type FetchedPage } from '../../engine/fetchedPages.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { MessageView, SourceView } from '../../protocol/views.ts';
import { shownName } from '../ui/shownName.ts';

const MAX_SOURCES = 50;

const NAME_LENGTH = 200;

/** How many messages of a turn are read at once if it began above what is shown. */
const CHUNK = 50;

/**
 * The views with the web pages that were read for each answer, under its last message.
 * @param path what the views show; if it starts within a turn, what came before in that turn
 */
export function withSources(views: readonly MessageView[], path: readonly MessageData[]): MessageView[] {
  const pages = pagesOfTurns(path.map((message) => ({ ...message, isUserTurn: isUserTurn(message) })));
  return views.map((view) => {
    const found = pages.get(view.id);
    return found && !goesOn(view) ? { ...view, sources: found.slice(0, MAX_SOURCES).map(sourceView) } : view;
  });
}

/** The part of a turn that lies before a path which starts in the middle of it. */
export async function beginningOfTurn(
  store: ReadonlyStore,
  path: readonly MessageData[],
): Promise<readonly MessageData[]> {
  const before: MessageData[] = [];
  let first = path[0];
  while (first && !isUserTurn(first) && first.parentId !== null) {
    const more: readonly MessageData[] = await store.getPath(first.chatId, first.parentId, { limit: CHUNK });
    const start = more.findLastIndex(isUserTurn);
    before.unshift(...more.slice(Math.max(0, start)));
    first = start === -1 ? more[0] : undefined;
  }
  return before;
}

/** A message that ends with a call continues in another message. */
function goesOn({ status, parts }: MessageView): boolean {
  return status === 'complete' && parts.findLast(({ type }) => type !== 'nothing')?.type === 'tool';
}

/** Pages choose their own titles: none may look like another, or hide something. */
function sourceView({ url, title }: FetchedPage): SourceView {
  const { host, pathname } = new URL(url);
  const named = title.trim() === '' ? `${host}${pathname}` : title;
  return { title: shownName(named, NAME_LENGTH), host: shownName(host, NAME_LENGTH), url };
}
