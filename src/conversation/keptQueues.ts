import type { ChatData } from '../engine/graph.ts';
import type { ContextStore, ChatChanges } from '../engine/store.ts';
import { z } from 'zod';
import { storable } from '../engine/storable.ts';
import { readUIMessage, type UIMessagePart } from '../engine/uiMessage.ts';

type QueueStore = Pick<ContextStore, 'getChat' | 'getMessage' | 'updateChat'>;

/** In order, without questions already sent. */
export async function listQueue(
  store: Pick<QueueStore, 'getMessage'>,
  chat: Pick<ChatData, 'id' | 'metadata'> | undefined,
  branchId: string,
): Promise<QueuedQuestion[]> {
  if (!chat) return [];
  const waiting: QueuedQuestion[] = [];
  for (const question of readQueue(chat, branchId)) {
    if (!(await store.getMessage(chat.id, question.id))) waiting.push(question);
  }
  return waiting;
}

/** One transaction. @throws what `update` throws */
export async function updateQueue(
  store: Pick<QueueStore, 'updateChat'>,
  chatId: string,
  branchId: string,
  update: (queue: readonly QueuedQuestion[]) => readonly QueuedQuestion[],
): Promise<void> {
  await store.updateChat(chatId, (chat) => {
    const before = readQueue(chat, branchId);
    const after = update(before);
    if (before.length === 0 && after.length === 0) return undefined;
    return changedQueues(chat, new Map([[branchId, after]]));
  });
}

export async function clearSent(store: QueueStore, chatId: string, branchId: string): Promise<void> {
  const waiting = new Set(
    (await listQueue(store, await store.getChat(chatId), branchId)).map(({ id }) => id),
  );
  await updateQueue(store, chatId, branchId, (queue) => queue.filter(({ id }) => waiting.has(id)));
}

const queuedQuestion = z.object({
  /** The id of its future message, so that it cannot be asked twice. */
  id: z.string(),
  text: z.string(),
  attached: z.array(z.unknown()).transform(readParts),
  /** It is sent to the model before its next step, rather than after the answer. */
  isSteering: z.boolean(),
});

export type QueuedQuestion = z.infer<typeof queuedQuestion>;

function readParts(parts: unknown[]): UIMessagePart[] {
  return readUIMessage({ id: '', role: 'user', parts })?.parts ?? [];
}

/** The metadata member of a chat that stores queues, by branch id. */
const KEY = 'queues';

const queues = z.record(z.string(), z.array(z.unknown()));

/** In order; unreadable entries are skipped. */
export function readQueue({ metadata }: Pick<ChatData, 'metadata'>, branchId: string): QueuedQuestion[] {
  const all = queues.safeParse(metadata[KEY]).data ?? {};
  const entries = Object.hasOwn(all, branchId) ? all[branchId] : undefined;
  return (entries ?? []).flatMap((entry) => queuedQuestion.safeParse(entry).data ?? []);
}

/** An empty queue is removed. */
export function changedQueues(
  { metadata }: Pick<ChatData, 'metadata'>,
  changes: ReadonlyMap<string, readonly QueuedQuestion[]>,
): ChatChanges {
  const kept = Object.entries(queues.safeParse(metadata[KEY]).data ?? {}).filter(([id]) => !changes.has(id));
  const set = [...changes].filter(([, queue]) => queue.length > 0);
  return { metadata: { [KEY]: storable(Object.fromEntries([...kept, ...set]), 'queues') } };
}
