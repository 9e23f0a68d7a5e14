import { isTextPart, type UIMessage } from '../../engine/uiMessage.ts';
import type { ActiveRunOptions } from './activeRunOptions.ts';
import type { AnswerPartType, PartNote } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import { AnswerInProgress } from './answerInProgress.ts';
import { streamAnswer, type AnswerOutcome } from './answerStream.ts';
import { KeptFiles } from '../../models/messages/messageFiles.ts';
import {
  BrokenSteps,
  callLeftBy,
  checkpointReminder,
  hasRewindTool,
  MAX_REMINDERS,
  openCheckpointNotice,
  isForReport,
  offeredIn,
} from './stepReminders.ts';
import { takesImages, type ChatModel, type ReasoningEffort } from '../../models/chatModel.ts';
import type { CompactionProgress } from '../compaction/compactionOptions.ts';
import { Compactor } from '../compaction/compactor.ts';
import { UnsupportedFeatures } from './unsupportedFeatures.ts';
import { activeCheckpoints } from '../checkpoints/agentCheckpoint.ts';
import { StepCheckpoints } from '../checkpoints/stepCheckpoints.ts';
import { noFinalResponse } from './endOfAnswer.ts';
import { LAST_STEP } from '../explore/explorer.ts';
import {
  HookBlockedError,
  keptReminder,
  keptNotice,
  promptParts,
  stoppedNotice,
} from '../hooks/hooksInRun.ts';
import { keepPlanOf } from '../plans/plan.ts';
import { errorName } from './runLog.ts';
import { couldNotContinue, keepAnswer } from './keepAnswer.ts';
import { modelMessages } from '../context/modelMessages.ts';
import { createNotice } from '../../models/errors/notice.ts';
import type { Question } from './question.ts';
import type { Retry } from '../../models/requests/retry.ts';
import type { Run, RunStatus } from './run.ts';
import { RepeatedCalls } from '../tools/repeatedCalls.ts';
import { StepCalls, STOPPED, type StepContext } from '../tools/stepCalls.ts';
import type { AgentTool } from '../tools/tool.ts';
import { repeatedCallsNotice, stepLimitNotice } from './waitsForUser.ts';

/** How much text of a rewind's sibling is kept visible, in UTF-16 units. */
const SIBLING_LIMIT = 20_000;

/** How often hooks can have a model go on in one answer: one that never lets it end must not cost without end. */
const MAX_KEPT = 8;

type StepResult = { readonly kind: 'goOn' } | { readonly kind: 'ended'; readonly outcome: AnswerOutcome };

/** Streams one answer, runs the tools the model calls, and saves the answer however it ends. */
export class ActiveRun implements Run {
  readonly chatId: string;
  readonly questionId: string;
  readonly model: ChatModel;
  readonly done: Promise<void>;
  private readonly options: ActiveRunOptions;
  private readonly stopping = new AbortController();
  private readonly answer: AnswerInProgress;
  private readonly compactor: Compactor;
  private readonly files: KeptFiles;
  private reminders = 0;
  /** How often hooks kept the model from ending. */
  private kept = 0;
  /** Messages for this run that hooks refused: they stay queued. */
  private readonly refused = new Set<string>();
  private readonly broken = new BrokenSteps();
  private readonly repeated = new RepeatedCalls();
  private readonly unsupported: UnsupportedFeatures;
  private start: () => void = () => undefined;
  private isAbandoned = false;
  private metadata: AnswerMetadata | undefined;
  status: RunStatus = 'streaming';
  error: Run['error'];
  retry: Retry | undefined;
  isUnsaved = false;
  notSaved: Run['notSaved'];

  constructor(options: ActiveRunOptions) {
    this.options = options;
    this.files = new KeptFiles(options.store.blobs);
    this.chatId = options.place.engine.chatId;
    this.questionId = options.questionId;
    this.model = options.model;
    this.unsupported = new UnsupportedFeatures(options.model.label, options.lacksTools);
    this.answer = new AnswerInProgress(options, {
      unsupported: this.unsupported,
      temperature: () => this.temperature,
      onEvent: (event) => options.onEvent({ ...event, run: this }),
    });
    this.compactor = new Compactor(options, this.answer, {
      signal: this.stopping.signal,
      tell: (notice) => this.unsupported.tell(notice),
      onProgress: () => options.onEvent({ kind: 'compacting', run: this }),
    });
    const begun = new Promise<void>((resolve) => {
      this.start = resolve;
    });
    this.done = begun.then(() => this.perform());
  }

