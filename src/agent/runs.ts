import type { ContextEngine } from '../engine/contextEngine.ts';
import { Emitter } from '../kit/emitter.ts';
import { BranchNotFoundError, ClosedError } from '../engine/errors.ts';
import type { Disposable, Event } from '../kit/disposable.ts';
import type { Fragment } from '../engine/fragments/index.ts';
import type { BranchData } from '../engine/graph.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { Draft } from '../engine/store.ts';
import { readUIMessage, type UIMessagePart } from '../engine/uiMessage.ts';
import type { ActiveRun } from './activeRun.ts';
import { answerMetadataOf } from './answerMetadata.ts';
import type { Place } from './answerNode.ts';
import { toolsIn, type ChatMode } from './chatMode.ts';
import { takesTools, type ChatModel } from './chatModel.ts';
import type { ExplorationRun, ExplorerOptions } from './explore/explorerOptions.ts';
import type { ReasoningEffort } from './reasoning/efforts.ts';
import { asMessage, questionToAnswer } from './question.ts';
import { BranchBusyError, NothingToAnswerError } from './runErrors.ts';
import type { Run, RunEvent } from './run.ts';
import type { RunLog } from './runLog.ts';
import { sideQuestionFragment } from './systemPrompt.ts';
import { systemScheduler, type Scheduler } from './scheduler.ts';
import { Approvals, noAllowances } from './tools/approvals.ts';
import type { FileWriter } from './tools/fileWriter.ts';
import type { AgentTool } from './tools/tool.ts';
import { waitsForUser } from './waitingNotice.ts';
import type { AgentWrites } from './writes.ts';

export type { Run, RunEvent, RunStatus } from './run.ts';
export { BranchBusyError, NothingToAnswerError };

