import type { ChatData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import { changedQueues, readQueue, type QueuedQuestion } from './queuedQuestion.ts';

type QueueStore = Pick<ContextStore, 'getChat' | 'getMessage' | 'updateChat'>;

/** The queue of a branch, in order, without questions already sent. */
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

/** Changes the queue of a branch in one transaction. @throws what `update` throws */
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

/** Removes sent questions from the queue. */
export async function clearSent(store: QueueStore, chatId: string, branchId: string): Promise<void> {
  const waiting = new Set(
    (await listQueue(store, await store.getChat(chatId), branchId)).map(({ id }) => id),
  );
  await updateQueue(store, chatId, branchId, (queue) => queue.filter(({ id }) => waiting.has(id)));
}
