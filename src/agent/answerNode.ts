import type { ContextEngine } from '../engine/contextEngine.ts';
import { BranchNotFoundError, HeadConflictError } from '../engine/errors.ts';
import { assistant } from '../engine/fragments/index.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { NewDraft, SaveDraft } from '../engine/store.ts';
import type { UIMessage } from '../engine/uiMessage.ts';
import { AnswerDraft } from './answerDraft.ts';
import type { AnswerMetadata, DraftMetadata } from './answerMetadata.ts';
import { DraftSaver } from './draftSaver.ts';
import { errorName } from './errorName.ts';
import { isStoredAs } from './isStoredAs.ts';
import type { RunLog } from './runLog.ts';
import type { Scheduler } from './scheduler.ts';
import { isWordless } from './wordless.ts';
import type { AgentWrites } from './writes.ts';

/** Where a run stands in the conversation. */
export interface Place {
  /** Stands on the run's branch; must refuse to save when the branch has moved on. */
  readonly engine: ContextEngine;
  readonly branchId: string;
  /** The node the next message follows. */
  readonly afterId: string;
  /** All that stands up to there, with what a summary stands for and no model is sent any more. */
  readonly path: readonly UIMessage[];
}

export interface AnswerNodeOptions {
  readonly store: ReadonlyStore;
  readonly writes: AgentWrites;
  readonly place: Place;
  /** What a draft is saved with, should it be all that is left. */
  readonly draftMetadata: () => AnswerMetadata;
  readonly scheduler: Scheduler;
  readonly log: RunLog;
}

/** One message of an answer, from its first word until it is saved; a draft of it is kept meanwhile. */
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

  /** Announces to other windows that it is on its way: it may be long until there is a word of it. */
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

  /** More of it is there. */
  grown(): void {
    this.saver.grown();
  }

  /** Not a word of it is there, nor a thought or a call. */
  get isWordless(): boolean {
    return isWordless(this.draft.message());
  }

  /** Forgets it: there is nothing to save. */
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
   * Saves it. When that fails, the draft stays, to be saved at the next start.
   * @returns false when the branch had gone on without it, and it was saved on a branch of its own
   */
  async save(metadata: AnswerMetadata): Promise<boolean> {
    await this.stop();
    const { writes, place } = this.options;
    const isInPlace = await this.saveMessage(this.draft.message(metadata));
    await writes.deleteDraft(place.engine.chatId, await this.branchName());
    return isInPlace;
  }

  /** Saves it once more, after that failed: all that was to go with it still waits in the engine. */
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
    // It may be the save that arrived and whose answer did not. Or another window took the draft for one that was left
    // behind: then what is whole goes beside that.
    if (!isStoredAs(stored, message)) {
      const whole = { ...message, id: crypto.randomUUID() };
      const effects = engine.pendingEffects();
      await writes.saveLateAnswer({ chatId: engine.chatId, branch, afterId, message: whole, effects });
    }
    await writes.deleteDraft(engine.chatId, branch);
  }

  /** It as a draft, which says what it follows. */
  asDraft(branch: string, answer: AnswerMetadata): NewDraft {
    const { engine, afterId } = this.options.place;
    const metadata: DraftMetadata = { ...answer, afterId };
    return { chatId: engine.chatId, branch, message: { ...this.draft.message(), metadata } };
  }

  /** The message as two, cut before one of its parts; as one where that leaves nothing on one side, as none where it is empty. */
  cutAt(at: number, metadata: AnswerMetadata): UIMessage[] {
    const whole = this.draft.message(metadata);
    if (isWordless(whole)) return [];
    const [before, after] = [whole.parts.slice(0, at), whole.parts.slice(at)];
    if (before.length === 0 || isWordless({ parts: after })) return [whole];
    // What the requests took is told once.
    const { usage: _usage, cost: _cost, ...rest } = metadata;
    return [
      { ...whole, parts: before, metadata: rest },
      { ...whole, id: crypto.randomUUID(), parts: after },
    ];
  }

  /** The name its branch has now. */
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
      // The branch was renamed while the answer came, or went on without it.
      const effects = engine.pendingEffects();
      const branch = await this.branchName();
      // Another window may have taken its draft for one that was left behind, and saved that.
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
