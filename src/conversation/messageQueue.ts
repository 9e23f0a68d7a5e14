import { PLAN_PART } from '../agent/plans/planFacts.ts';
import { answeringModel } from '../agent/run/questionSettings.ts';
import type { ModelRegistry } from '../models/modelRegistry.ts';
import type { Question } from '../agent/run/question.ts';
import { BranchBusyError, type Run } from '../agent/run/run.ts';
import type { Runs } from '../agent/run/runs.ts';
import { waitsForUser } from '../agent/run/waitsForUser.ts';
import type { Disposable } from '../base/disposable.ts';
import {
  BranchNotFoundError,
  HeadConflictError,
  MessageExistsError,
  OffshootError,
} from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { isUserTurn } from '../engine/pathSummary.ts';
import type { ContextStore } from '../engine/store.ts';
import { answeredElsewhere } from './answeredElsewhere.ts';
import { listQueue, updateQueue, changedQueues, readQueue, type QueuedQuestion } from './keptQueues.ts';

/** On one branch. */
export const MAX_QUEUED = 100;

export class QueueFullError extends OffshootError {
  constructor() {
    super(
      'queue-full',
      defineMessage(
        '{0} messages are queued here already. Remove some, or wait for the response.',
        MAX_QUEUED,
      ),
    );
  }
}

export interface MessageQueueParts {
  readonly store: ContextStore;
  readonly userId: string;
  readonly models: Pick<ModelRegistry, 'current' | 'find'>;
  readonly runs: Pick<Runs, 'get' | 'start' | 'stop' | 'onDidChange'>;
  /** Receives errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

interface OnBranch {
  readonly chatId: string;
  readonly branch: string;
}

/**
 * The questions queued until an answer ends, on the branch where they were typed. When an answer completes, the next
 * question is asked; when it fails, is stopped or waits for the user, the user decides about the queue. Queues are
 * stored with their chats.
 */
export class MessageQueue implements Disposable {
  private readonly parts: MessageQueueParts;
  private readonly subscription: Disposable;

  constructor(parts: MessageQueueParts) {
    this.parts = parts;
    this.subscription = parts.runs.onDidChange((event) => {
      if (event.kind === 'finished') this.finished(event.run).catch(parts.onError);
      else if (event.kind === 'moved' && event.from !== event.run.branch) {
        this.follow(event.run, event.from).catch(parts.onError);
      }
    });
  }

  /** Without questions already sent. */
  async list(chatId: string, branchId: string): Promise<QueuedQuestion[]> {
    const { store } = this.parts;
    return listQueue(store, await store.getChat(chatId), branchId);
  }

  /** If the answer has already ended, the question is asked at once. @throws BranchNotFoundError, QueueFullError */
  async add(on: OnBranch, question: Question, isSteering = false): Promise<void> {
    const { text, attached, id = crypto.randomUUID() } = question;
    await this.change(on, (queue) => {
      if (queue.length >= MAX_QUEUED) throw new QueueFullError();
      return [...queue, { id, text, attached: [...attached], isSteering }];
    });
    await this.next(on);
  }

  /** Undefined when it has already been sent. */
  async remove(on: OnBranch, id: string): Promise<QueuedQuestion | undefined> {
    let removed: QueuedQuestion | undefined;
    await this.change(on, (queue) => {
      removed = queue.find((each) => each.id === id);
      return queue.filter((each) => each.id !== id);
    });
    return removed;
  }

  /** @param to from 0; larger positions mean the end */
  async move(on: OnBranch, id: string, to: number): Promise<void> {
    await this.change(on, (queue) => {
      const moved = queue.find((each) => each.id === id);
      const others = queue.filter((each) => each.id !== id);
      return moved ? [...others.slice(0, to), moved, ...others.slice(to)] : queue;
    });
  }

  async steer(on: OnBranch, id: string, isSteering: boolean): Promise<void> {
    await this.change(on, (queue) => queue.map((each) => (each.id === id ? { ...each, isSteering } : each)));
  }

