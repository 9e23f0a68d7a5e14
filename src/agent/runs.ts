import type { ContextEngine } from '../engine/contextEngine.ts';
import { Emitter } from '../kit/emitter.ts';
import { BranchNotFoundError, ClosedError, OffshootError } from '../engine/errors.ts';
import type { Disposable, Event } from '../kit/disposable.ts';
import type { Fragment } from '../engine/fragments/index.ts';
import type { BranchData } from '../engine/graph.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { Draft } from '../engine/store.ts';
import { readUIMessage, type UIMessage, type UIMessagePart } from '../engine/uiMessage.ts';
import type { ActiveRun } from './activeRun.ts';
import { answerMetadataOf, draftMetadata, type AnswerMetadata } from './answerMetadata.ts';
import type { Place } from './answerNode.ts';
import { takesTools, type ChatModel } from './chatModel.ts';
import { asMessage } from './question.ts';
import type { ReasoningEffort } from './reasoning/efforts.ts';
import { RESTARTED_CALL } from './restarted.ts';
import type { Run, RunEvent } from './run.ts';
import type { RunLog } from './runLog.ts';
import { systemScheduler, type Scheduler } from './scheduler.ts';
import { Approvals, type AllowanceMemory } from './tools/approvals.ts';
import type { FileWriter } from './tools/fileWriter.ts';
import type { AgentTool } from './tools/tool.ts';
import { withSettledCalls } from './tools/toolParts.ts';
import type { AgentWrites } from './writes.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { isUserTurn } from '../engine/userTurn.ts';

export type { Run, RunEvent, RunStatus } from './run.ts';

export interface RunsOptions {
  readonly store: ReadonlyStore;
  /** How what runs say is kept. */
  readonly writes: AgentWrites;
  /** The system prompt, asked for at each start. */
  readonly fragments: (about: {
    readonly chatId: string;
    readonly hasTools: boolean;
  }) => Fragment[] | Promise<Fragment[]>;
  readonly log: RunLog;
  readonly scheduler?: Scheduler;
  /** What a model that takes tools may use, asked for before each request; none while the workspace is not trusted. */
  readonly tools?: () => readonly AgentTool[];
  /** Where leave is asked for what tools do; default: nobody is there to give it. */
  readonly approvals?: Approvals;
  /** How tools write files, by the engine that keeps what they change; default: they do not. */
  readonly fileWriter?: (engine: ContextEngine) => FileWriter;
  /** Requests to the model in one run before it waits for the user, asked for at each start. Default 50. */
  readonly maxSteps?: () => number;
  /** How hard a model is to think, asked for at each start; undefined: as it does by itself. */
  readonly effort?: (model: ChatModel) => ReasoningEffort | undefined;
  /** Further requests after one that failed before its first word for a reason that may pass. Default 4. */
  readonly maxRetries?: number;
}

export interface StartOptions {
  readonly chatId: string;
  readonly branch: string;
  /** Absent: the question at the head of the branch is answered (again). */
  readonly question?: string;
  /** What goes with the question, after its text. */
  readonly attached?: readonly UIMessagePart[];
  /** The id the question is saved under; default: a new one. */
  readonly questionId?: string;
  readonly model: ChatModel;
  /** Continue an answer that failed, was stopped or came to its limit of steps, instead of answering a question. */
  readonly continues?: boolean;
  /** An agent that works for another one: it has no checkpoints of its own. */
  readonly isSubagent?: boolean;
  /** How freely the model chooses its words, 0 to 2; absent: as the model does by itself. */
  readonly temperature?: number;
  /** Only tools that change nothing: several answers to one question are written at once. */
  readonly onlyReads?: boolean;
}

const MAX_STEPS = 50;

/** Nothing is allowed for longer than the program runs. */
const noAllowances: AllowanceMemory = {
  has: () => false,
  list: () => [],
  add: () => Promise.resolve(),
  clear: () => Promise.resolve(),
};

/** An answer is still on its way on this branch. */
export class BranchBusyError extends OffshootError {
  constructor(readonly branch: string) {
    super(
      'branch-busy',
      defineMessage(
        'An answer is still being written on branch “{0}”. Stop it first, or use “By the Way” to ask on a separate branch.',
        branch,
      ),
    );
  }
}

/** The branch does not end with a question. */
export class NothingToAnswerError extends OffshootError {
  constructor(readonly branch: string) {
    super(
      'nothing-to-answer',
      defineMessage('Branch “{0}” does not end with a question. Type one first.', branch),
    );
  }
}

