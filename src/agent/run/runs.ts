import { Emitter } from '../../base/emitter.ts';
import { BranchNotFoundError, ClosedError, HeadConflictError } from '../../engine/errors.ts';
import type { Disposable, Event } from '../../base/disposable.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Draft } from '../../engine/store.ts';
import type { ActiveRun } from './activeRun.ts';
import { canContinue } from './waitsForUser.ts';
import type { FailedRuns } from './failedRuns.ts';
import type { Place } from './activeRunOptions.ts';
import { takesTools, type ChatModel } from '../../models/chatModel.ts';
import type { CompactionOptions } from '../compaction/compactionOptions.ts';
import type { Ledgers } from '../ledger/ledgers.ts';
import type { TokenCounts } from '../compaction/tokenCounts.ts';
import type { HookedQuestions } from '../hooks/hooksInRun.ts';
import type { ExplorerOptions } from '../explore/explorerOptions.ts';
import { asMessage, pathBefore, questionToAnswer } from './question.ts';
import { questionSettings } from './questionSettings.ts';
import { openAnswerIn } from '../../engine/openAnswer.ts';
import { explorationTaskOf } from '../../engine/explorationTask.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { BranchBusyError, NothingToAnswerError, type Run, type RunEvent } from './run.ts';
import type { RunsOptions, StartOptions } from './runsOptions.ts';
import { BRANCH_MEMORY } from '../memory/rememberTool.ts';
import { systemScheduler, type Scheduler } from '../../base/scheduler.ts';
import { Approvals, noAllowances } from '../tools/approvals.ts';
import type { AgentTool } from '../tools/tool.ts';

export type { Run, RunEvent, RunStatus } from './run.ts';
export type { GoingOn, RunsOptions, StartOptions } from './runsOptions.ts';
export { BranchBusyError, NothingToAnswerError };

const MAX_STEPS = 50;

const NEVER_BY_ITSELF: CompactionOptions = {
  settings: () => ({ enabled: false, threshold: 0.85 }),
  smallFor: (model) => Promise.resolve(model),
};

