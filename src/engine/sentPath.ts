import { pathSummaryOf, type PathSummary } from './pathSummary.ts';
import type { UIMessage } from './uiMessage.ts';

/** What a summary that stands on the branch it shortens stands for: all up to one message, but for some. */
export interface Compaction {
  /** The last message that is covered. */
  readonly to: string;
  /** Those up to it that are sent all the same: the question that is being answered. */
  readonly kept: readonly string[];
}

/** What a message stands for on its own branch; undefined for every other message. */
export function compactionOf(message: Pick<UIMessage, 'metadata'>): Compaction | undefined {
  const summary = pathSummaryOf(message);
  return summary && asCompaction(summary);
}

/** What a summary stands for on its own branch; undefined for a summary of another kind. */
export function asCompaction({ kind, source }: PathSummary): Compaction | undefined {
  return kind === 'compacted' ? { to: source.to, kept: source.kept ?? [] } : undefined;
}

/** Where the summary in force stands on a path, and the last message that it covers, both by their index. */
export interface CompactionInForce extends Compaction {
  readonly at: number;
  readonly toIndex: number;
}

/** What there is to know of each message of a path. */
export interface PathEntry {
  readonly id: string;
  readonly compaction: Compaction | undefined;
}

/**
 * The last summary on a path that stands for what is before it. One whose messages are not there, as on a branch they
 * were not copied to, stands for nothing.
 */
export function compactionInForce(path: readonly PathEntry[]): CompactionInForce | undefined {
  for (let at = path.length - 1; at >= 0; at -= 1) {
    const toIndex = coveredUpTo(path, at);
    const compaction = path[at]?.compaction;
    if (compaction && toIndex >= 0) return { ...compaction, at, toIndex };
  }
  return undefined;
}

/**
 * What of a path a model is sent, by index and in the order it is sent: the summary in force, what it covers and is
 * kept all the same, what was left as it is, and what came since. Each at most once. What was summarised before is part
 * of the later summary.
 */
export function sentIndexes(path: readonly PathEntry[]): number[] {
  const all = path.map((_, index) => index);
  const found = compactionInForce(path);
  if (!found) return all;
  const { at, toIndex, kept } = found;
  const isKept = new Set(kept);
  return [
    at,
    ...all
      .slice(0, at)
      .filter((index) => index > toIndex || isKept.has(path[index]?.id ?? ''))
      .filter((index) => coveredUpTo(path, index) < 0),
    ...all.slice(at + 1),
  ];
}

/** What of a path a model is sent; nothing is left out twice where this is done twice. */
export function sentPath<M extends Pick<UIMessage, 'id' | 'metadata'>>(path: readonly M[]): M[] {
  const entries = path.map((message) => ({ id: message.id, compaction: compactionOf(message) }));
  return sentIndexes(entries).flatMap((index) => path[index] ?? []);
}

/** Where the last message stands that the summary at this place covers; -1 where it covers none. */
function coveredUpTo(path: readonly PathEntry[], at: number): number {
  const to = path[at]?.compaction?.to;
  return to === undefined ? -1 : path.slice(0, at).findLastIndex(({ id }) => id === to);
}
