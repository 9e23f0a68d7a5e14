import type { ContextEngine } from '../engine/contextEngine.ts';
import { errorDescriptor } from '../engine/errors.ts';
import type { BranchData } from '../engine/graph.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { UIMessage, UIMessagePart } from '../engine/uiMessage.ts';
import type { AnswerPartType, PartNote } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import { AnswerNode, type Place } from './answerNode.ts';
import { streamAnswer, type AnswerOutcome } from './answerStream.ts';
import { KeptImages } from './attachments/keptImages.ts';
import { BrokenSteps, callLeftBy } from './brokenSteps.ts';
import type { ChatModel } from './chatModel.ts';
import { UnsupportedFeatures } from './unsupportedFeatures.ts';
import { activeCheckpoints, isCycleTool } from './cycle/agentCheckpoint.ts';
import { checkpointReminder, hasRewindTool, MAX_REMINDERS, openCheckpointNotice } from './cycle/reminder.ts';
import { StepCheckpoints, type RequestedRewind } from './cycle/stepCheckpoints.ts';
import { describeAnswer } from './describeAnswer.ts';
import { errorName } from './errorName.ts';
import { modelMessages } from './modelMessages.ts';
import { RESTARTED } from './restarted.ts';
import type { AnswerError } from './modelErrors.ts';
import type { ReasoningEffort } from './reasoning/efforts.ts';
import type { Retry } from './retry.ts';
import type { Run, RunEvent, RunStatus } from './run.ts';
import type { RunLog } from './runLog.ts';
import type { Scheduler } from './scheduler.ts';
import type { Approvals } from './tools/approvals.ts';
import type { FileWriter } from './tools/fileWriter.ts';
import { StepCalls, STOPPED, type StepContext } from './tools/stepCalls.ts';
import type { AgentTool } from './tools/tool.ts';
import { createNotice } from './notice.ts';
import { Usage } from './runUsage.ts';
import type { AgentWrites } from './writes.ts';

export interface ActiveRunOptions {
  readonly store: ReadonlyStore;
  readonly writes: AgentWrites;
  readonly place: Place;
  /** Opens a branch the run has come to. */
  readonly openBranch: (branch: string) => Promise<Place>;
  readonly questionId: string;
  readonly instructions: string;
  readonly model: ChatModel;
  /** What the model may use, asked for before each request. */
  readonly tools: () => readonly AgentTool[];
  /** Requests to the model before the run waits for the user to let it go on. */
  readonly maxSteps: number;
  readonly isSubagent: boolean;
  readonly temperature: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  readonly approvals: Approvals;
  readonly fileWriter: ((engine: ContextEngine) => FileWriter) | undefined;
  readonly maxRetries: number;
  readonly scheduler: Scheduler;
  readonly log: RunLog;
  readonly onEvent: (event: RunEvent) => void;
}

/** How much of what a sibling of a rewind said is kept in view, in UTF-16 units. */
const SIBLING_LIMIT = 20_000;

/** What one request to the model, and the tools it called, came to. */
type StepResult = { readonly kind: 'goOn' } | { readonly kind: 'ended'; readonly outcome: AnswerOutcome };

/** Streams one answer, with the tools the model calls on the way, and saves it, whatever becomes of it. */
export class ActiveRun implements Run {
  readonly chatId: string;
  readonly questionId: string;
  readonly model: ChatModel;
  readonly done: Promise<void>;
  readonly #options: ActiveRunOptions;
  readonly #stop = new AbortController();
  #branch: string;
  #place: Place;
  #node: AnswerNode;
  #nodeStartedAt: number;
  readonly #images: KeptImages;
  #usage: Usage;
  #reminders = 0;
  readonly #broken = new BrokenSteps();
  readonly #unsupported: UnsupportedFeatures;
  #begin: () => void = () => undefined;
  #isAbandoned = false;
  #status: RunStatus = 'streaming';
  #metadata: AnswerMetadata | undefined;
  #error: AnswerError | undefined;
  #retry: Retry | undefined;

