import { pathSummaryOf, type PathSummary } from './pathSummary.ts';
import { isReasoningPart, isTextPart, withContent, type UIMessage, type UIMessagePart } from './uiMessage.ts';
import type { ResolvedContext } from './contextEngineTypes.ts';
import { copyJson } from './json.ts';

/** The range that a summary on the branch it shortens replaces: everything up to one message, with exceptions. */
export interface Compaction {
  /** The last message that is covered. */
  readonly to: string;
  /** Messages up to that one that are sent anyway: the question being answered. */
  readonly kept: readonly string[];
}

/** The range that a message replaces on its own branch; undefined for every other message. */
export function compactionOf(message: Pick<UIMessage, 'metadata'>): Compaction | undefined {
  const summary = pathSummaryOf(message);
  return summary && asCompaction(summary);
}

export function asCompaction({ kind, source }: PathSummary): Compaction | undefined {
  return kind === 'compacted' ? { to: source.to, kept: source.kept ?? [] } : undefined;
}

/** The position of the summary in force on a path, and of the last message it covers, both by index. */
export interface CompactionInForce extends Compaction {
  readonly at: number;
  readonly toIndex: number;
}

export interface PathEntry {
  readonly id: string;
  readonly compaction: Compaction | undefined;
}

/** The last summary that replaces messages; one whose messages are missing (not copied to this branch) is ignored. */
export function compactionInForce(path: readonly PathEntry[]): CompactionInForce | undefined {
  for (let at = path.length - 1; at >= 0; at -= 1) {
    const toIndex = coveredUpTo(path, at);
    const compaction = path[at]?.compaction;
    if (compaction && toIndex >= 0) return { ...compaction, at, toIndex };
  }
  return undefined;
}

/**
 * The part of a path that a model is sent, by index and in sending order: the summary in force, covered messages that
 * are kept, uncovered messages before it, and all messages after it. Each at most once. An earlier summary is part of
 * the later one.
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

/** Applying this twice gives the same result. */
export function sentPath<M extends Pick<UIMessage, 'id' | 'metadata'>>(path: readonly M[]): M[] {
  const entries = path.map((message) => ({ id: message.id, compaction: compactionOf(message) }));
  return sentIndexes(entries).flatMap((index) => path[index] ?? []);
}

/** The index of the last message covered by the summary at this index; -1 where it covers none. */
function coveredUpTo(path: readonly PathEntry[], at: number): number {
  const to = path[at]?.compaction?.to;
  return to === undefined ? -1 : path.slice(0, at).findLastIndex(({ id }) => id === to);
}

/**
 * What a model is sent. The saved messages belong to the engine and never change, so they are collected and copied
 * only when they are accessed: until then, following a path of many thousands costs nothing.
 * @param pending from the caller's fragments, which may change at any moment
 */
export function resolvedContext(
  systemPrompt: string,
  saved: () => readonly UIMessage[],
  pending: readonly UIMessage[],
): ResolvedContext {
  const waiting = copyJson(pending);
  let messages: ResolvedContext['messages'] | undefined;
  return {
    systemPrompt,
    get messages() {
      messages ??= [...saved().map((message) => copyJson(message)), ...waiting]
        .filter((message) => !isEmptyAnswer(message))
        .map(withContent);
      return messages;
    },
    set messages(given) {
      messages = given;
    },
  };
}

/** True for an answer that was cut off before any content: no provider accepts one back. */
function isEmptyAnswer({ role, parts }: Pick<UIMessage, 'role' | 'parts'>): boolean {
  return role === 'assistant' && parts.every(isSilent);
}

function isSilent(part: UIMessagePart): boolean {
  if (isTextPart(part)) return part.text.trim() === '';
  return isReasoningPart(part) || part.type === 'step-start' || /^(?:data|source)-/.test(part.type);
}
