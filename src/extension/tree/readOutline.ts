import type { BranchData, CheckpointData } from '../../engine/graph.ts';
import type { ContextStore } from '../../engine/store.ts';
import type { ChatOutline, Exploration } from './treeNodes.ts';

/** Reads what the tree shows of chats. */
export class OutlineReader {
  /**
   * The branch a message belongs to, by message id. Found once: messages never move, and a branch older than theirs can
   * never come to hold them.
   */
  private readonly owners = new Map<string, string>();

  constructor(private readonly store: ContextStore) {}

  /** Undefined when there is no such chat any more. */
  async read(chatId: string): Promise<ChatOutline | undefined> {
    const chat = await this.store.getChat(chatId);
    if (!chat) return undefined;
    const branches = await this.store.listBranches(chatId);
    const checkpoints = [];
    for (const checkpoint of await this.store.listCheckpoints(chatId)) {
      checkpoints.push({ checkpoint, branchId: await this.ownerOf(checkpoint, branches) });
    }
    return { chat, branches, checkpoints, explored: await this.readExplored(chatId) };
  }

  private async readExplored(chatId: string): Promise<Map<string, Exploration>> {
    const explored = new Map<string, Exploration>();
    for (const { messageId, details } of await this.store.listEvents(chatId, { kind: 'rewind-report' })) {
      const { goal, abandonedHead } = details;
      if (typeof goal !== 'string' || typeof abandonedHead !== 'string' || messageId === undefined) continue;
      explored.set(abandonedHead, { goal, reportId: messageId });
    }
    return explored;
  }

  /** The oldest of the branches that hold the checkpoint's message. */
  private async ownerOf(
    { chatId, messageId }: CheckpointData,
    branches: readonly BranchData[],
  ): Promise<string> {
    const key = JSON.stringify([chatId, messageId]);
    const known = this.owners.get(key);
    // An archived branch is not shown; the checkpoint then stands on another that holds it.
    if (known !== undefined && branches.some(({ id }) => id === known)) return known;
    for (const { id, headMessageId } of branches) {
      if (headMessageId === null) continue;
      if (headMessageId !== messageId && !(await this.store.getPathAfter(chatId, messageId, headMessageId))) {
        continue;
      }
      if (known === undefined) this.owners.set(key, id);
      return id;
    }
    return branches[0]?.id ?? '';
  }
}