  constructor(options: ActiveRunOptions) {
    this.#options = options;
    this.#images = new KeptImages(options.store.blobs);
    this.#place = options.place;
    this.chatId = options.place.engine.chatId;
    this.#branch = options.place.engine.branch;
    this.questionId = options.questionId;
    this.model = options.model;
    this.#usage = new Usage(options.model);
    this.#unsupported = new UnsupportedFeatures(options.model.label);
    this.#nodeStartedAt = options.scheduler.now();
    this.#node = this.#newNode();
    const begun = new Promise<void>((resolve) => {
      this.#begin = resolve;
    });
    this.done = begun.then(() => this.#perform());
  }

  /** Begins to stream. */
  begin(): void {
    this.#begin();
  }

  /** The one asked for, as long as the model is not known to ignore it. */
  get temperature(): number | undefined {
    return this.#unsupported.hasTemperature ? this.#options.temperature : undefined;
  }

  get effort(): ReasoningEffort | undefined {
    return this.#options.effort;
  }

  get startedAt(): number {
    return this.#nodeStartedAt;
  }

  get branch(): string {
    return this.#branch;
  }

  get messageId(): string {
    return this.#node.draft.messageId;
  }

  get status(): RunStatus {
    return this.#status;
  }

  get error(): AnswerError | undefined {
    return this.#error;
  }

  get retry(): Retry | undefined {
    return this.#retry;
  }

  get notice(): AnswerMetadata['notice'] {
    return this.#metadata?.notice;
  }

  message(): UIMessage {
    return this.#node.draft.message(this.#metadata);
  }

  /** Ends the stream and the tools; what has arrived is kept. */
  stop(): void {
    this.#stop.abort();
  }

  /** Ends the stream and saves nothing: the chat is gone. */
  abandon(): void {
    this.#isAbandoned = true;
    this.stop();
  }

  get #name(): string {
    return `Answer ${this.messageId} with ${this.model.id}`;
  }

  async #perform(): Promise<void> {
    const { log, onEvent } = this.#options;
    onEvent({ kind: 'started', run: this });
    log.info(`${this.#name}: started`);
    const outcome = await this.#takeSteps();
    const error = (await this.#keep(outcome)) ?? outcome.error;
    this.#error = error;
    this.#status = outcome.error === error ? outcome.status : 'failed';
    const { length } = this.#node.draft;
    log.info(
      `${this.#name}: ${this.#status}${error === undefined ? '' : ` (${error.code})`}, ${length} characters`,
    );
    onEvent({ kind: 'finished', run: this });
  }

  /** Never rejects: what goes wrong is the outcome. */
  async #takeSteps(): Promise<AnswerOutcome> {
    try {
      for (let step = 1; ; step += 1) {
        const result = await this.#takeStep(step);
        if (result.kind === 'ended') return result.outcome;
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return { status: 'interrupted' };
      this.#options.log.error(`${this.#name}: a step could not be kept (${errorName(error)})`);
      return {
        status: 'failed',
        error: createNotice(
          'not-saved',
          defineMessage('This answer couldn’t continue: {0}', errorDescriptor(error)),
        ),
      };
    }
  }

