import { tasksIn } from '../explore/taskProgress.ts';
import { answerMetadataOf } from '../run/answerMetadata.ts';
import { BRANCH_SUMMARY } from '../../engine/branchSummary.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { Scope } from './budgetCaps.ts';
import type { Amount } from './quote.ts';
import { dayOf, type SpentFor } from './spends.ts';

type SpendingStore = Pick<ReadonlyStore, 'getPath' | 'getPathAfter' | 'listBranches' | 'listChats'>;

/** What stored answers took, which also counts where no cap was set when they were written. */
export class StoredSpending {
  constructor(
    private readonly store: SpendingStore,
    private readonly userId: string,
  ) {}

  async of(scope: Scope, { chatId, branchId, messageId }: SpentFor, now: number): Promise<Amount> {
    switch (scope) {
      case 'perMessage':
      case 'perBranch': {
        const branches = await this.store.listBranches(chatId, { includeArchived: true });
        const branch = branches.find(({ id }) => id === branchId);
        const own = branch ? await ownMessages(this.store, branch) : [];
        const counted = scope === 'perBranch' ? own : own.filter((each) => each.invocationId === messageId);
        // Explorations for it are on other branches.
        return summed(counted, { withTasks: true });
      }
      case 'perChat':
        return summed(await this.chat(chatId));
      case 'perDay':
        return this.day(now);
    }
  }

  private async day(now: number): Promise<Amount> {
    const day = dayOf(now);
    const today: MessageData[] = [];
    for (const { id, updatedAt } of await this.store.listChats({ userId: this.userId })) {
      if (dayOf(updatedAt) < day) continue;
      today.push(...(await this.chat(id)).filter((message) => dayOf(writtenAt(message)) === day));
    }
    return summed(today);
  }

  private async chat(chatId: string): Promise<MessageData[]> {
    const all = new Map<string, MessageData>();
    for (const branch of await this.store.listBranches(chatId, { includeArchived: true })) {
      for (const message of await ownMessages(this.store, branch)) all.set(message.id, message);
    }
    return [...all.values()];
  }
}

/** An imported answer was paid for when it was written. */
function writtenAt({ data, createdAt }: MessageData): number {
  const read = readUIMessage(data);
  return (read && answerMetadataOf(read)?.finishedAt) ?? createdAt;
}

/** The messages of a branch since it began. */
export async function ownMessages(
  store: Pick<ReadonlyStore, 'getPath' | 'getPathAfter'>,
  { chatId, forkMessageId: fork, headMessageId: head }: BranchData,
): Promise<readonly MessageData[]> {
  if (head === null || head === fork) return [];
  if (fork === null) return store.getPath(chatId, head);
  return (await store.getPathAfter(chatId, fork, head)) ?? [];
}

export interface Summed extends Amount {
  /** In dollars, of the answers whose price is known. */
  readonly dollars: number;
  /** Those of answers whose price is unknown. */
  readonly unpricedTokens: number;
}

/** @param withTasks explorations are counted with the answer that they are for, not on their own branches */
export function summed(messages: readonly MessageData[], { withTasks = false } = {}): Summed {
  let [dollars, tokens, unpricedTokens] = [0, 0, 0];
  for (const { name, data } of messages) {
    const read = name === 'assistant' || name === BRANCH_SUMMARY ? readUIMessage(data) : undefined;
    if (!read) continue;
    for (const { usage, cost } of [
      answerMetadataOf(read) ?? {},
      ...(withTasks && name === 'assistant' ? tasksIn(read) : []),
    ]) {
      const used = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
      dollars += cost ?? 0;
      tokens += used;
      unpricedTokens += cost === undefined ? used : 0;
    }
  }
  return { dollars, tokens, unpricedTokens };
}
