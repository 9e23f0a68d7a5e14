import type { ContextEngineOptions } from './contextEngineTypes.ts';
import { AnswerInProgressError, AnswerNotOpenError, HeadConflictError } from './errors.ts';
import { toUIMessage } from './fragments/conversationFragments.ts';
import type { Fragment } from './fragments/fragment.ts';
import type { BranchData } from './graph.ts';
import { asDraft, openAnswerIn, OpenAnswers } from './openAnswer.ts';
import type { PendingTurn, TurnSaver } from './pendingTurn.ts';
import type { Draft } from './store.ts';
import type { WorkingBranch } from './workingBranch.ts';
import type { UIMessage } from './uiMessage.ts';

/** Reserves answers and fills them. The contract is documented at `ContextEngine.continue`. */
export class Answering {
  private readonly answers: OpenAnswers;
  /** The answer this engine is filling: another engine may have removed its draft, or put another in its place. */
  private own: { readonly id: string; readonly branchId: string } | undefined;

  constructor(
    private readonly options: ContextEngineOptions,
    private readonly working: WorkingBranch,
    private readonly turn: PendingTurn,
    private readonly saver: TurnSaver,
  ) {
    this.answers = new OpenAnswers(options);
  }

  /** @returns the id of the answer */
  async continue(message: Fragment): Promise<string> {
    if (message.name !== 'assistant') return this.reserve(message);
    const id = await this.fill(toUIMessage(message));
    // It takes the place of what was set for it, which is no longer all of it.
    this.turn.messages.remove(id);
    return id;
  }

  private async reserve(question: Fragment): Promise<string> {
    this.turn.messages.add(question);
    const { branch, draft } = await this.here();
    if (draft && !openAnswerIn(draft)) throw new AnswerInProgressError(branch.name);
    const { headMessageId: after } = await this.saver.save({});
    const message: UIMessage = { id: crypto.randomUUID(), role: 'assistant', parts: [] };
    // It may have been renamed since then.
    await this.keep(message, await this.working.now(), after ?? null);
    return message.id;
  }

  private async fill(message: UIMessage): Promise<string> {
    const { id } = message;
    await this.working.open();
    const known = this.working.headMessageId ?? null;
    const { branch, draft } = await this.here();
    const kept = draft && openAnswerIn(draft);
    const isKept = kept?.message.id === id;
    const isOwn = this.own?.id === id && this.own.branchId === branch.id;
    const isOpen = (isKept || isOwn) && !(await this.answers.isStored(id));
    if (!isOpen) throw new AnswerNotOpenError(id, branch.name);
    const { onHeadConflict = 'error' } = this.options;
    const hasMoved = branch.headMessageId !== known;
    if (hasMoved && onHeadConflict === 'fork') {
      await this.keep(message, await this.fork(branch, known), known);
      if (isKept) await this.answers.close(branch.name);
      return id;
    }
    if (draft && !kept) throw new AnswerInProgressError(branch.name);
    const isTaken = kept && !isKept && !(await this.answers.isStored(kept.message.id));
    if (isTaken || (hasMoved && onHeadConflict === 'error'))
      throw new HeadConflictError(branch.name, known, branch.headMessageId);
    this.working.goTo(branch);
    await this.keep(message, branch, isKept && !hasMoved ? kept.after : branch.headMessageId);
    return id;
  }

  /** The branch as it is now, and the user's draft there. */
  private async here(): Promise<{ readonly branch: BranchData; readonly draft: Draft | undefined }> {
    // First: what becomes of a draft in between moves the head.
    const drafts = await this.answers.drafts();
    const branch = await this.working.now();
    return { branch, draft: drafts.find((each) => each.branch === branch.name) };
  }

  private async keep(message: UIMessage, branch: BranchData, after: string | null): Promise<void> {
    const { store, chatId, userId } = this.options;
    // Its question was deleted with the branch.
    if (after === null) throw new AnswerNotOpenError(message.id, branch.name);
    await store.saveDraft(asDraft({ message, after }, { chatId, branch: branch.name, userId }));
    this.own = { id: message.id, branchId: branch.id };
  }

  /** A branch for the answer where its question is the head, as a save makes one. */
  private async fork({ name, isActive }: BranchData, messageId: string | null): Promise<BranchData> {
    const { store, chatId, userId, branch, branchNames: naming } = this.options;
    const made = await store.addBranch({
      chatId,
      userId,
      from: name,
      messageId,
      activate: isActive || branch === undefined,
      ...(naming ? { naming } : {}),
      event: 'branch-created',
      details: { why: 'head-conflict' },
    });
    return this.working.goTo(made);
  }
}