  async #takeStep(step: number): Promise<StepResult> {
    const { scheduler, maxSteps, log } = this.#options;
    const { signal } = this.#stop;
    const tools = this.#unsupported.hasTools ? this.#options.tools() : [];
    // The checkpoints are those of the agent the user talks to.
    const offered = this.#options.isSubagent ? tools.filter(({ name }) => !isCycleTool(name)) : tools;
    const calls = new StepCalls({
      draft: this.#node.draft,
      tools,
      offered,
      now: () => scheduler.now(),
      approvals: this.#options.approvals,
      chatId: this.chatId,
      onChange: (index, part) => this.#changed(index, part),
      onFailure: (tool, error) => log.warn(`${this.#name}: tool ${tool} failed (${errorName(error)})`),
    });
    const outcome = await this.#ask(offered, calls);
    if (this.#unsupported.withoutTools(outcome.error?.code)) return { kind: 'goOn' };
    if (outcome.status !== 'complete') return this.#endOrMend(outcome, calls, step);
    this.#broken.next(undefined, 0);
    if (calls.count === 0) return this.#endOrRemind(offered, outcome);

    const checkpoints = new StepCheckpoints(
      activeCheckpoints(this.#place.path),
      this.#options.isSubagent,
      () => scheduler.now(),
    );
    await calls.carryOut(this.#stepContext(checkpoints));
    if (signal.aborted) return { kind: 'ended', outcome: { ...outcome, status: 'interrupted' } };
    const rewind = checkpoints.requestedRewind;
    if (rewind) await this.#rewind(rewind, calls.siblingResults(SIBLING_LIMIT));
    else if (checkpoints.hasBegun || this.#place.engine.hasPendingChanges) await this.#closeNode();
    if (step < maxSteps) return { kind: 'goOn' };
    const waiting = defineMessage(
      'It took {0} steps and waits for you. Continue, or ask something else.',
      maxSteps,
    );
    return { kind: 'ended', outcome: { ...outcome, notice: createNotice('step-limit', waiting) } };
  }

  async #ask(tools: readonly AgentTool[], calls: StepCalls): Promise<AnswerOutcome> {
    const { model, maxRetries, scheduler, instructions, log, onEvent } = this.#options;
    const begun = this.#node.draft.beginStep();
    if (begun !== undefined) this.#changed(begun, { type: 'step-start' });
    const path = this.#node.draft.isEmpty
      ? this.#place.path
      : [...this.#place.path, this.#node.draft.message()];
    const outcome = await streamAnswer({
      model,
      instructions,
      messages: modelMessages(await this.#images.fill(path), {
        writer: model.id,
        withReasoning: true,
        withoutTools: tools.length === 0,
        withoutImages: model.capabilities !== undefined && !model.capabilities.includes('images'),
      }),
      tools,
      temperature: this.temperature,
      effort: this.#options.effort,
      signal: this.#stop.signal,
      maxRetries,
      scheduler,
      onPiece: (type, key, text) => this.#add(type, key, text),
      onNote: (note) => this.#note(note),
      onCallBegun: (callId, toolName) => calls.begun(callId, toolName),
      onCall: (call) => calls.requested(call),
      onTemperatureIgnored: () => this.#unsupported.withoutTemperature(),
      onRetry: (retry) => {
        this.#retry = retry;
        const { attempt, delay, error } = retry;
        log.warn(`${this.#name}: request ${attempt} failed (${error.code}), trying again in ${delay} ms`);
        onEvent({ kind: 'retrying', run: this });
      },
    });
    this.#retry = undefined;
    this.#usage.add(outcome.usage);
    return outcome;
  }

  /** The answer ends, unless what went wrong is something that the model can do better once it knows. */
  async #endOrMend(outcome: AnswerOutcome, calls: StepCalls, step: number): Promise<StepResult> {
    const code = outcome.error?.code;
    const { signal } = this.#stop;
    const broken = signal.aborted ? undefined : this.#broken.next(code, calls.count);
    await calls.settle(signal.aborted ? STOPPED : (broken?.callResult ?? callLeftBy(code)));
    if (broken) {
      if (calls.count === 0) this.#remind(broken.reminder);
      return { kind: 'goOn' };
    }
    // After its tools have done their work, a model may have nothing to add.
    if (code !== 'no-answer' || step === 1) return { kind: 'ended', outcome };
    const { error: _none, ...rest } = outcome;
    const notice = createNotice(
      'no-answer',
      defineMessage('{0} ended without a final response.', this.model.label),
    );
    return { kind: 'ended', outcome: { ...rest, status: 'complete', notice } };
  }

  #remind(text: string): void {
    const index = this.#node.draft.remind(crypto.randomUUID(), text);
    this.#changed(index, { type: 'step-start' });
  }

  /** An answer that ends while a checkpoint waits for its report is asked for it, and the user is told if it does not come. */
  #endOrRemind(tools: readonly AgentTool[], outcome: AnswerOutcome): StepResult {
    const open = hasRewindTool(tools) ? activeCheckpoints(this.#place.path).at(-1) : undefined;
    if (!open) return { kind: 'ended', outcome };
    if (this.#reminders >= MAX_REMINDERS) {
      return { kind: 'ended', outcome: { ...outcome, notice: openCheckpointNotice(open) } };
    }
    this.#reminders += 1;
    this.#remind(checkpointReminder(open));
    return { kind: 'goOn' };
  }

  #stepContext(checkpoints: StepCheckpoints): StepContext {
    const { engine } = this.#place;
    const { state, artifacts } = engine;
    const files = this.#options.fileWriter?.(engine);
    return { signal: this.#stop.signal, state, artifacts, checkpoints, files };
  }