  begin(): void {
    this.start();
  }

  /** The requested temperature, unless the model is known to ignore it. */
  get temperature(): number | undefined {
    return this.unsupported.hasTemperature ? this.options.temperature : undefined;
  }

  get effort(): ReasoningEffort | undefined {
    return this.options.effort;
  }

  get ownFiles(): string | undefined {
    return this.options.ownFiles;
  }

  get startedAt(): number {
    return this.answer.node.startedAt;
  }

  get branch(): string {
    return this.answer.node.branch;
  }

  get messageId(): string {
    return this.answer.node.draft.messageId;
  }

  get compacting(): CompactionProgress | undefined {
    return this.compactor.progress;
  }

  get notice(): AnswerMetadata['notice'] {
    return this.metadata?.notice;
  }

  get spent(): Run['spent'] {
    const { sum: usage, cost } = this.answer.node.usage;
    return { ...(usage ? { usage } : {}), ...(cost === undefined ? {} : { cost }) };
  }

  message(): UIMessage {
    return this.answer.node.draft.message(this.metadata);
  }

  /** Ends the stream and the tools; keeps what has arrived. */
  stop(): void {
    this.stopping.abort();
  }

  /** Ends the stream and saves nothing, because the chat is gone. */
  abandon(): void {
    this.isAbandoned = true;
    this.stop();
  }

  private async perform(): Promise<void> {
    const { log, onEvent } = this.options;
    onEvent({ kind: 'started', run: this });
    log.info(`${this.answer.name}: started`);
    await this.answer.node.announce();
    const outcome = await this.takeSteps();
    if (outcome.status === 'complete') await this.keepPlan();
    const kept = await keepAnswer(this.answer, log, outcome, {
      isAbandoned: this.isAbandoned,
      isOnlyCompacted: this.options.compacts !== undefined && !this.compactor.hasAsked,
    });
    ({ metadata: this.metadata, status: this.status, error: this.error } = kept);
    ({ isUnsaved: this.isUnsaved, notSaved: this.notSaved } = kept);
    const code = kept.error === undefined ? '' : ` (${kept.error.code})`;
    const { name, node } = this.answer;
    log.info(`${name}: ${kept.status}${code}, ${node.draft.length} characters`);
    onEvent({ kind: 'finished', run: this });
  }

  /** What an answer in plan mode ends with is the plan of its branch from there on. */
  private async keepPlan(): Promise<void> {
    const { mode, isSubagent, log } = this.options;
    const text = mode === 'plan' && !isSubagent && !this.isAbandoned ? lastText(this.message()) : '';
    if (text === '') return;
    try {
      await keepPlanOf(this.answer.node.place.engine, text);
    } catch (error) {
      log.warn(`${this.answer.name}: its plan could not be kept (${errorName(error)})`);
    }
  }

  /** Never rejects: a failure is returned as the outcome. */
  private async takeSteps(): Promise<AnswerOutcome> {
    const { log, tools } = this.options;
    try {
      const ended = await this.compactor.onDemand(offeredIn(1, tools(), this.options));
      if (ended) return ended;
      for (let step = 1; ; step += 1) {
        const result = await this.takeStep(step);
        if (result.kind === 'ended') return result.outcome;
      }
    } catch (error) {
      if (this.stopping.signal.aborted) return { status: 'interrupted' };
      log.error(`${this.answer.name}: a step could not be kept (${errorName(error)})`);
      return { status: 'failed', error: couldNotContinue(error) };
    }
  }