/** The answers that are being written: at most one on each branch, any number at once. */
export class Runs implements Disposable {
  private readonly options: RunsOptions;
  private readonly scheduler: Scheduler;
  private readonly approvals: Approvals;
  /** Undefined while a run is being prepared. */
  private readonly active = new Map<string, ActiveRun | undefined>();
  private readonly changed: Emitter<RunEvent>;
  private readonly subscription: Disposable;
  private isDisposed = false;

  constructor(options: RunsOptions) {
    this.options = options;
    this.scheduler = options.scheduler ?? systemScheduler;
    this.approvals = options.approvals ?? new Approvals(noAllowances);
    this.changed = new Emitter<RunEvent>((error) =>
      options.log.error(`A listener of runs failed (${error instanceof Error ? error.name : typeof error})`),
    );
    this.subscription = options.store.onDidChange((change) => {
      if (change.kind !== 'chat' || change.change !== 'deleted') return;
      for (const run of this.list(change.chatId)) run.abandon();
    });
  }

  get onDidChange(): Event<RunEvent> {
    return this.changed.event;
  }

  /**
   * Saves the question (if there is one) on `branch`, then streams the answer there. Resolves when the question is
   * durable; what becomes of the answer is reported by events and by `run.done`.
   * @throws BranchBusyError, BranchNotFoundError, NothingToAnswerError, and whatever saving the question throws
   */
  async start(options: StartOptions): Promise<Run> {
    if (this.isDisposed) throw new ClosedError('list of runs');
    const { chatId, branch } = options;
    const key = keyOf(chatId, branch);
    if (this.active.has(key)) throw new BranchBusyError(branch);
    // Taken before anything is awaited: of two starts at once one is refused.
    this.active.set(key, undefined);
    try {
      const run = await this.prepare(options);
      this.active.set(key, run);
      run.begin();
      return run;
    } catch (error) {
      this.active.delete(key);
      throw error;
    }
  }

  /** The run that streams on this branch now. */
  get(chatId: string, branch: string): Run | undefined {
    return this.active.get(keyOf(chatId, branch));
  }

  /** The runs that stream in this chat now. */
  list(chatId: string): ActiveRun[] {
    return [...this.active.values()].filter((run) => run?.chatId === chatId).flatMap((run) => run ?? []);
  }

  /** Stops the answer on this branch; resolves when what has arrived is saved. Does nothing where none streams. */
  async stop(chatId: string, branch: string): Promise<void> {
    const run = this.active.get(keyOf(chatId, branch));
    run?.stop();
    await run?.done;
  }

  /** Stops every answer; resolves when what has arrived of them is saved. */
  async stopAll(): Promise<void> {
    const runs = [...this.active.values()].flatMap((run) => run ?? []);
    for (const run of runs) run.stop();
    await Promise.all(runs.map((run) => run.done));
  }

  /**
   * Turns the drafts a crash left behind into interrupted answers, each after its question. Does nothing in a window
   * that may not write; call it again when the window may. Calling it twice does no harm.
   * @returns how many answers were saved
   */
  async recover(): Promise<number> {
    return this.recoverDrafts(await this.options.writes.listDrafts());
  }