export interface RunsOptions {
  readonly store: ReadonlyStore;
  /** How what runs say is kept. */
  readonly writes: AgentWrites;
  /** The system prompt, asked for at each start. */
  readonly fragments: (about: {
    readonly chatId: string;
    readonly hasTools: boolean;
    readonly mode: ChatMode;
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
  /** What models are let do, asked for at each start. Default: all that they are offered. */
  readonly mode?: () => ChatMode;
  /** The model that explores tasks for an answer of a model. Default: the same. */
  readonly explorerModel?: (model: ChatModel) => Promise<ChatModel>;
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
  /** The question is another version of this one: it is asked on a new branch, which the run belongs to. */
  readonly replaces?: string;
  /** The id the question is saved under; default: a new one. */
  readonly questionId?: string;
  readonly model: ChatModel;
  /** Continue an answer that failed, was stopped or came to its limit of steps, instead of answering a question. */
  readonly continues?: boolean;
  /** An agent that works for another one: it has no checkpoints of its own. */
  readonly isSubagent?: boolean;
  /**
   * It was asked by the way, while the main question may be answered elsewhere: the system prompt says so. What answers it
   * has no checkpoints of its own, for a side question is shown on one branch.
   */
  readonly isSideQuestion?: boolean;
  /** How freely the model chooses its words, 0 to 2; absent: as the model does by itself. */
  readonly temperature?: number;
  /** Only tools that change nothing: several answers to one question are written at once. */
  readonly onlyReads?: boolean;
  /** It explores a task for another answer: it only reads, asks for nothing, and ends with a report. */
  readonly exploration?: ExplorationRun;
}

const MAX_STEPS = 50;

/** The answers that are being written: at most one on each branch, any number at once. */
export class Runs implements Disposable {
  private readonly options: RunsOptions;
  private readonly scheduler: Scheduler;
  private readonly approvals: Approvals;
  /** Undefined while a run is being prepared. */
  private readonly active = new Map<string, ActiveRun | undefined>();
  /** The last run of a branch, where it failed without a word. */
  private readonly failures = new Map<string, Run>();
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
      if (change.kind === 'messages') this.failures.delete(keyOf(change.chatId, change.branch));
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
    const { chatId, branch, replaces } = options;
    // What goes to a new branch does not wait for an answer on this one.
    const key = replaces === undefined ? keyOf(chatId, branch) : JSON.stringify([chatId, branch, replaces]);
    if (this.active.has(key)) throw new BranchBusyError(branch);
    // Taken before anything is awaited: of two starts at once one is refused.
    this.active.set(key, undefined);
    let run: ActiveRun;
    try {
      run = await this.prepare(options);
    } catch (error) {
      this.active.delete(key);
      throw error;
    }
    this.active.delete(key);
    this.active.set(keyOf(chatId, run.branch), run);
    this.failures.delete(keyOf(chatId, run.branch));
    run.begin();
    return run;
  }

  /** The run that streams on this branch now. */
  get(chatId: string, branch: string): Run | undefined {
    return this.active.get(keyOf(chatId, branch));
  }

  /** The run that was to answer the question this branch ends with, and failed without a word. */
  failed(chatId: string, branch: string): Run | undefined {
    return this.failures.get(keyOf(chatId, branch));
  }

  /** As {@link failed}, by the id that its message would have had. */
  findUnsaved(chatId: string, messageId: string): Run | undefined {
    return [...this.failures.values()].find((run) => run.chatId === chatId && run.messageId === messageId);
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
   * Turns the drafts a crash left behind into interrupted answers, each after its question. Those that another window is
   * writing are left alone; call it again when a window has gone. Calling it twice does no harm.
   * @returns how many answers were saved
   */
  async recover(): Promise<number> {
    const drafts = await this.options.writes.listDrafts();
    // One window does it for all.
    return this.options.store.isWriter ? this.recoverDrafts(drafts) : 0;
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
    replaces,
    questionId: id = replaces,
    model,
    continues,
    isSideQuestion = false,
    exploration,
    isSubagent = isSideQuestion || exploration !== undefined,
    temperature,
    onlyReads = exploration !== undefined,
  }: StartOptions): Promise<ActiveRun> {
    const { store, writes, fragments, log, maxRetries = 4, tools = () => [], maxSteps } = this.options;
    // With it comes the AI SDK, which is not loaded before the first question; nothing is saved if that fails.
    const { ActiveRun, Explorer, explorationFragment, withoutAsking } = await import('./withSdk.ts');
    // Left over when an answer could not be saved; its place is taken by the draft of this run.
    const left = (await writes.listDrafts(chatId)).filter((draft) => draft.branch === branch);
    if (replaces === undefined) {
      if (left.some(({ isBeingWritten }) => isBeingWritten)) throw new BranchBusyError(branch);
      await this.recoverDrafts(left);
    }
    const engine = writes.openEngine(chatId, branch);
    const chosen = this.options.mode?.() ?? 'agent';
    // A side question is answered; a plan is not. What explores knows by its task what it is let do.
    const mode = exploration ? 'agent' : isSideQuestion && chosen === 'plan' ? 'ask' : chosen;
    const offered = (): readonly AgentTool[] =>
      takesTools(model) ? toolsIn(onlyReads ? 'ask' : mode, tools(), model) : [];
    try {
      engine.set(...(await fragments({ chatId, hasTools: offered().length > 0, mode })));
      if (isSideQuestion) engine.set(sideQuestionFragment());
      if (exploration) engine.set(explorationFragment());
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
        maxSteps: exploration?.maxSteps ?? maxSteps?.() ?? MAX_STEPS,
        isSubagent,
        exploration,
        explorer: isSubagent ? undefined : new Explorer(this.explorerOptions(chatId, model)),
        temperature,
        effort: this.options.effort?.(model),
        mode,
        approvals: exploration ? withoutAsking(this.approvals) : this.approvals,
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

  private explorerOptions(chatId: string, model: ChatModel): ExplorerOptions {
    const { store, writes, log, explorerModel: modelFor = (same) => Promise.resolve(same) } = this.options;
    return { chatId, model, modelFor, runs: this, writes, store, scheduler: this.scheduler, log };
  }

  /** Whether the branch ends with an answer that did not come to its end; one without a word is not on its path. */
  private async canContinue(chatId: string, headId: string | undefined): Promise<boolean> {
    const head = headId === undefined ? undefined : await this.options.store.getMessage(chatId, headId);
    const read = head && readUIMessage(head.data);
    const answer = read && answerMetadataOf(read);
    return answer !== undefined && (answer.status !== 'complete' || waitsForUser(answer.notice));
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
      const { run } = event;
      for (const [key, each] of this.active) if (each === run) this.active.delete(key);
      if (run.isUnsaved) this.failures.set(keyOf(run.chatId, run.branch), run);
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
    // Mostly there are none, and others than those are another window's.
    const left = drafts.filter(({ isBeingWritten }) => !isBeingWritten);
    if (left.length === 0) return 0;
    const { recoverDrafts } = await import('./withSdk.ts');
    const { store, writes, log } = this.options;
    const isBeingWritten = ({ chatId, branch }: Draft) =>
      this.active.get(keyOf(chatId, branch)) !== undefined;
    return recoverDrafts({ store, writes, log, isBeingWritten }, left);
  }
}

function keyOf(chatId: string, branch: string): string {
  return JSON.stringify([chatId, branch]);
}