  private async takeStep(step: number): Promise<StepResult> {
    const { scheduler, maxSteps, log } = this.options;
    const { signal } = this.stopping;
    const tools = this.unsupported.hasTools ? this.options.tools() : [];
    const offered = offeredIn(step, tools, this.options);
    if (await this.compactor.beforeStep(offered)) await this.takeSteering();
    if (this.stopping.signal.aborted) return { kind: 'ended', outcome: { status: 'interrupted' } };
    if (isForReport(step, this.options)) this.remind(LAST_STEP);
    const calls = new StepCalls({
      draft: this.answer.node.draft,
      tools,
      offered,
      now: () => scheduler.now(),
      approvals: this.options.approvals,
      blobs: this.options.store.blobs,
      chatId: this.chatId,
      hooks: this.options.hooks,
      onChange: (index, part) => this.answer.changed(index, part),
      onWaited: (duration) => (this.answer.node.waited += duration),
      onFailure: (tool, error) => log.warn(`${this.answer.name}: tool ${tool} failed (${errorName(error)})`),
    });
    const outcome = await this.ask(offered, calls);
    const code = outcome.error?.code;
    if (this.unsupported.withoutTools(code) || this.unsupported.withoutImages(code)) return { kind: 'goOn' };
    if (outcome.status !== 'complete') return this.endOrMend(outcome, calls, step);
    this.broken.next(undefined, 0);
    if (calls.count === 0) return this.endOrKeep(step, this.endOrRemind(offered, outcome));

    const checkpoints = new StepCheckpoints(
      activeCheckpoints(this.answer.node.place.path),
      this.options.isSubagent,
      () => scheduler.now(),
    );
    await calls.carryOut(this.stepContext(checkpoints));
    if (signal.aborted) return { kind: 'ended', outcome: { ...outcome, status: 'interrupted' } };
    const rewind = checkpoints.requestedRewind;
    if (rewind) {
      await this.answer.rewind(rewind, calls.siblingResults(SIBLING_LIMIT));
      this.reminders = 0;
    } else if (checkpoints.hasBegun || calls.haveActed || this.answer.node.place.engine.hasPendingChanges) {
      await this.answer.closeNode();
    }
    const { stoppedBy } = calls;
    if (stoppedBy) return { kind: 'ended', outcome: { ...outcome, notice: stoppedNotice(stoppedBy) } };
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
    this.compactor.asks();
    const { node } = this.answer;
    const begun = node.draft.beginStep();
    if (begun !== undefined) this.answer.changed(begun, { type: 'step-start' });
    const outcome = await streamAnswer({
      model,
      instructions,
      messages: modelMessages(await this.files.fill(node.path()), {
        writer: model.id,
        withReasoning: true,
        withoutTools: tools.length === 0,
        withoutImages: !takesImages(model) || !this.unsupported.hasImages,
      }),
      tools,
      temperature: this.temperature,
      effort: this.options.effort,
      signal: this.stopping.signal,
      maxRetries,
      scheduler,
      pace: this.options.exploration?.pace,
      cacheKey: this.chatId,
      spends: this.options.spends?.(node.place.branchId),
      onPiece: (type, key, text) => this.add(type, key, text),
      onNote: (note) => this.note(note),
      onCallBegun: (callId, toolName) => calls.begun(callId, toolName),
      onCall: (call) => calls.requested(call),
      onTemperatureIgnored: () => this.unsupported.withoutTemperature(),
      onRetry: (retry) => {
        this.retry = retry;
        const { attempt, delay, error } = retry;
        const failed = `${this.answer.name}: request ${attempt} failed (${error.code})`;
        log.warn(`${failed}, trying again in ${delay} ms`);
        onEvent({ kind: 'retrying', run: this });
      },
    });
    this.retry = undefined;
    node.usage.add(outcome.usage, outcome.cost);
    this.compactor.answered(outcome);
    return outcome;
  }

  /** Ends the answer, unless the model can fix the failure once it knows about it. */
  private async endOrMend(outcome: AnswerOutcome, calls: StepCalls, step: number): Promise<StepResult> {
    const code = outcome.error?.code;
    const { signal } = this.stopping;
    const broken = signal.aborted ? undefined : this.broken.next(code, calls.count);
    await calls.settle(signal.aborted ? STOPPED : (broken?.callResult ?? callLeftBy(code)));
    if (broken) {
      if (calls.count === 0) this.remind(broken.reminder);
      return { kind: 'goOn' };
    }
    // After its tools have run, a model may have nothing to add.
    if (code !== 'no-answer' || step === 1) {
      const left = signal.aborted ? outcome : await this.compactor.afterTooLong(outcome);
      return left ? { kind: 'ended', outcome: left } : { kind: 'goOn' };
    }
    const { error: _none, ...rest } = outcome;
    const notice = noFinalResponse(this.model.label);
    return { kind: 'ended', outcome: { ...rest, status: 'complete', notice } };
  }

