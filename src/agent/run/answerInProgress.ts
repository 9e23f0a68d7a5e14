import type { BranchData } from '../../engine/graph.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { ActiveRunOptions, Place } from './activeRunOptions.ts';
import type { AnswerPartType, PartNote } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import { AnswerNode } from './answerNode.ts';
import { describeAnswer, type AnswerOutcome } from './answerStream.ts';
import { takePlanParts } from '../plans/plan.ts';
import type { RequestedRewind } from '../checkpoints/stepCheckpoints.ts';
import { createNotice } from '../../models/errors/notice.ts';
import { asMessage, type Question } from './question.ts';
import { RESTARTED } from './recoverAnswers.ts';
import type { RunEvent } from './run.ts';
import type { UnsupportedFeatures } from './unsupportedFeatures.ts';
import type { SavedCompaction } from './writes.ts';

type EventOf<Event> = Event extends RunEvent ? Omit<Event, 'run'> : never;

/** A written summary, and how much it leaves of the message that is being written. */
export interface WrittenCompaction extends Pick<SavedCompaction, 'summary' | 'metadata'> {
  readonly at: number | undefined;
}

export interface AnswerContext {
  readonly unsupported: UnsupportedFeatures;
  readonly temperature: () => number | undefined;
  readonly onEvent: (event: EventOf<RunEvent>) => void;
}

/** One message after another, each saved before the next begins, on the run's current branch. */
export class AnswerInProgress {
  readonly chatId: string;
  private current: AnswerNode;

  constructor(
    private readonly options: ActiveRunOptions,
    private readonly context: AnswerContext,
  ) {
    this.chatId = options.place.engine.chatId;
    this.current = this.newNode(options.place);
  }

  get node(): AnswerNode {
    return this.current;
  }

  /** The name used in the log. */
  get name(): string {
    return `Answer ${this.node.draft.messageId} with ${this.options.model.id}`;
  }

  append(type: AnswerPartType, key: string, text: string): void {
    const delta = this.node.draft.append(type, key, text);
    if (delta === undefined) return;
    this.node.grown();
    this.context.onEvent({ kind: 'delta', ...this.about(), ...delta });
  }

  note(note: Omit<PartNote, 'now'>): void {
    const { draft } = this.node;
    const index = draft.note({ ...note, now: this.options.scheduler.now() });
    const part = index === undefined ? undefined : draft.part(index);
    if (index !== undefined && part !== undefined) this.changed(index, part);
  }

  changed(partIndex: number, part: UIMessagePart): void {
    this.node.grown();
    this.context.onEvent({ kind: 'part', ...this.about(), partIndex, part });
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
      this.context.unsupported.tell(
        createNotice(
          'checkpoint-missing',
          defineMessage(
            'The checkpoint to go back to was no longer there. The answer goes on from the root of the conversation with the report; what came before is on the branch it left.',
          ),
        ),
      );
    }
    await this.node.place.engine.close();
    await this.moveTo(await this.options.openBranch(applied.branch.name));
  }

  /** Saves the message that is being written and the questions after it, then begins the next message. */
  async closeNode(questions: readonly Question[] = []): Promise<void> {
    if (!this.node.draft.isEmpty) await this.save();
    const { engine } = this.node.place;
    for (const { attached } of questions) await takePlanParts(engine, attached);
    if (questions.length > 0) await engine.set(...questions.map(asMessage)).save();
    await this.moveOn(this.node.place);
  }

  /**
   * Saves the message that is being written and a summary after it in one transaction, then begins the next message.
   * @param at the first part that is not covered and becomes a separate message; undefined: there is none
   */
  async compact({ at = 0, summary, metadata }: WrittenCompaction): Promise<void> {
    const { writes } = this.options;
    const { engine, afterId } = this.node.place;
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
    await this.moveOn(this.node.place);
  }

  private async save(): Promise<void> {
    const isInPlace = await this.node.save(this.metadataOf({ status: 'complete' }));
    if (isInPlace) return;
    throw new Error(
      'The branch it was on has gone on without it. What had arrived is on a branch of its own, in the tree.',
    );
  }

  /** After what was saved on the same branch. */
  private async moveOn({ engine, branchId, afterId }: Place): Promise<void> {
    const { messages } = await engine.resolve({ whole: true });
    const path = await this.options.ledgers.into(this.chatId, messages);
    await this.moveTo({ engine, branchId, path, afterId: engine.headMessageId ?? afterId });
  }

  private async moveTo(place: Place): Promise<void> {
    const { branch: from } = this.node;
    await this.node.stop();
    this.current = this.newNode(place);
    this.context.onEvent({ kind: 'moved', from });
  }

  private async storedBranch(): Promise<BranchData> {
    const branch = await this.node.storedBranch();
    if (!branch) throw new Error(`Branch “${this.node.place.engine.branch}” is gone.`);
    return branch;
  }

  private newNode(place: Place): AnswerNode {
    return new AnswerNode(this.options, place, () =>
      this.metadataOf({ status: 'interrupted', error: RESTARTED }),
    );
  }

  metadataOf(outcome: AnswerOutcome): AnswerMetadata {
    const { unsupported, temperature } = this.context;
    const { usage, startedAt, waited } = this.node;
    return describeAnswer({
      model: this.options.model,
      temperature: temperature(),
      effort: this.options.effort,
      mode: this.options.mode,
      outcome,
      notice: unsupported.notice,
      usage: usage.sum,
      cost: usage.cost,
      startedAt,
      finishedAt: this.options.scheduler.now(),
      waited,
    });
  }

  private about(): { branch: string; messageId: string } {
    const { branch, draft } = this.node;
    return { branch, messageId: draft.messageId };
  }
}
