import { BranchNotFoundError, HeadConflictError } from '../../engine/errors.ts';
import { assistant } from '../../engine/fragments/index.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { NewDraft, SaveDraft } from '../../engine/store.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import type { ActiveRunOptions, Place } from './activeRunOptions.ts';
import { AnswerDraft, isWordless, isStoredAs } from './answerDraft.ts';
import type { AnswerMetadata, DraftMetadata } from './answerMetadata.ts';
import { DraftSaver } from './draftSaver.ts';
import { errorName } from './runLog.ts';
import { Usage } from './runUsage.ts';

/** One message of an answer, from its first word until it is saved; a draft of it is kept in the meantime. */
export class AnswerNode {
  readonly draft = new AnswerDraft(crypto.randomUUID());
  /** The name of its branch when it began. */
  readonly branch: string;
  readonly startedAt: number;
  readonly usage: Usage;
  /** For how long its calls have waited for the user's approval, in milliseconds. */
  waited = 0;
  private readonly saver: DraftSaver;

  /** @param draftMetadata what to save with a draft, in case the draft is all that remains */
  constructor(
    private readonly options: Pick<ActiveRunOptions, 'store' | 'writes' | 'model' | 'scheduler' | 'log'>,
    readonly place: Place,
    private readonly draftMetadata: () => AnswerMetadata,
  ) {
    this.branch = place.engine.branch;
    this.startedAt = options.scheduler.now();
    this.usage = new Usage(options.model);
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

  grown(): void {
    this.saver.grown();
  }

  /** All messages up to this one, and this one once it has begun. */
  path(): readonly UIMessage[] {
    const { path } = this.place;
    return this.draft.isEmpty ? path : [...path, this.draft.message()];
  }

  /** True while the answer has no saved message, and this one no word, no reasoning and no call. */
  get isWordless(): boolean {
    return this.place.path.at(-1)?.role === 'user' && isWordless(this.draft.message());
  }

  /** No draft is saved after this. */
  async stop(): Promise<void> {
    await this.saver.stop();
  }

  async deleteDraft(): Promise<void> {
    await this.options.writes.deleteDraft(this.place.engine.chatId, await this.branchName());
  }

  /** On failure the draft stays for the next start. @returns false if it went to a new branch: its own had gone on */
  async save(metadata: AnswerMetadata): Promise<boolean> {
    await this.stop();
    const isInPlace = await this.saveMessage(this.draft.message(metadata));
    await this.deleteDraft();
    return isInPlace;
  }

  /** Saves it again after a failure: everything that belongs to it is still pending in the engine. */
  async saveAgain(metadata: AnswerMetadata): Promise<void> {
    const { store, writes } = this.options;
    const { engine, afterId } = this.place;
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

  asDraft(answer: AnswerMetadata, branch = this.branch): NewDraft {
    const { engine, afterId } = this.place;
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

  /** Its branch as it is now; undefined if it is gone. */
  async storedBranch(): Promise<BranchData | undefined> {
    const { engine, branchId } = this.place;
    const { chatId, userId } = engine;
    const branches = await this.options.store.listBranches(chatId, { includeArchived: true, userId });
    return branches.find(({ id }) => id === branchId);
  }

  private async branchName(): Promise<string> {
    return (await this.storedBranch())?.name ?? this.place.engine.branch;
  }

  private async saveMessage(message: UIMessage): Promise<boolean> {
    const { store, writes } = this.options;
    const { engine, afterId } = this.place;
    try {
      const { headMessageId = null } = engine;
      // The engine has read what came since then: a save would go after that.
      if (headMessageId !== afterId) throw new HeadConflictError(engine.branch, afterId, headMessageId);
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
    const branch = await this.branchName();
    await this.options.writes.saveDraft(this.asDraft(this.draftMetadata(), branch), options);
  }
}