  private remind(text: string): void {
    const index = this.answer.node.draft.remind(crypto.randomUUID(), text);
    this.answer.changed(index, { type: 'step-start' });
  }

  /** If an answer ends with an open checkpoint, asks for the report; notifies the user if none comes. */
  private endOrRemind(tools: readonly AgentTool[], outcome: AnswerOutcome): StepResult {
    const open = hasRewindTool(tools) ? activeCheckpoints(this.answer.node.place.path).at(-1) : undefined;
    if (!open) return { kind: 'ended', outcome };
    if (this.reminders >= MAX_REMINDERS) {
      return { kind: 'ended', outcome: { ...outcome, notice: openCheckpointNotice(open) } };
    }
    this.reminders += 1;
    this.remind(checkpointReminder(open));
    return { kind: 'goOn' };
  }

  /** Ends the answer, unless a hook has the model go on. */
  private async endOrKeep(step: number, result: StepResult): Promise<StepResult> {
    const { hooks, exploration, maxSteps } = this.options;
    if (!hooks || result.kind !== 'ended') return result;
    const said = await hooks.fire(
      {
        event: exploration ? 'SubagentStop' : 'Stop',
        isKept: this.kept > 0,
        lastText: this.message().parts.findLast(isTextPart)?.text ?? '',
        agent: exploration?.agent?.name,
      },
      this.stopping.signal,
    );
    const { denied } = said;
    if (!denied || said.stops || this.kept >= MAX_KEPT || step >= maxSteps) return result;
    this.kept += 1;
    this.unsupported.tell(keptNotice(denied));
    this.remind(keptReminder(denied));
    return { kind: 'goOn' };
  }

  /** Those that no hook refuses. */
  private async notRefused(questions: readonly Question[]): Promise<readonly Question[]> {
    const { hooks } = this.options;
    if (!hooks) return questions;
    const passed: Question[] = [];
    for (const question of questions) {
      const { id = '' } = question;
      if (this.refused.has(id)) continue;
      try {
        const asked = { text: question.text, begins: undefined };
        const said = await promptParts(hooks, asked, this.stopping.signal);
        passed.push({ ...question, attached: [...question.attached, ...said] });
      } catch (error) {
        if (!(error instanceof HookBlockedError)) throw error;
        this.refused.add(id);
        this.unsupported.tell(createNotice(error.code, error.descriptor));
      }
    }
    return passed;
  }

  /** Saves the user's steering messages as separate messages after what has been written so far. */
  private async takeSteering(): Promise<void> {
    const { writes } = this.options;
    const { branchId } = this.answer.node.place;
    const questions = await this.notRefused(await writes.steering(this.chatId, branchId));
    if (questions.length === 0) return;
    await this.answer.closeNode(questions);
    await writes.clearSent(this.chatId, branchId);
  }

  private stepContext(checkpoints: StepCheckpoints): StepContext {
    const { engine, branchId, afterId } = this.answer.node.place;
    const { state, artifacts } = engine;
    const { explorer, fileWriter } = this.options;
    const { signal } = this.stopping;
    const explore = explorer?.from({ branchId, afterId, signal, questionId: this.questionId });
    return { signal, state, artifacts, checkpoints, files: fileWriter?.(engine), explore };
  }

  private add(type: AnswerPartType, key: string, text: string): void {
    // Do not show text that arrives after the user pressed Stop.
    if (this.stopping.signal.aborted) return;
    this.retry = undefined;
    this.answer.append(type, key, text);
  }

  private note(note: Omit<PartNote, 'now'>): void {
    // Work that Stop interrupted did not complete.
    if (this.stopping.signal.aborted) return;
    this.answer.note(note);
  }
}

/** What it says after its last call. */
function lastText({ parts }: UIMessage): string {
  const before = parts.findLastIndex((part) => !isTextPart(part));
  return parts
    .slice(before + 1)
    .flatMap((part) => (isTextPart(part) ? [part.text] : []))
    .join('');
}
