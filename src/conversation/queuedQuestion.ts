import { z } from 'zod';
import type { ChatData } from '../engine/graph.ts';
import { storable } from '../engine/storable.ts';
import type { ChatChanges } from '../engine/store.ts';
import { readUIMessage, type UIMessagePart } from '../engine/uiMessage.ts';

const queuedQuestion = z.object({
  /** The id of its future message, so that it cannot be asked twice. */
  id: z.string(),
  text: z.string(),
  attached: z.array(z.unknown()).transform(readParts),
  /** It is sent to the model before its next step, rather than after the answer. */
  isSteering: z.boolean(),
});

/** A question that waits for the previous answer. */
export type QueuedQuestion = z.infer<typeof queuedQuestion>;

function readParts(parts: unknown[]): UIMessagePart[] {
  return readUIMessage({ id: '', role: 'user', parts })?.parts ?? [];
}

/** The metadata member of a chat that stores queues, by the ids of their branches. */
const KEY = 'queues';

const queues = z.record(z.string(), z.array(z.unknown()));

/** The queue of a branch, in order; unreadable entries are skipped. */
export function readQueue({ metadata }: Pick<ChatData, 'metadata'>, branchId: string): QueuedQuestion[] {
  const all = queues.safeParse(metadata[KEY]).data ?? {};
  const entries = Object.hasOwn(all, branchId) ? all[branchId] : undefined;
  return (entries ?? []).flatMap((entry) => queuedQuestion.safeParse(entry).data ?? []);
}

/** The chat change that replaces the queues of these branches; an empty queue is removed. */
export function changedQueues(
  { metadata }: Pick<ChatData, 'metadata'>,
  changes: ReadonlyMap<string, readonly QueuedQuestion[]>,
): ChatChanges {
  const kept = Object.entries(queues.safeParse(metadata[KEY]).data ?? {}).filter(([id]) => !changes.has(id));
  const set = [...changes].filter(([, queue]) => queue.length > 0);
  return { metadata: { [KEY]: storable(Object.fromEntries([...kept, ...set]), 'queues') } };
}
