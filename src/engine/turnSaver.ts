import type { ContextEngineOptions, SaveOptions, SaveResult } from './contextEngineTypes.ts';
import type { ConversationHead } from './conversationHead.ts';
import { MessageExistsError, MessageNotFoundError } from './errors.ts';
import { hasSharedChanges, type PendingTurn } from './pendingTurn.ts';
import type { SavedMessages } from './store.ts';
import type { WorkingBranch } from './workingBranch.ts';

/** How often a save is planned again because another engine took an id in between. */
const MAX_PLANS = 5;

/** Stores all pending items in one transaction. */
export class TurnSaver {
  constructor(
    private readonly options: ContextEngineOptions,
    private readonly working: WorkingBranch,
    private readonly head: ConversationHead,
    private readonly turn: PendingTurn,
  ) {}

  /** @throws HeadConflictError, NotStorableError, ReadOnlyError; everything stays pending in that case */
  async save(options: SaveOptions): Promise<SaveResult> {
    const saved = await this.savePending(options);
    if (!saved) await this.working.follow();
    const messages = saved?.messages ?? [];
    const versions = [
      ...messages.flatMap(({ effects }) => effects?.artifacts ?? []),
      ...(saved?.artifacts ?? []),
    ];
    return {
      headMessageId: this.working.headMessageId,
      branch: this.working.name,
      messageIds: messages.map(({ id }) => id),
      artifacts: versions.map(({ name, version }) => ({ name, version })),
    };
  }

  /** @returns undefined when nothing was pending */
  private async savePending({ invocationId }: SaveOptions): Promise<SavedMessages | undefined> {
    const { store, chatId, userId, branch, onHeadConflict = 'error', branchNames: naming } = this.options;
    for (let attempt = 1; ; attempt++) {
      // If the branch was deleted, this is another branch, and the head last read is its head.
      const { name, isActive } = await this.working.now();
      const expectedHead = this.working.headMessageId ?? null;
      const atHead = await this.head.at(expectedHead);
      this.turn.begin();
      let saved: SavedMessages;
      try {
        const plan = await this.head.plan(atHead);
        const messages = this.turn.newMessages(plan, invocationId);
        const shared = this.turn.shared();
        if (messages.length === 0 && !hasSharedChanges(shared)) {
          this.turn.commit();
          return undefined;
        }
        saved = await store.saveMessages({
          chatId,
          userId,
          branch: name,
          expectedHead,
          onHeadConflict,
          newBranchAt: plan.editAt,
          activate: isActive || branch === undefined,
          ...(naming ? { naming } : {}),
          messages,
          shared,
        });
      } catch (error) {
        this.turn.rollBack();
        // An id was taken, or the place of an edit was deleted, since the save was planned.
        const isOutdated = error instanceof MessageExistsError || error instanceof MessageNotFoundError;
        if (isOutdated && attempt < MAX_PLANS) continue;
        throw error;
      }
      this.turn.commit();
      await this.head.grow(saved.messages);
      await this.working.grew(saved.branch);
      return saved;
    }
  }
}
