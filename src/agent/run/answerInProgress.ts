import type { BranchData } from '../../engine/graph.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { NewDraft } from '../../engine/store.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { ActiveRunOptions } from './activeRunOptions.ts';
import type { AnswerDraft, AnswerPartType, PartNote } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import { AnswerNode, type Place } from './answerNode.ts';
import { describeAnswer, type AnswerOutcome } from './answerStream.ts';
import type { RequestedRewind } from '../checkpoints/stepCheckpoints.ts';
import { createNotice } from '../../models/errors/notice.ts';
import { asMessage, type Question } from './question.ts';
import { RESTARTED } from './recoverAnswers.ts';
import type { RunEvent } from './run.ts';
import { Usage } from './runUsage.ts';
import type { UnsupportedFeatures } from './unsupportedFeatures.ts';
import type { SavedCompaction } from './writes.ts';

/** An event of a run, without the run it belongs to. */
type EventOf<Event> = Event extends RunEvent ? Omit<Event, 'run'> : never;

/** A written summary, and how much it leaves of the message that is being written. */
export interface WrittenCompaction extends Pick<SavedCompaction, 'summary' | 'metadata'> {
  readonly at: number | undefined;
}

/** What the run provides to its answer. */
export interface AnswerSurroundings {
  readonly unsupported: UnsupportedFeatures;
  /** The temperature in use now. */
  readonly temperature: () => number | undefined;
  readonly onEvent: (event: EventOf<RunEvent>) => void;
}

/**
 * The answer of a run while it is written: one message after another, each saved before the next begins, on the run's
 * current branch.
 */
export class AnswerInProgress {
  readonly chatId: string;
  private currentPlace: Place;
  private branchName: string;
  private node: AnswerNode;
  private nodeStartedAt: number;
  private usageOfNode: Usage;

  constructor(
    private readonly options: ActiveRunOptions,
    private readonly surroundings: AnswerSurroundings,
  ) {
    this.currentPlace = options.place;
    this.chatId = options.place.engine.chatId;
    this.branchName = options.place.engine.branch;
    this.usageOfNode = new Usage(options.model);
    this.nodeStartedAt = options.scheduler.now();
    this.node = this.newNode();
  }

  /** The position of the message that is being written. */
  get place(): Place {
    return this.currentPlace;
  }

  get branch(): string {
    return this.branchName;
  }

  /** When the message that is being written was started. */
  get startedAt(): number {
    return this.nodeStartedAt;
  }

  /** The message that is being written. */
  get draft(): AnswerDraft {
    return this.node.draft;
  }

  /** For the message that is being written. */
  get usage(): Usage {
    return this.usageOfNode;
  }

  /** The name used in the log. */
  get name(): string {
    return `Answer ${this.draft.messageId} with ${this.options.model.id}`;
  }

  append(type: AnswerPartType, key: string, text: string): void {
    const delta = this.draft.append(type, key, text);
    if (delta === undefined) return;
    this.node.grown();
    this.surroundings.onEvent({ kind: 'delta', ...this.about(), ...delta });
  }

  note(note: Omit<PartNote, 'now'>): void {
    const index = this.draft.note({ ...note, now: this.options.scheduler.now() });
    const part = index === undefined ? undefined : this.draft.part(index);
    if (index !== undefined && part !== undefined) this.changed(index, part);
  }

  /** Reports that a part of the draft has changed. */
  changed(partIndex: number, part: UIMessagePart): void {
    this.node.grown();
    this.surroundings.onEvent({ kind: 'part', ...this.about(), partIndex, part });
  }

  /** Announces to other windows that the answer is coming. */
  announce(): Promise<void> {
    return this.node.announce();
  }

  /** No draft is saved after this. */
  stop(): Promise<void> {
    return this.node.stop();
  }

  /** True while the answer has no saved message and the current message has no word. */
  get isWordless(): boolean {
    return this.place.path.at(-1)?.role === 'user' && this.node.isWordless;
  }

  /** Discards the answer without saving it. */
  discard(): Promise<void> {
    return this.node.discard();
  }

  /** Saves the last message. */
  async finish(metadata: AnswerMetadata): Promise<void> {
    await this.node.save(metadata);
  }

  /** The last message, in the form of a draft. */
  asDraft(metadata: AnswerMetadata): NewDraft {
    return this.node.asDraft(this.branch, metadata);
  }

  /** Saves the last message again after a failed save. */
  saveAgain(metadata: AnswerMetadata): Promise<void> {
    return this.node.saveAgain(metadata);
  }