  /** An answer in progress is stopped, and the received part is kept. */
  async sendNow(on: OnBranch, id: string): Promise<void> {
    await this.parts.runs.stop(on.chatId, on.branch);
    const { id: branchId } = await this.find(on);
    const question = (await this.list(on.chatId, branchId)).find((each) => each.id === id);
    if (question) await this.send(on, question);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async finished(run: Run): Promise<void> {
    // What is still to be saved follows its question: nothing may come before it.
    if (!run.notSaved) await this.keepPlanEdits(run);
    if (isDone(run)) await this.next(run);
  }

  private async keepPlanEdits({ chatId, branch: name }: OnBranch): Promise<void> {
    const { store } = this.parts;
    const branch = await store.getBranch(chatId, name);
    const queue = branch ? await this.list(chatId, branch.id) : [];
    if (!branch || !queue.some(({ attached }) => attached.some(({ type }) => type === PLAN_PART))) return;
    const { applyQueuedEdits } = await import('./queuedPlanEdits.ts');
    await applyQueuedEdits(this.parts, branch, queue);
  }

  /** Asks the first question, unless an answer is on its way: the window that writes it goes on with the queue. */
  private async next(on: OnBranch): Promise<void> {
    for (let first = await this.due(on); first; first = await this.due(on)) {
      if (await this.send(on, first)) return;
    }
  }

  private async due({ chatId, branch: name }: OnBranch): Promise<QueuedQuestion | undefined> {
    const { store, runs } = this.parts;
    const branch = await store.getBranch(chatId, name);
    const [first] = branch ? await this.list(chatId, branch.id) : [];
    if (!branch || !first || runs.get(chatId, name)) return undefined;
    const head =
      branch.headMessageId === null ? undefined : await store.getMessage(chatId, branch.headMessageId);
    // Its answer is about to be written, perhaps in another window, or failed: then the user decides.
    if (head && isUserTurn(head)) return undefined;
    return (await answeredElsewhere(store, chatId, name)) ? undefined : first;
  }

  /** @returns false if another question or answer was faster, or another window sent this one */
  private async send({ chatId, branch }: OnBranch, question: QueuedQuestion): Promise<boolean> {
    const { runs, models } = this.parts;
    // The question stays queued until it is a message, so that it is not lost if asking fails.
    const { id: questionId, text, attached } = question;
    const model = await answeringModel(models, attached);
    try {
      await runs.start({ chatId, branch, questionId, attached, question: text, model });
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
    await this.remove({ chatId, branch }, questionId);
    return true;
  }

  /** The agent continued on another branch: the questions typed for it move there. */
  private async follow({ chatId, branch }: Run, from: string): Promise<void> {
    const { store } = this.parts;
    const [left, reached] = [await store.getBranch(chatId, from), await store.getBranch(chatId, branch)];
    if (!left || !reached || (await this.list(chatId, left.id)).length === 0) return;
    await store.updateChat(chatId, (chat) =>
      changedQueues(
        chat,
        new Map([
          [left.id, []],
          [reached.id, [...readQueue(chat, reached.id), ...readQueue(chat, left.id)]],
        ]),
      ),
    );
  }

  private async change(on: OnBranch, update: Update): Promise<void> {
    const { id } = await this.find(on);
    await updateQueue(this.parts.store, on.chatId, id, update);
  }

  private async find({ chatId, branch }: OnBranch): Promise<{ readonly id: string }> {
    const found = await this.parts.store.getBranch(chatId, branch);
    if (!found) throw new BranchNotFoundError(branch);
    return found;
  }
}

/** Whether the branch went on, in this window or another one, after it was read. */
export function isOvertaken(error: unknown): boolean {
  return (
    error instanceof BranchBusyError ||
    error instanceof HeadConflictError ||
    error instanceof MessageExistsError
  );
}

type Update = (queue: readonly QueuedQuestion[]) => readonly QueuedQuestion[];

function isDone({ status, notice }: Run): boolean {
  return status === 'complete' && !waitsForUser(notice);
}
