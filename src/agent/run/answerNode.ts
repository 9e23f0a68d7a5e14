import type { ContextEngine } from '../../engine/contextEngine.ts';
import { BranchNotFoundError, HeadConflictError } from '../../engine/errors.ts';
import { assistant } from '../../engine/fragments/index.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { NewDraft, SaveDraft } from '../../engine/store.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { AnswerDraft, isWordless, isStoredAs } from './answerDraft.ts';
import type { AnswerMetadata, DraftMetadata } from './answerMetadata.ts';
import { DraftSaver } from './draftSaver.ts';
import { errorName, type RunLog } from './runLog.ts';
import type { Scheduler } from '../../base/scheduler.ts';
import type { AgentWrites } from './writes.ts';

/** A run's position in the conversation. */
export interface Place {
  /** Opened on the run's branch; must refuse to save when the branch has moved on. */
  readonly engine: ContextEngine;
  readonly branchId: string;
  /** The node the next message follows. */
  readonly afterId: string;
  /** All messages up to there, including those that a summary replaces and that are no longer sent to models. */
  readonly path: readonly UIMessage[];
}

export interface AnswerNodeOptions {
  readonly store: ReadonlyStore;
  readonly writes: AgentWrites;
  readonly place: Place;
  /** The metadata to save with a draft, in case the draft is all that remains. */
  readonly draftMetadata: () => AnswerMetadata;
  readonly scheduler: Scheduler;
  readonly log: RunLog;
}

/** One message of an answer, from its first word until it is saved; a draft of it is kept in the meantime. */
export class AnswerNode {
  readonly draft = new AnswerDraft(crypto.randomUUID());
  private readonly options: AnswerNodeOptions;
  private readonly saver: DraftSaver;

  constructor(options: AnswerNodeOptions) {
    this.options = options;
    this.saver = new DraftSaver({
      length: () => this.draft.length,
      save: () => this.saveDraft(),
      onError: (error) =>
        options.log.warn(
          `Answer ${this.draft.messageId}: the draft could not be saved (${errorName(error)})`,
        ),
      scheduler: options.scheduler,
    });
  }

  /** Announces the message to other windows: its first word may take a long time. */
  async announce(): Promise<void> {
    try {
      await this.saveDraft({ ifShared: true });
    } catch (error) {
      const { log } = this.options;
      log.warn(
        `Answer ${this.draft.messageId}: could not be announced to other windows (${errorName(error)})`,
      );
    }
  }

  /** Reports that the message has grown. */
  grown(): void {
    this.saver.grown();
  }

  /** True while it has no word, no reasoning and no call. */
  get isWordless(): boolean {
    return isWordless(this.draft.message());
  }

  /** Drops it when there is nothing to save. */
  async discard(): Promise<void> {
    await this.stop();
    const { writes, place } = this.options;
    await writes.deleteDraft(place.engine.chatId, await this.branchName());
  }

  /** No draft is saved after this. */
  async stop(): Promise<void> {
    await this.saver.stop();
  }

  /**
   * Saves it. On failure the draft stays and is saved at the next start.
   * @returns false when the branch had gone on without it, and it was saved on a new branch
   */
  async save(metadata: AnswerMetadata): Promise<boolean> {
    await this.stop();
    const { writes, place } = this.options;
    const isInPlace = await this.saveMessage(this.draft.message(metadata));
    await writes.deleteDraft(place.engine.chatId, await this.branchName());
    return isInPlace;
  }

  /** Saves it again after a failure: everything that belongs to it is still pending in the engine. */
  async saveAgain(metadata: AnswerMetadata): Promise<void> {
    const { store, writes, place } = this.options;
    const { engine, afterId } = place;
    const message = this.draft.message(metadata);
    const stored = await store.getMessage(engine.chatId, message.id);
    if (!stored) {
      await this.save(metadata);
      return;
    }
    const branch = await this.branchName();
    // The earlier save may have arrived although its reply did not. Or another window took the draft for an abandoned
    // one: then the complete message is saved next to it.
    if (!isStoredAs(stored, message)) {
      const whole = { ...message, id: crypto.randomUUID() };
      const effects = engine.pendingEffects();
      await writes.saveLateAnswer({ chatId: engine.chatId, branch, afterId, message: whole, effects });
    }
    await writes.deleteDraft(engine.chatId, branch);
  }

  /** The message as a draft, with the node it follows. */
  asDraft(branch: string, answer: AnswerMetadata): NewDraft {
    const { engine, afterId } = this.options.place;
    const metadata: DraftMetadata = { ...answer, afterId };
    return { chatId: engine.chatId, branch, message: { ...this.draft.message(), metadata } };
  }

  /** Splits the message in two before a part; returns one if a side would be empty, none if the message is empty. */
  cutAt(at: number, metadata: AnswerMetadata): UIMessage[] {
    const whole = this.draft.message(metadata);
    if (isWordless(whole)) return [];
    const [before, after] = [whole.parts.slice(0, at), whole.parts.slice(at)];
    if (before.length === 0 || isWordless({ parts: after })) return [whole];
    // Usage is recorded only once.
    const { usage: _usage, cost: _cost, ...rest } = metadata;
    return [
      { ...whole, parts: before, metadata: rest },
      { ...whole, id: crypto.randomUUID(), parts: after },
    ];
  }

  /** The current name of its branch. */
  async branchName(): Promise<string> {
    const { store, place } = this.options;
    const branches = await store.listBranches(place.engine.chatId, { includeArchived: true });
    return branches.find(({ id }) => id === place.branchId)?.name ?? place.engine.branch;
  }

  private async saveMessage(message: UIMessage): Promise<boolean> {
    const { store, writes, place } = this.options;
    const { engine, afterId } = place;
    try {
      await engine.set(assistant(message)).save();
      return true;
    } catch (error) {
      if (!(error instanceof BranchNotFoundError || error instanceof HeadConflictError)) throw error;
      // The branch was renamed, or went on, while the answer arrived.
      const effects = engine.pendingEffects();
      const branch = await this.branchName();
      // Another window may have taken this draft for an abandoned one and saved it.
      const isTaken = (await store.getMessage(engine.chatId, message.id)) !== undefined;
      const late = isTaken ? { ...message, id: crypto.randomUUID() } : message;
      await writes.saveLateAnswer({ chatId: engine.chatId, branch, afterId, message: late, effects });
      return false;
    }
  }

  private async saveDraft(options?: SaveDraft): Promise<void> {
    const { writes, draftMetadata } = this.options;
    await writes.saveDraft(this.asDraft(await this.branchName(), draftMetadata()), options);
  }
}
