import { errorDescriptor } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { UIMessage } from '../engine/uiMessage.ts';
import type { ActiveRunOptions } from './activeRunOptions.ts';
import type { AnswerPartType, PartNote } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import { AnswerInProgress } from './answerInProgress.ts';
import { streamAnswer, type AnswerOutcome } from './answerStream.ts';
import { KeptFiles } from './attachments/messageFiles.ts';
import { BrokenSteps, callLeftBy } from './brokenSteps.ts';
import { takesImages, type ChatModel } from './chatModel.ts';
import { UnsupportedFeatures } from './unsupportedFeatures.ts';
import { activeCheckpoints, isCycleTool } from './cycle/agentCheckpoint.ts';
import { checkpointReminder, hasRewindTool, MAX_REMINDERS, openCheckpointNotice } from './cycle/reminder.ts';
import { StepCheckpoints } from './cycle/stepCheckpoints.ts';
import { errorName } from './errorName.ts';
import { modelMessages } from './modelMessages.ts';
import type { AnswerError } from './modelErrors.ts';
import type { ReasoningEffort } from './reasoning/efforts.ts';
import type { Retry } from './retry.ts';
import type { Run, RunStatus } from './run.ts';
import { RepeatedCalls } from './tools/repeatedCalls.ts';
import { StepCalls, STOPPED, type StepContext } from './tools/stepCalls.ts';
import type { AgentTool } from './tools/tool.ts';
import { createNotice } from './notice.ts';
import { nothingSaved } from './nothingSaved.ts';
import { repeatedCallsNotice, stepLimitNotice } from './waitingNotice.ts';

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
  private readonly options: ActiveRunOptions;
  private readonly stopping = new AbortController();
  private readonly answer: AnswerInProgress;
  private readonly files: KeptFiles;
  private reminders = 0;
  private readonly broken = new BrokenSteps();
  private readonly repeated = new RepeatedCalls();
  private readonly unsupported: UnsupportedFeatures;
  private letBegin: () => void = () => undefined;
  private isAbandoned = false;
  private hasNoWord = false;
  private currentStatus: RunStatus = 'streaming';
  private metadata: AnswerMetadata | undefined;
  private failure: AnswerError | undefined;
  private currentRetry: Retry | undefined;

  constructor(options: ActiveRunOptions) {
    this.options = options;
    this.files = new KeptFiles(options.store.blobs);
    this.chatId = options.place.engine.chatId;
    this.questionId = options.questionId;
    this.model = options.model;
    this.unsupported = new UnsupportedFeatures(options.model.label);
    this.answer = new AnswerInProgress(options, {
      unsupported: this.unsupported,
      temperature: () => this.temperature,
      onEvent: (event) => options.onEvent({ ...event, run: this }),
    });
    const begun = new Promise<void>((resolve) => {
      this.letBegin = resolve;
    });
    this.done = begun.then(() => this.perform());
  }

  /** Begins to stream. */
  begin(): void {
    this.letBegin();
  }

  /** The one asked for, as long as the model is not known to ignore it. */
  get temperature(): number | undefined {
    return this.unsupported.hasTemperature ? this.options.temperature : undefined;
  }

  get effort(): ReasoningEffort | undefined {
    return this.options.effort;
  }

  get startedAt(): number {
    return this.answer.startedAt;
  }

  get branch(): string {
    return this.answer.branch;
  }

  get messageId(): string {
    return this.answer.draft.messageId;
  }

  get status(): RunStatus {
    return this.currentStatus;
  }

  get error(): AnswerError | undefined {
    return this.failure;
  }

  get retry(): Retry | undefined {
    return this.currentRetry;
  }

  get notice(): AnswerMetadata['notice'] {
    return this.metadata?.notice;
  }

  get isUnsaved(): boolean {
    return this.hasNoWord;
  }

  message(): UIMessage {
    return this.answer.draft.message(this.metadata);
  }

  /** Ends the stream and the tools; what has arrived is kept. */
  stop(): void {
    this.stopping.abort();
  }

  /** Ends the stream and saves nothing: the chat is gone. */
  abandon(): void {
    this.isAbandoned = true;
    this.stop();
  }

  private async perform(): Promise<void> {
    const { log, onEvent } = this.options;
    onEvent({ kind: 'started', run: this });
    log.info(`${this.answer.name}: started`);
    await this.answer.announce();
    const outcome = await this.takeSteps();
    const error = (await this.keep(outcome)) ?? outcome.error;
    this.failure = error;
    this.currentStatus = outcome.error === error ? outcome.status : 'failed';
    const { length } = this.answer.draft;
    log.info(
      `${this.answer.name}: ${this.currentStatus}${error === undefined ? '' : ` (${error.code})`}, ${length} characters`,
    );
    onEvent({ kind: 'finished', run: this });
  }

  /** Never rejects: what goes wrong is the outcome. */
  private async takeSteps(): Promise<AnswerOutcome> {
    try {
      for (let step = 1; ; step += 1) {
        const result = await this.takeStep(step);
        if (result.kind === 'ended') return result.outcome;
      }
    } catch (error) {
      if (this.stopping.signal.aborted) return { status: 'interrupted' };
      this.options.log.error(`${this.answer.name}: a step could not be kept (${errorName(error)})`);
      return {
        status: 'failed',
        error: createNotice(
          'not-saved',
          defineMessage('This answer couldn’t continue: {0}', errorDescriptor(error)),
        ),
      };
    }
  }

  private async takeStep(step: number): Promise<StepResult> {
    const { scheduler, maxSteps, log } = this.options;
    const { signal } = this.stopping;
    const tools = this.unsupported.hasTools ? this.options.tools() : [];
    // The checkpoints are those of the agent the user talks to.
    const offered = this.options.isSubagent ? tools.filter(({ name }) => !isCycleTool(name)) : tools;
    const calls = new StepCalls({
      draft: this.answer.draft,
      tools,
      offered,
      now: () => scheduler.now(),
      approvals: this.options.approvals,
      blobs: this.options.store.blobs,
      chatId: this.chatId,
      onChange: (index, part) => this.answer.changed(index, part),
      onFailure: (tool, error) => log.warn(`${this.answer.name}: tool ${tool} failed (${errorName(error)})`),
    });
    const outcome = await this.ask(offered, calls);
    if (this.unsupported.withoutTools(outcome.error?.code)) return { kind: 'goOn' };
    if (outcome.status !== 'complete') return this.endOrMend(outcome, calls, step);
    this.broken.next(undefined, 0);
    if (calls.count === 0) return this.endOrRemind(offered, outcome);

    const checkpoints = new StepCheckpoints(
      activeCheckpoints(this.answer.place.path),
      this.options.isSubagent,
      () => scheduler.now(),
    );
    await calls.carryOut(this.stepContext(checkpoints));
    if (signal.aborted) return { kind: 'ended', outcome: { ...outcome, status: 'interrupted' } };
    const rewind = checkpoints.requestedRewind;
    if (rewind) {
      await this.answer.rewind(rewind, calls.siblingResults(SIBLING_LIMIT));
      this.reminders = 0;
    } else if (checkpoints.hasBegun || this.answer.place.engine.hasPendingChanges) {
      await this.answer.closeNode();
    }
    const repeated = this.repeated.next(calls.asked);
    if (repeated) return { kind: 'ended', outcome: { ...outcome, notice: repeatedCallsNotice(repeated) } };
    if (step < maxSteps) {
      await this.takeSteering();
      return { kind: 'goOn' };
    }
    return { kind: 'ended', outcome: { ...outcome, notice: stepLimitNotice(maxSteps) } };
  }

  private async ask(tools: readonly AgentTool[], calls: StepCalls): Promise<AnswerOutcome> {
    const { model, maxRetries, scheduler, instructions, log, onEvent } = this.options;
    const begun = this.answer.draft.beginStep();
    if (begun !== undefined) this.answer.changed(begun, { type: 'step-start' });
    const path = this.answer.draft.isEmpty
      ? this.answer.place.path
      : [...this.answer.place.path, this.answer.draft.message()];
    const outcome = await streamAnswer({
      model,
      instructions,
      messages: modelMessages(await this.files.fill(path), {
        writer: model.id,
        withReasoning: true,
        withoutTools: tools.length === 0,
        withoutImages: !takesImages(model),
      }),
      tools,
      temperature: this.temperature,
      effort: this.options.effort,
      signal: this.stopping.signal,
      maxRetries,
      scheduler,
      onPiece: (type, key, text) => this.add(type, key, text),
      onNote: (note) => this.note(note),
      onCallBegun: (callId, toolName) => calls.begun(callId, toolName),
      onCall: (call) => calls.requested(call),
      onTemperatureIgnored: () => this.unsupported.withoutTemperature(),
      onRetry: (retry) => {
        this.currentRetry = retry;
        const { attempt, delay, error } = retry;
        log.warn(
          `${this.answer.name}: request ${attempt} failed (${error.code}), trying again in ${delay} ms`,
        );
        onEvent({ kind: 'retrying', run: this });
      },
    });
    this.currentRetry = undefined;
    this.answer.usage.add(outcome.usage);
    return outcome;
  }

  /** The answer ends, unless what went wrong is something that the model can do better once it knows. */
  private async endOrMend(outcome: AnswerOutcome, calls: StepCalls, step: number): Promise<StepResult> {
    const code = outcome.error?.code;
    const { signal } = this.stopping;
    const broken = signal.aborted ? undefined : this.broken.next(code, calls.count);
    await calls.settle(signal.aborted ? STOPPED : (broken?.callResult ?? callLeftBy(code)));
    if (broken) {
      if (calls.count === 0) this.remind(broken.reminder);
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

  private remind(text: string): void {
    const index = this.answer.draft.remind(crypto.randomUUID(), text);
    this.answer.changed(index, { type: 'step-start' });
  }

  /** Asks an answer that ends while a checkpoint waits for its report for it; the user is notified if it does not come. */
  private endOrRemind(tools: readonly AgentTool[], outcome: AnswerOutcome): StepResult {
    const open = hasRewindTool(tools) ? activeCheckpoints(this.answer.place.path).at(-1) : undefined;
    if (!open) return { kind: 'ended', outcome };
    if (this.reminders >= MAX_REMINDERS) {
      return { kind: 'ended', outcome: { ...outcome, notice: openCheckpointNotice(open) } };
    }
    this.reminders += 1;
    this.remind(checkpointReminder(open));
    return { kind: 'goOn' };
  }

  /** What the user wants said before the model goes on follows what has been written, as messages of their own. */
  private async takeSteering(): Promise<void> {
    const { writes } = this.options;
    const { branchId } = this.answer.place;
    const questions = await writes.steering(this.chatId, branchId);
    if (questions.length === 0) return;
    await this.answer.closeNode(questions);
    await writes.clearSent(this.chatId, branchId);
  }

  private stepContext(checkpoints: StepCheckpoints): StepContext {
    const { engine } = this.answer.place;
    const { state, artifacts } = engine;
    const files = this.options.fileWriter?.(engine);
    return { signal: this.stopping.signal, state, artifacts, checkpoints, files };
  }

  private add(type: AnswerPartType, key: string, text: string): void {
    // What was on its way when the user pressed Stop is not shown any more.
    if (this.stopping.signal.aborted) return;
    this.currentRetry = undefined;
    this.answer.append(type, key, text);
  }

  private note(note: Omit<PartNote, 'now'>): void {
    // What was begun before Stop and ends with it has not come to its end.
    if (this.stopping.signal.aborted) return;
    this.answer.note(note);
  }

  /** Saves the answer. Returns what went wrong with that; the draft then stays, to be saved at the next start. */
  private async keep(outcome: AnswerOutcome): Promise<AnswerError | undefined> {
    const { engine } = this.answer.place;
    await this.answer.stop();
    try {
      if (this.isAbandoned) return undefined;
      this.metadata = this.answer.metadataOf(outcome);
      if (outcome.status === 'failed' && this.answer.isWordless) {
        this.hasNoWord = true;
        await this.answer.discard();
        return outcome.error && nothingSaved(outcome.error);
      }
      await this.answer.finish(this.metadata);
      return undefined;
    } catch (error) {
      this.options.log.error(`${this.answer.name}: the answer could not be saved (${errorName(error)})`);
      return createNotice(
        'not-saved',
        defineMessage('This answer could not be saved: {0}', errorDescriptor(error)),
      );
    } finally {
      await engine.close();
    }
  }
}
