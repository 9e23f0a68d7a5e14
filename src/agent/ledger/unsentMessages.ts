import type { MessageData } from '../../engine/graph.ts';
import { pathSummaryOf, type PathSummary } from '../../engine/pathSummary.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { compactionInForce, compactionOf } from '../../engine/sentPath.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isElsewhere } from './ledgerPlace.ts';

type PathStore = Pick<ReadonlyStore, 'getMessage' | 'getPath'>;

/** How deep summaries of parts that hold summaries are followed. */
const MOST_NESTED = 20;

/** A message of a path, or of the full text of a summary on it. */
interface FullMessage {
  readonly message: MessageData;
  /** The index on the path, of the summary where it is from the full text. */
  readonly at: number;
  readonly isReplaced: boolean;
}

/**
 * The messages up to the end of a path that the model is not sent, in order: what a compaction in force covers, and
 * the full text of summaries of the user. What the user changed in between, such as the todo list, is in no message,
 * so that all of it is included.
 */
export async function unsentMessages(
  store: PathStore,
  path: readonly MessageData[],
): Promise<readonly MessageData[]> {
  const found = compactionInForce(
    path.map(({ id, data }) => ({ id, compaction: compactionOf(readUIMessage(data) ?? {}) })),
  );
  const kept = new Set(found?.kept);
  const isUnsent = ({ message: { id, type }, at, isReplaced }: FullMessage): boolean =>
    isReplaced || type !== 'message' || (at <= (found?.toIndex ?? -1) && !kept.has(id));
  return (await inFull(store, path)).filter(isUnsent).map(({ message }) => message);
}

/** A path with the full text in place of the user's summaries, as far as that is still there. */
export async function fullText(
  store: PathStore,
  path: readonly MessageData[],
): Promise<readonly MessageData[]> {
  return (await inFull(store, path)).map(({ message }) => message);
}

async function inFull(
  store: PathStore,
  path: readonly MessageData[],
  depth = 0,
): Promise<readonly FullMessage[]> {
  const full: FullMessage[] = [];
  for (const [at, message] of path.entries()) {
    const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
    const summary = read && pathSummaryOf(read);
    if (!isElsewhere(summary) || depth === MOST_NESTED) full.push({ message, at, isReplaced: false });
    else {
      const part = await replacedPart(store, message.chatId, summary);
      // Its effects sum up those of a part that was deleted.
      if (part.length === 0) full.push({ message, at, isReplaced: true });
      for (const each of await inFull(store, part, depth + 1))
        full.push({ message: each.message, at, isReplaced: true });
    }
  }
  return full;
}

async function replacedPart(
  store: PathStore,
  chatId: string,
  { source: { from, to } }: PathSummary,
): Promise<readonly MessageData[]> {
  if (!(await store.getMessage(chatId, to))) return [];
  const path = await store.getPath(chatId, to);
  const start = path.findIndex(({ id }) => id === from);
  return start < 0 ? [] : path.slice(start);
}
