import type { MessageData } from '../../engine/graph.ts';
import { pathSummaryOf, type PathSummary } from '../../engine/pathSummary.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { compactionInForce, compactionOf, type Compaction } from '../../engine/sentPath.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';

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

/** What decides about the ledger of a path, by message. */
export interface LedgerEntry {
  readonly id: string;
  readonly compaction: Compaction | undefined;
  /** A summary of the user, whose full text is on another branch. */
  readonly isReplacement: boolean;
  /** The task of an exploration: nothing before the last one is sent. */
  readonly isTask: boolean;
}

/** True for a summary whose full text is on another branch. */
export function isReplacement(message: Pick<UIMessage, 'metadata'>): boolean {
  return isElsewhere(pathSummaryOf(message));
}

/** The message that a ledger goes with: the last summary that is sent, or else the task; undefined without either. */
export function ledgerPlace(path: readonly LedgerEntry[]): string | undefined {
  const own = path.slice(
    Math.max(
      0,
      path.findLastIndex(({ isTask }) => isTask),
    ),
  );
  const found = compactionInForce(own);
  const replacement = own.findLastIndex((entry) => entry.isReplacement);
  const isSent = replacement > (found?.toIndex ?? -1);
  const at = Math.max(found?.at ?? -1, isSent ? replacement : -1);
  return (at < 0 ? own.find(({ isTask }) => isTask) : own[at])?.id;
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

function isElsewhere(summary: PathSummary | undefined): summary is PathSummary {
  return summary?.kind === 'up-to-here' || summary?.kind === 'from-here';
}