  /** Leaves the exploration on its branch and continues from the checkpoint with the report. */
  async rewind(rewind: RequestedRewind, siblings: readonly string[]): Promise<void> {
    const { writes, scheduler, log, questionId } = this.options;
    await this.save();
    const explored = await this.storedBranch();
    const applied = await writes.applyRewind({
      chatId: this.chatId,
      explored,
      rewind,
      siblings,
      questionId,
      now: scheduler.now(),
    });
    if (applied.isFromRoot) {
      log.warn(`${this.name}: the message of its checkpoint is missing, going on from the root`);
      this.surroundings.unsupported.tell(
        createNotice(
          'checkpoint-missing',
          defineMessage(
            'The checkpoint to go back to was no longer there. The answer goes on from the root of the conversation with the report; what came before is on the branch it left.',
          ),
        ),
      );
    }
    await this.place.engine.close();
    await this.moveTo(await this.options.openBranch(applied.branch.name));
  }

  /** Saves the message that is being written and the questions after it, then begins the next message. */
  async closeNode(questions: readonly Question[] = []): Promise<void> {
    if (!this.draft.isEmpty) await this.save();
    const { engine, branchId } = this.place;
    if (questions.length > 0) await engine.set(...questions.map(asMessage)).save();
    const { messages } = await engine.resolve({ whole: true });
    await this.moveTo({
      engine,
      branchId,
      path: messages,
      afterId: engine.headMessageId ?? this.place.afterId,
    });
  }

  /**
   * Saves the message that is being written and a summary after it in one transaction, then begins the next message.
   * @param at the first part that is not covered and becomes a separate message; undefined: there is none
   */
  async compact({ at = 0, summary, metadata }: WrittenCompaction): Promise<void> {
    const { writes } = this.options;
    const { engine, branchId, afterId } = this.place;
    if (engine.hasPendingChanges)
      throw new Error('A step was not saved before its conversation was compacted.');
    await this.node.stop();
    const branch = await this.storedBranch();
    // The branch went on without this answer; save() handles that.
    if (branch.headMessageId !== afterId) return this.save();
    const { chatId } = this;
    const answers = this.node.cutAt(at, this.metadataOf({ status: 'complete' }));
    await writes.saveCompaction({ chatId, branch: branch.name, afterId, answers, summary, metadata });
    await writes.deleteDraft(chatId, branch.name);
    const { messages: path } = await engine.resolve({ whole: true });
    await this.moveTo({ engine, branchId, path, afterId: engine.headMessageId ?? afterId });
  }

  private async save(): Promise<void> {
    const isInPlace = await this.node.save(this.metadataOf({ status: 'complete' }));
    if (isInPlace) return;
    throw new Error(
      'The branch it was on has gone on without it. What had arrived is on a branch of its own, in the tree.',
    );
  }

  private async moveTo(place: Place): Promise<void> {
    const from = this.branchName;
    await this.node.stop();
    this.currentPlace = place;
    this.branchName = place.engine.branch;
    this.usageOfNode = new Usage(this.options.model);
    this.nodeStartedAt = this.options.scheduler.now();
    this.node = this.newNode();
    this.surroundings.onEvent({ kind: 'moved', from });
  }

  private async storedBranch(): Promise<BranchData> {
    const { engine, branchId } = this.place;
    const { userId } = engine;
    const branches = await this.options.store.listBranches(this.chatId, { includeArchived: true, userId });
    const branch = branches.find(({ id }) => id === branchId);
    if (!branch) throw new Error(`Branch “${engine.branch}” is gone.`);
    return branch;
  }

  private newNode(): AnswerNode {
    const { store, writes, scheduler, log } = this.options;
    return new AnswerNode({
      store,
      writes,
      place: this.place,
      draftMetadata: () => this.metadataOf({ status: 'interrupted', error: RESTARTED }),
      scheduler,
      log,
    });
  }

  /** The metadata of the message that is being written, given this outcome. */
  metadataOf(outcome: AnswerOutcome): AnswerMetadata {
    const { unsupported, temperature } = this.surroundings;
    return describeAnswer({
      model: this.options.model,
      temperature: temperature(),
      effort: this.options.effort,
      mode: this.options.mode,
      outcome,
      notice: unsupported.notice,
      usage: this.usage.sum,
      cost: this.usage.cost,
      startedAt: this.nodeStartedAt,
      finishedAt: this.options.scheduler.now(),
    });
  }

  private about(): { branch: string; messageId: string } {
    return { branch: this.branchName, messageId: this.draft.messageId };
  }
}
