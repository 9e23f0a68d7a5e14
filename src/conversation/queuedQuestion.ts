import { z } from 'zod';
import type { ChatData } from '../engine/graph.ts';
import { storable } from '../engine/storable.ts';
import type { ChatChanges } from '../engine/store.ts';
import { readUIMessage, type UIMessagePart } from '../engine/uiMessage.ts';

const queuedQuestion = z.object({
  /** Its message will have this id, so that it cannot be asked twice. */
  id: z.string(),
  text: z.string(),
  attached: z.array(z.unknown()).transform(readParts),
  /** It goes to the model before its next step, rather than after the answer. */
  isSteering: z.boolean(),
});

/** A question that waits for the answer before it. */
export type QueuedQuestion = z.infer<typeof queuedQuestion>;

function readParts(parts: unknown[]): UIMessagePart[] {
  return readUIMessage({ id: '', role: 'user', parts })?.parts ?? [];
}

/** Where a chat's metadata keeps queues, by the ids of their branches. */
const KEY = 'queues';

const queues = z.record(z.string(), z.array(z.unknown()));

/** What waits on a branch, in order; what cannot be read is passed over. */
export function readQueue({ metadata }: Pick<ChatData, 'metadata'>, branchId: string): QueuedQuestion[] {
  const all = queues.safeParse(metadata[KEY]).data ?? {};
  const entries = Object.hasOwn(all, branchId) ? all[branchId] : undefined;
  return (entries ?? []).flatMap((entry) => queuedQuestion.safeParse(entry).data ?? []);
}

/** The change of a chat that puts other queues in place of those of these branches; an empty one goes. */
export function changedQueues(
  { metadata }: Pick<ChatData, 'metadata'>,
  changes: ReadonlyMap<string, readonly QueuedQuestion[]>,
): ChatChanges {
  const kept = Object.entries(queues.safeParse(metadata[KEY]).data ?? {}).filter(([id]) => !changes.has(id));
  const set = [...changes].filter(([, queue]) => queue.length > 0);
  return { metadata: { [KEY]: storable(Object.fromEntries([...kept, ...set]), 'queues') } };
}