/** The answers that are being written: at most one on each branch, any number at once. */
export class Runs implements Disposable {
  private readonly options: RunsOptions;
  private readonly scheduler: Scheduler;
  private readonly approvals: Approvals;
  private counts: TokenCounts | undefined;
  private readonly active = new Map<string, ActiveRun>();
  /** Those that are being prepared. */
  private readonly starting = new Map<string, Promise<ActiveRun>>();
  /** Of those that are being prepared, the keys of those that work with files of their branch. */
  private readonly startingOnOwn = new Set<string>();
  /** Undefined before the first run. */
  private failures: FailedRuns | undefined;
  /** What is asked where there are hooks. Undefined before the first of it. */
  private asked: HookedQuestions | undefined;
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
      if (change.kind === 'messages') this.failures?.forget(change.chatId, change.branch);
      if (change.kind !== 'chat' || change.change !== 'deleted') return;
      this.failures?.forgetChat(change.chatId);
      for (const run of this.list(change.chatId)) run.abandon();
    });
  }

  get onDidChange(): Event<RunEvent> {
    return this.changed.event;
  }

  /**
   * Saves the question (if there is one) on `branch`, then streams the answer there. Resolves when the question is
   * durable; the answer's outcome is reported by events and by `run.done`.
   * @throws BranchBusyError, HeadConflictError and MessageExistsError where another question or answer was faster;
   * BranchNotFoundError, NothingToAnswerError, and any error from saving the question
   */
  async start(options: StartOptions): Promise<Run> {
    if (this.isDisposed) throw new ClosedError('list of runs');
    const { chatId, branch, replaces } = options;
    // A run for a new branch does not wait for an answer on this one.
    const key = replaces === undefined ? keyOf(chatId, branch) : JSON.stringify([chatId, branch, replaces]);
    // Of two simultaneous starts the second is refused once the first runs, and takes its place if that fails.
    for (let first = this.starting.get(key); first; first = this.starting.get(key))
      await first.catch(() => undefined);
    if (this.active.has(key)) throw new BranchBusyError(branch);
    const starting = this.prepare(options);
    this.starting.set(key, starting);
    try {
      const run = await starting;
      this.active.set(keyOf(chatId, run.branch), run);
      this.failures?.forget(chatId, run.branch);
      run.begin();
      return run;
    } finally {
      this.starting.delete(key);
      this.startingOnOwn.delete(keyOf(chatId, branch));
    }
  }

  get(chatId: string, branch: string): Run | undefined {
    return this.active.get(keyOf(chatId, branch));
  }

  /** The last run at the end of this branch, if it failed without a word or could not be saved. */
  failed(chatId: string, branch: string): Run | undefined {
    return this.failures?.get(chatId, branch);
  }

  /** As {@link failed}, by the id that its message would have had. */
  findUnsaved(chatId: string, messageId: string): Run | undefined {
    return this.failures?.find(chatId, messageId);
  }

  /** Tries again to save a branch's unsaved answer. @throws why it still can't be */
  async saveAgain(chatId: string, branch: string): Promise<void> {
    await this.failures?.save(chatId, branch);
  }

  /** Tries again to save all unsaved answers. @returns how many were saved */
  async saveAllAgain(): Promise<number> {
    return (await this.failures?.saveAll()) ?? 0;
  }

  list(chatId: string): ActiveRun[] {
    return [...this.active.values()].filter((run) => run.chatId === chatId);
  }

  /** The ids of messages that only this window has: being written or not saved yet. */
  onlyHere(chatId: string): Set<string> {
    const runs = [...this.list(chatId), ...(this.failures?.listUnsaved(chatId) ?? [])];
    return new Set(runs.map(({ messageId }) => messageId));
  }

  /** Stops the answer on this branch; resolves when what has arrived is saved. Does nothing if none streams. */
  async stop(chatId: string, branch: string): Promise<void> {
    const run = this.active.get(keyOf(chatId, branch));
    run?.stop();
    await run?.done;
  }

  /** Stops every answer; resolves when what has arrived is saved. */
  async stopAll(): Promise<void> {
    const runs = [...this.active.values()];
    for (const run of runs) run.stop();
    await Promise.all(runs.map((run) => run.done));
  }

  /**
   * Turns drafts from a crash into interrupted answers, each after its question. Drafts that another window is
   * writing are not touched; call it again when a window has closed. Repeated calls are safe.
   * @returns how many answers were saved
   */
  async recover(): Promise<number> {
    const { store, writes } = this.options;
    const saved = await this.recoverKept();
    // What a program of the engine's package fills goes on with that, until something is asked there.
    const drafts = (await writes.listDrafts()).filter((draft) => !openAnswerIn(draft));
    // One window does it for all windows.
    return saved + (store.isWriter ? await this.recoverDrafts(drafts) : 0);
  }

  /** Stops all answers without waiting; saves what has arrived while the store is still open. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.asked?.dispose();
    this.subscription.dispose();
    for (const run of this.active.values()) run.stop();
    this.changed.dispose();
  }

  private async prepare({
    chatId,
    branch,
    question: text,
    attached = [],
    after,
    replaces,
    questionId: id = replaces,
    model,
    continues,
    isSideQuestion = false,
    exploration,
    isSubagent = isSideQuestion || exploration !== undefined,
    temperature,
    onlyReads = false,
    compacts,
    beyond,
  }: StartOptions): Promise<ActiveRun> {
    const { store, writes, fragments, log, maxRetries = 4, maxSteps } = this.options;
    // This loads the AI SDK, which waits for the first question; nothing is saved if that fails.
    const sdk = await import('../withSdk.ts');
    const budget = await this.options.budget?.();
    this.counts ??= new sdk.TokenCounts();
    this.failures ??= new sdk.FailedRuns(log, this.options.keeping);
    // Save earlier unsaved answers before the new question.
    if (replaces === undefined) await this.failures.save(chatId, branch);
    // Left from an answer that could not be saved; this run's draft takes its place.
    const left = (await writes.listDrafts(chatId)).filter((draft) => draft.branch === branch);
    if (replaces === undefined) {
      if (left.some(({ isBeingWritten }) => isBeingWritten)) throw new BranchBusyError(branch);
      await this.recoverDrafts(left);
    }
    const engine = writes.openEngine(chatId, branch);
    try {
      const own = await this.options.ownFiles?.({ chatId, branch: engine.branch, state: engine.state });
      const tools = own?.tools ?? this.options.tools ?? (() => []);
      if (own && !exploration) {
        const others = [...this.active.values()].filter((run) => run.ownFiles !== undefined);
        if (others.length + this.startingOnOwn.size >= own.atOnce)
          throw new sdk.TooManyBranchesError(own.atOnce);
        this.startingOnOwn.add(keyOf(chatId, branch));
      }
      // An exploring run is limited by its task, not by the mode.
      const selected = exploration ? 'agent' : (this.options.mode?.() ?? 'agent');
      const agents = exploration ? undefined : await this.options.agents?.();
      const agent = exploration ? exploration.agent : agents?.selected;
      const explorers = agents ? sdk.explorersFor(agents) : [];
      const path = pathBefore((await engine.resolve()).messages, replaces);
      const head = engine.headMessageId ?? null;
      if (after !== undefined && after !== head) throw new HeadConflictError(engine.branch, after, head);
      const isStored = text === undefined;
      const { mode, toolsOf } = questionSettings(
        isStored ? (path.findLast(isUserTurn)?.parts ?? []) : attached,
        {
          selected,
          model,
          isStored,
          isSideQuestion,
          onlyReads: exploration !== undefined || (onlyReads && own === undefined),
          agent,
        },
      );
      const explore = explorers.length > 0 ? sdk.exploreToolFor(explorers) : undefined;
      const offered = (): readonly AgentTool[] =>
        takesTools(model)
          ? toolsOf(tools()).map((tool) => (explore?.name === tool.name ? explore : tool))
          : [];
      const added = isStored
        ? []
        : ((await this.options.instructions?.({ path, attached, files: own?.guarded })) ?? []);
      const hooks = await this.options.hooks?.({
        chatId,
        branch: engine.branch,
        mode,
        files: own?.guarded,
      });
      const said = hooks
        ? await (this.asked ??= new sdk.HookedQuestions()).partsOf(hooks, { chatId, text, path })
        : [];
      const branchMemory = await engine.state.get(BRANCH_MEMORY);
      const hasTools = offered().length > 0;
      engine.set(...(await fragments({ chatId, hasTools, mode, agent, files: own?.guarded, branchMemory })));
      if (isSideQuestion) engine.set(sdk.sideQuestionFragment());
      if (exploration) engine.set(sdk.explorationFragment());
      else if (own?.answering.hint !== undefined) engine.set(sdk.approachFragment(own.answering.hint));
      if (text !== undefined) {
        await sdk.takePlanParts(engine, attached);
        // What is asked differently was asked before the edit.
        const told = exploration || replaces !== undefined ? [] : await sdk.untoldParts(engine);
        engine.set(asMessage({ id, text, attached: [...attached, ...told, ...added, ...said] }));
      }
      const saved = text === undefined ? undefined : await engine.save({ onlyNew: replaces === undefined });
      const { systemPrompt, messages: whole } = await engine.resolve({ whole: true });
      const afterId = saved ? saved.headMessageId : engine.headMessageId;
      // What another window said after the question is not part of it.
      const stored = whole.slice(0, whole.findIndex((message) => message.id === afterId) + 1 || undefined);
      const ledgers = new sdk.Ledgers(store);
      const messages = await ledgers.into(chatId, stored);
      const goesOn = (continues ?? false) && (await canContinue(store, chatId, afterId));
      const toAnswer = compacts?.thenAnswers === false ? undefined : questionToAnswer(messages, goesOn);
      // A run that only compacts may already have an answer.
      const asked = toAnswer ?? (compacts && messages.findLast(isUserTurn));
      if (asked === undefined || afterId === undefined) throw new NothingToAnswerError(engine.branch);
      const { id: branchId } = await this.branch(chatId, engine.branch);
      const messageId = await countedFor(store, chatId, asked);
      const run = new sdk.ActiveRun({
        store,
        writes,
        place: { engine, branchId, afterId, path: messages },
        ledgers,
        openBranch: (name) => this.open(chatId, name, ledgers),
        questionId: asked.id,
        instructions: systemPrompt,
        model,
        tools: offered,
        lacksTools: !takesTools(model) && toolsOf(tools()).length > 0,
        maxSteps: exploration?.maxSteps ?? maxSteps?.() ?? MAX_STEPS,
        isSubagent,
        exploration,
        explorer: isSubagent
          ? undefined
          : new sdk.Explorer({ ...this.explorerOptions(chatId, model), agents: explorers, agent }),
        temperature: temperature ?? own?.answering.temperature,
        effort: own?.answering.effort(model) ?? this.options.effort?.(model),
        mode,
        compacts: compacts && { ...compacts, thenAnswers: toAnswer !== undefined },
        compaction: { ...(this.options.compaction ?? NEVER_BY_ITSELF), counts: this.counts },
        // What a run explores is part of its work.
        ownFiles: exploration ? undefined : own?.id,
        approvals: exploration
          ? sdk.withoutAsking(this.approvals)
          : sdk.approvalsOn(own?.label, this.approvals),
        hooks,
        fileWriter: this.options.fileWriter,
        maxRetries,
        spends:
          budget &&
          ((on) =>
            budget.for(
              exploration?.spentFor ?? {
                chatId,
                branchId: on,
                messageId,
                beyond,
              },
            )),
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

  private explorerOptions(chatId: string, model: ChatModel): Omit<ExplorerOptions, 'agents' | 'agent'> {
    const { store, writes, log, explorerModel: modelFor = (same) => Promise.resolve(same) } = this.options;
    return { chatId, model, modelFor, runs: this, writes, store, scheduler: this.scheduler, log };
  }

  private async open(chatId: string, name: string, ledgers: Pick<Ledgers, 'into'>): Promise<Place> {
    const engine = this.options.writes.openEngine(chatId, name);
    const path = await ledgers.into(chatId, (await engine.resolve({ whole: true })).messages);
    const { id: branchId } = await this.branch(chatId, name);
    const { headMessageId: afterId } = engine;
    if (afterId === undefined) throw new NothingToAnswerError(name);
    return { engine, branchId, afterId, path };
  }

  private follow(event: RunEvent): void {
    if (event.kind === 'finished') {
      const { run } = event;
      for (const [key, each] of this.active) if (each === run) this.active.delete(key);
      this.failures?.add(run);
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

  private async recoverKept(): Promise<number> {
    const { keeping } = this.options;
    if (!keeping || keeping.isEmpty()) return 0;
    const { recoverKept } = await import('../withSdk.ts');
    return recoverKept(this.options, await keeping.open(), (each) => this.failures?.has(each) === true);
  }

  private async recoverDrafts(drafts: readonly Draft[]): Promise<number> {
    // Usually there are none; drafts that are being written belong to another window.
    const left = drafts.filter(({ isBeingWritten }) => !isBeingWritten);
    if (left.length === 0) return 0;
    const { recoverDrafts } = await import('../withSdk.ts');
    const { store, writes, log } = this.options;
    const isBeingWritten = ({ chatId, branch }: Draft) =>
      this.active.get(keyOf(chatId, branch)) !== undefined ||
      this.failures?.hasUnsaved(chatId, branch) === true;
    return recoverDrafts({ store, writes, log, isBeingWritten }, left);
  }
}

function keyOf(chatId: string, branch: string): string {
  return JSON.stringify([chatId, branch]);
}

/** What an answer counts for: a task that the user goes on with is still part of the answer it was for. */
async function countedFor(
  store: Pick<ReadonlyStore, 'getPath'>,
  chatId: string,
  asked: UIMessage,
): Promise<string> {
  if (!explorationTaskOf(asked)) return asked.id;
  const before = (await store.getPath(chatId, asked.id)).slice(0, -1);
  const isTask = ({ data }: MessageData): boolean =>
    explorationTaskOf(readUIMessage(data) ?? {}) !== undefined;
  return (before.findLast((each) => isUserTurn(each) && !isTask(each)) ?? asked).id;
}
