import type { MessageEffects } from '../engine/effects.ts';
import type { MessageData, BranchData } from '../engine/graph.ts';
import type { JsonValue } from '../engine/json.ts';
import type { NewMessage, ContextStore } from '../engine/store.ts';
import { pathSummaryOf, isUserTurn } from '../engine/pathSummary.ts';
import { readUIMessage, type UIMessage } from '../engine/uiMessage.ts';
import { storable } from '../engine/storable.ts';
import { MessageNotFoundError } from '../engine/errors.ts';
import type { ViewedBy } from '../engine/users.ts';
import { compactionOf } from '../engine/sentPath.ts';
import { continueWith } from '../engine/appendOnNewBranch.ts';

/**
 * The same content under new ids, each with a reference to its original. A summary that replaces earlier messages is
 * copied only together with the last of them.
 */
export function copies(
  messages: readonly MessageData[],
  { withEffects }: { readonly withEffects: boolean },
): NewMessage[] {
  const ids = new Map(messages.map(({ id }) => [id, crypto.randomUUID()]));
  return messages.flatMap((message): NewMessage[] => {
    const { id: original, name, type, data, effects } = message;
    const id = ids.get(original) ?? crypto.randomUUID();
    const read = readUIMessage(data);
    const copied = read && withCopiedIds({ ...read, id }, ids);
    if (read && !copied) return [];
    return [
      {
        id,
        name,
        type,
        data: copied ? storable(copied, 'message') : data,
        // A question begins a new turn; the following messages belong to it.
        invocationId: isUserTurn(message) ? id : undefined,
        replaces: original,
        effects: withEffects ? effects : undefined,
      },
    ];
  });
}

/** Undefined if the summarized messages are not copied. */
function withCopiedIds(message: UIMessage, ids: ReadonlyMap<string, string>): UIMessage | undefined {
  const summary = pathSummaryOf(message);
  if (summary?.kind !== 'compacted') return message;
  const { from, to, kept } = summary.source;
  const copiedTo = ids.get(to);
  if (copiedTo === undefined) return undefined;
  const source = {
    ...summary.source,
    from: ids.get(from) ?? from,
    to: copiedTo,
    ...(kept ? { kept: kept.map((each) => ids.get(each) ?? each) } : {}),
  };
  return { ...message, metadata: { ...(message.metadata as object), pathSummary: { ...summary, source } } };
}

/** Undefined when there are none. */
export function combinedEffects(messages: readonly MessageData[]): MessageEffects | undefined {
  const set = new Map<string, JsonValue>();
  const deleted = new Set<string>();
  for (const { effects } of messages) {
    for (const [key, value] of Object.entries(effects?.state?.set ?? {})) {
      set.set(key, value);
      deleted.delete(key);
    }
    for (const key of effects?.state?.deleted ?? []) {
      set.delete(key);
      deleted.add(key);
    }
  }
  const artifacts = messages.flatMap(({ effects }) => effects?.artifacts ?? []);
  const files = messages.flatMap(({ effects }) => effects?.files ?? []);
  const state = {
    ...(set.size > 0 ? { set: Object.fromEntries(set) } : {}),
    ...(deleted.size > 0 ? { deleted: [...deleted] } : {}),
  };
  const combined: MessageEffects = {
    ...(Object.keys(state).length > 0 ? { state } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
    ...(files.length > 0 ? { files } : {}),
  };
  return Object.keys(combined).length > 0 ? combined : undefined;
}

/**
 * Adds a copy of one question and its answer to a branch, on a new one that becomes the active one. Other effects of
 * the answer (notes, artifacts, files) are not copied. One transaction.
 */
export async function cherryPick(
  store: Pick<ContextStore, 'getPath' | 'saveMessages'>,
  source: BranchData,
  questionId: string,
  target: BranchData,
  by: ViewedBy = {},
): Promise<BranchData> {
  const path = source.headMessageId === null ? [] : await store.getPath(source.chatId, source.headMessageId);
  const turn = turnOf(path, questionId);
  const details = { from: source.name, messageIds: turn.map(({ id }) => id) };
  const event = { kind: 'cherry-picked', details } as const;
  return continueWith(store, target, target.headMessageId, copies(turn, { withEffects: false }), event, by);
}

/** A question, and the messages up to the next one. @throws MessageNotFoundError */
function turnOf(path: readonly MessageData[], questionId: string): MessageData[] {
  const at = path.findIndex((message) => message.id === questionId && isUserTurn(message));
  if (at < 0) throw new MessageNotFoundError(questionId);
  const next = path.findIndex((message, index) => index > at && isUserTurn(message));
  // Nodes without text mean nothing elsewhere, and a summary of this conversation does not apply to another.
  return path
    .slice(at, next < 0 ? undefined : next)
    .filter(({ type, data }) => type === 'message' && !compactionOf(readUIMessage(data) ?? {}));
}