  /** Leaves what was explored where it is, and goes on from the checkpoint with the report. */
  async #rewind(rewind: RequestedRewind, siblings: readonly string[]): Promise<void> {
    const { writes, scheduler, log, questionId } = this.#options;
    await this.#save();
    const explored = await this.#currentBranch();
    const applied = await writes.applyRewind({
      chatId: this.chatId,
      explored,
      rewind,
      siblings,
      questionId,
      now: scheduler.now(),
    });
    if (applied.isFromRoot) {
      log.warn(`${this.#name}: the message of its checkpoint is missing, going on from the root`);
      this.#unsupported.tell(
        createNotice(
          'checkpoint-missing',
          defineMessage(
            'The checkpoint to go back to was no longer there. The answer goes on from the root of the conversation with the report; what came before is on the branch it left.',
          ),
        ),
      );
    }
    await this.#place.engine.close();
    this.#reminders = 0;
    await this.#moveTo(await this.#options.openBranch(applied.branch.name));
  }

  /** Saves the message that is being written, and begins the next one after it. */
  async #closeNode(): Promise<void> {
    await this.#save();
    const { engine, branchId } = this.#place;
    const { messages } = await engine.resolve();
    await this.#moveTo({
      engine,
      branchId,
      path: messages,
      afterId: engine.headMessageId ?? this.#place.afterId,
    });
  }

  async #save(): Promise<void> {
    const isInPlace = await this.#node.save(this.#metadataOf({ status: 'complete' }));
    if (isInPlace) return;
    throw new Error(
      'The branch it was on has gone on without it. What had arrived is on a branch of its own, in the tree.',
    );
  }

  async #moveTo(place: Place): Promise<void> {
    const from = this.#branch;
    await this.#node.stop();
    this.#place = place;
    this.#branch = place.engine.branch;
    this.#usage = new Usage(this.model);
    this.#nodeStartedAt = this.#options.scheduler.now();
    this.#node = this.#newNode();
    this.#options.onEvent({ kind: 'moved', run: this, from });
  }

  async #currentBranch(): Promise<BranchData> {
    const { engine, branchId } = this.#place;
    const branches = await this.#options.store.listBranches(this.chatId, { includeArchived: true });
    const branch = branches.find(({ id }) => id === branchId);
    if (!branch) throw new Error(`Branch “${engine.branch}” is gone.`);
    return branch;
  }

  #newNode(): AnswerNode {
    const { store, writes, scheduler, log } = this.#options;
    return new AnswerNode({
      store,
      writes,
      place: this.#place,
      draftMetadata: () => this.#metadataOf({ status: 'interrupted', error: RESTARTED }),
      scheduler,
      log,
    });
  }

  #add(type: AnswerPartType, key: string, text: string): void {
    // What was on its way when the user pressed Stop is not shown any more.
    if (this.#stop.signal.aborted) return;
    this.#retry = undefined;
    const delta = this.#node.draft.append(type, key, text);
    if (delta === undefined) return;
    this.#node.grown();
    this.#options.onEvent({ kind: 'delta', run: this, ...this.#about(), ...delta });
  }

  #note(note: Omit<PartNote, 'now'>): void {
    // What was begun before Stop and ends with it has not come to its end.
    if (this.#stop.signal.aborted) return;
    const { draft } = this.#node;
    const index = draft.note({ ...note, now: this.#options.scheduler.now() });
    const part = index === undefined ? undefined : draft.part(index);
    if (index !== undefined && part !== undefined) this.#changed(index, part);
  }

  #changed(partIndex: number, part: UIMessagePart): void {
    this.#node.grown();
    this.#options.onEvent({ kind: 'part', run: this, ...this.#about(), partIndex, part });
  }

  #about(): { branch: string; messageId: string } {
    return { branch: this.#branch, messageId: this.messageId };
  }

  /** Saves the answer. Returns what went wrong with that; the draft then stays, to be saved at the next start. */
  async #keep(outcome: AnswerOutcome): Promise<AnswerError | undefined> {
    const { engine } = this.#place;
    await this.#node.stop();
    try {
      if (this.#isAbandoned) return undefined;
      this.#metadata = this.#metadataOf(outcome);
      await this.#node.save(this.#metadata);
      return undefined;
    } catch (error) {
      this.#options.log.error(`${this.#name}: the answer could not be saved (${errorName(error)})`);
      return createNotice(
        'not-saved',
        defineMessage('This answer could not be saved: {0}', errorDescriptor(error)),
      );
    } finally {
      await engine.close();
    }
  }

  #metadataOf(outcome: AnswerOutcome): AnswerMetadata {
    return describeAnswer({
      model: this.model,
      temperature: this.temperature,
      effort: this.#options.effort,
      outcome,
      notice: this.#unsupported.notice,
      usage: this.#usage.sum,
      cost: this.#usage.cost,
      startedAt: this.#nodeStartedAt,
      finishedAt: this.#options.scheduler.now(),
    });
  }
}
