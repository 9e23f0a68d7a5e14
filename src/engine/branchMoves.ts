import type { AsideOptions, ContextEngineOptions, MoveOptions, RewindResult } from './contextEngineTypes.ts';
import { BranchNotFoundError, CheckpointNotFoundError, EmptyConversationError } from './errors.ts';
import type { BranchData, BranchInfo, CheckpointData } from './graph.ts';
import type { PendingTurn } from './pendingTurn.ts';
import { findReachable, isProvisional } from './provisionalBranch.ts';
import { checkedId, checkedName } from './storable.ts';
import type { AddBranch } from './store.ts';
import type { WorkingBranch } from './workingBranch.ts';

type BranchPoint = Pick<AddBranch, 'messageId' | 'event' | 'details'>;

/** Moves between branches, and checkpoints. The contracts are documented at `ContextEngine`. */
export class BranchMoves {
  constructor(
    private readonly options: ContextEngineOptions,
    private readonly working: WorkingBranch,
    private readonly turn: PendingTurn,
  ) {}

  rewind(messageId: string, how: MoveOptions): Promise<RewindResult> {
    return this.leave(async () => {
      const { id } = await this.working.requireMessage(messageId);
      return this.branchOff({ messageId: id, event: 'rewound' }, how);
    });
  }

  rewindBefore(target: string | { invocationId: string }, how: MoveOptions): Promise<RewindResult> {
    return this.leave(async () => {
      const message =
        typeof target === 'object'
          ? await this.working.requireInvocation(target.invocationId)
          : await this.working.requireMessage(target);
      const details =
        typeof target === 'object' ? { beforeInvocation: target.invocationId } : { before: target };
      return this.branchOff({ messageId: message.parentId, event: 'rewound', details }, how);
    });
  }

  restore(name: string, how: MoveOptions): Promise<RewindResult> {
    const { store, chatId } = this.options;
    return this.leave(async () => {
      const checkpoint = await store.getCheckpoint(chatId, checkedName(name, 'checkpoint name'));
      if (!checkpoint) throw new CheckpointNotFoundError(name);
      const details = { checkpoint: checkpoint.name };
      return this.branchOff({ messageId: checkpoint.messageId, event: 'restored', details }, how);
    });
  }

  switchBranch(name: string): Promise<RewindResult> {
    return this.leave(async () => this.working.goTo(await this.activate(checkedId(name, 'branch name'))));
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

  async btw({ messageId, why, naming }: AsideOptions): Promise<BranchInfo> {
    const { name: from, headMessageId } = await this.working.follow();
    const at = messageId === undefined ? headMessageId : (await this.working.requireMessage(messageId)).id;
    if (at === null) throw new EmptyConversationError('btw branch');
    const log =
      why === undefined
        ? ({ event: 'btw' } as const)
        : ({ event: 'branch-created', details: { why } } as const);
    return branchInfo(await this.add({ from, messageId: at, activate: false, ...log }, naming));
  }

  private async branchOff(
    at: BranchPoint,
    { provisional = false, naming }: MoveOptions,
  ): Promise<BranchData> {
    const here = await this.working.now();
    const serves =
      provisional &&
      here.isActive &&
      here.headMessageId === at.messageId &&
      (await isProvisional(this.options.store, here));
    if (serves) return this.working.goTo(here);
    const made = { ...at, from: here.name, activate: true, isProvisional: provisional };
    return this.working.goTo(await this.add(made, naming));
  }

  private add(
    branch: Omit<AddBranch, 'chatId' | 'userId' | 'naming'>,
    naming = this.options.branchNames,
  ): Promise<BranchData> {
    const { store, chatId, userId } = this.options;
    return store.addBranch({ ...branch, chatId, userId, ...(naming ? { naming } : {}) });
  }

  /** Also works for a dropped branch: it is made again under its name. */
  private async activate(name: string): Promise<BranchData> {
    const { store, chatId, userId } = this.options;
    try {
      return await store.activateBranch(chatId, name, { userId });
    } catch (error) {
      if (!(error instanceof BranchNotFoundError)) throw error;
      const goal = await findReachable(store, chatId, name);
      if (!goal?.dropped) throw error;
      const { headMessageId, dropped } = goal;
      const from = dropped.from === undefined ? {} : { from: dropped.from };
      const made = { chatId, userId, name, headMessageId, activate: true, isProvisional: true };
      return store.createBranch({ ...made, ...from });
    }
  }

  /** Pending items are dropped only after arriving. */
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
