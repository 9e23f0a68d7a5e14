import type { ContextEngineOptions, RewindResult } from './contextEngineTypes.ts';
import { CheckpointNotFoundError, EmptyConversationError } from './errors.ts';
import type { BranchData, BranchInfo, CheckpointData } from './graph.ts';
import type { PendingTurn } from './pendingTurn.ts';
import { checkedId, checkedName } from './storable.ts';
import type { WorkingBranch } from './workingBranch.ts';

/** The ways from one branch to another, and what is set to come back to. What they promise stands at `ContextEngine`. */
export class BranchMoves {
  constructor(
    private readonly options: ContextEngineOptions,
    private readonly working: WorkingBranch,
    private readonly turn: PendingTurn,
  ) {}

  rewind(messageId: string): Promise<RewindResult> {
    return this.leave(async () => {
      const { id } = await this.working.requireMessage(messageId);
      return this.working.branchOff({ messageId: id, event: 'rewound' });
    });
  }

  rewindBefore(target: string | { invocationId: string }): Promise<RewindResult> {
    return this.leave(async () => {
      const message =
        typeof target === 'object'
          ? await this.working.requireInvocation(target.invocationId)
          : await this.working.requireMessage(target);
      const details =
        typeof target === 'object' ? { beforeInvocation: target.invocationId } : { before: target };
      return this.working.branchOff({ messageId: message.parentId, event: 'rewound', details });
    });
  }

  restore(name: string): Promise<RewindResult> {
    const { store, chatId } = this.options;
    return this.leave(async () => {
      const checkpoint = await store.getCheckpoint(chatId, checkedName(name, 'checkpoint name'));
      if (!checkpoint) throw new CheckpointNotFoundError(name);
      const details = { checkpoint: checkpoint.name };
      return this.working.branchOff({ messageId: checkpoint.messageId, event: 'restored', details });
    });
  }

  switchBranch(name: string): Promise<RewindResult> {
    const { store, chatId, userId } = this.options;
    return this.leave(async () =>
      this.working.goTo(await store.activateBranch(chatId, checkedId(name, 'branch name'), { userId })),
    );
  }

  /** @param messageId default: the head */
  async checkpoint(name: string, messageId: string | undefined): Promise<CheckpointData> {
    const { store, chatId, userId } = this.options;
    const checked = checkedName(name, 'checkpoint name');
    const branch = await this.working.follow();
    const at =
      messageId === undefined ? branch.headMessageId : (await this.working.requireMessage(messageId)).id;
    if (at === null) throw new EmptyConversationError('checkpoint');
    return store.setCheckpoint(chatId, checked, at, { userId });
  }

  async btw(): Promise<BranchInfo> {
    const { store, chatId, userId, branchNames: naming } = this.options;
    const branch = await this.working.follow();
    if (branch.headMessageId === null) throw new EmptyConversationError('btw branch');
    const { name: from, headMessageId: messageId } = branch;
    const aside = { chatId, userId, from, messageId, activate: false, event: 'btw' } as const;
    return branchInfo(await store.addBranch({ ...aside, ...(naming ? { naming } : {}) }));
  }

  /** Goes elsewhere. What waits when it begins is dropped once it has arrived, and not before. */
  private async leave(go: () => Promise<BranchData>): Promise<RewindResult> {
    await this.working.open();
    this.turn.begin();
    try {
      const branch = await go();
      return { ...branchInfo(branch), clearedPending: this.turn.drop() };
    } catch (error) {
      this.turn.rollBack();
      throw error;
    }
  }
}

function branchInfo({ id, name, headMessageId, isActive, messageCount, createdAt }: BranchData): BranchInfo {
  return { id, name, headMessageId, isActive, messageCount, createdAt };
}