  /** Stops all answers without waiting; what has arrived is saved as far as the store is still open. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.subscription.dispose();
    for (const run of this.active.values()) run?.stop();
    this.changed.dispose();
  }

  private async prepare({
    chatId,
    branch,
    question: text,
    attached = [],
    questionId: id,
    model,
    continues,
    isSubagent,
    temperature,
    onlyReads = false,
  }: StartOptions): Promise<ActiveRun> {
    const { store, writes, fragments, log, maxRetries = 4, tools = () => [], maxSteps } = this.options;
    // With it comes the AI SDK, which is not loaded before the first question; nothing is saved if that fails.
    const { ActiveRun } = await import('./withSdk.ts');
    // Left over when an answer could not be saved; its place is taken by the draft of this run.
    const left = (await writes.listDrafts(chatId)).filter((draft) => draft.branch === branch);
    await this.recoverDrafts(left);
    const engine = writes.openEngine(chatId, branch);
    const offered = (): readonly AgentTool[] =>
      takesTools(model) ? tools().filter(({ readsOnly = false }) => readsOnly || !onlyReads) : [];
    try {
      engine.set(...(await fragments({ chatId, hasTools: offered().length > 0 })));
      if (text !== undefined) await engine.set(asMessage({ id, text, attached })).save();
      const { systemPrompt, messages } = await engine.resolve();
      const { headMessageId: afterId } = engine;
      const goesOn = (continues ?? false) && (await this.canContinue(chatId, afterId));
      const asked = questionToAnswer(messages, goesOn);
      if (asked === undefined || afterId === undefined) throw new NothingToAnswerError(engine.branch);
      const { id: branchId } = await this.branch(chatId, engine.branch);
      const run = new ActiveRun({
        store,
        writes,
        place: { engine, branchId, afterId, path: messages },
        openBranch: (name) => this.open(chatId, name),
        questionId: asked.id,
        instructions: systemPrompt,
        model,
        tools: offered,
        maxSteps: maxSteps?.() ?? MAX_STEPS,
        isSubagent: isSubagent ?? false,
        temperature,
        effort: this.options.effort?.(model),
        approvals: this.approvals,
        fileWriter: this.options.fileWriter,
        maxRetries,
        scheduler: this.scheduler,
        log,
        onEvent: (event) => this.follow(event),
      });
      if (this.isDisposed) run.stop();
      return run;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  /** Whether the branch ends with an answer that did not come to its end; one without a word is not on its path. */
  private async canContinue(chatId: string, headId: string | undefined): Promise<boolean> {
    const head = headId === undefined ? undefined : await this.options.store.getMessage(chatId, headId);
    const read = head && readUIMessage(head.data);
    const answer = read && answerMetadataOf(read);
    return answer !== undefined && (answer.status !== 'complete' || answer.notice?.code === 'step-limit');
  }

  /** A branch a run has come to by itself. */
  private async open(chatId: string, name: string): Promise<Place> {
    const engine = this.options.writes.openEngine(chatId, name);
    const { messages: path } = await engine.resolve();
    const { id: branchId } = await this.branch(chatId, name);
    const { headMessageId: afterId } = engine;
    if (afterId === undefined) throw new NothingToAnswerError(name);
    return { engine, branchId, afterId, path };
  }

  private follow(event: RunEvent): void {
    if (event.kind === 'finished') {
      for (const [key, run] of this.active) if (run === event.run) this.active.delete(key);
    } else if (event.kind === 'moved') {
      const { run, from } = event;
      const active = this.active.get(keyOf(run.chatId, from));
      if (active === run && from !== run.branch) {
        this.active.delete(keyOf(run.chatId, from));
        this.active.set(keyOf(run.chatId, run.branch), active);
      }
    }
    this.changed.fire(event);
  }

  private async branch(chatId: string, name: string): Promise<BranchData> {
    const branch = await this.options.store.getBranch(chatId, name);
    if (branch === undefined) throw new BranchNotFoundError(name);
    return branch;
  }

  private async recoverDrafts(drafts: readonly Draft[]): Promise<number> {
    let count = 0;
    for (const draft of drafts) {
      // In a window that may not write, the drafts belong to the one that does, and it may be at work on them.
      if (this.options.store.isReadOnly) break;
      if (this.active.get(keyOf(draft.chatId, draft.branch)) !== undefined) continue;
      try {
        if (await this.recoverOne(draft)) count += 1;
      } catch (error) {
        const name = error instanceof Error ? error.name : typeof error;
        this.options.log.error(`The draft ${draft.message.id} could not be recovered (${name})`);
      }
    }
    return count;
  }

  /** True when it became an answer; false when that had been saved before. */
  private async recoverOne({ chatId, branch, message }: Draft): Promise<boolean> {
    const { store, writes, log } = this.options;
    const isSaved = (await store.getMessage(chatId, message.id)) !== undefined;
    if (!isSaved) {
      const { afterId, ...metadata } = draftMetadata.parse(message.metadata);
      const settled = withSettledCalls(message, RESTARTED_CALL);
      const answer = { ...settled, metadata: metadata satisfies AnswerMetadata };
      await writes.saveLateAnswer({ chatId, branch, afterId, message: answer });
      log.info(`Answer ${message.id}: recovered from its draft`);
    }
    await writes.deleteDraft(chatId, branch);
    return !isSaved;
  }
}

/** The question that an answer at the end of this path belongs to; undefined when there is nothing to answer there. */
function questionToAnswer(path: readonly UIMessage[], continues: boolean): UIMessage | undefined {
  const last = path.at(-1);
  // A report at the end is answered, too.
  if (last?.role === 'user') return last;
  return continues ? path.findLast(isUserTurn) : undefined;
}

function keyOf(chatId: string, branch: string): string {
  return JSON.stringify([chatId, branch]);
}
