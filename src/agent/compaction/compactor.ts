import { BUDGET_REACHED } from '../budget/budgetReached.ts';
import { errorDescriptor, OffshootError } from '../../engine/errors.ts';
import type { PathSummary } from '../../engine/pathSummary.ts';
import type { ActiveRunOptions } from '../run/activeRunOptions.ts';
import type { AnswerInProgress, WrittenCompaction } from '../run/answerInProgress.ts';
import { describeAnswer, type AnswerOutcome, type DescribedAnswer } from '../run/answerStream.ts';
import { contextWindowOf } from '../../models/chatModel.ts';
import { HookBlockedError } from '../hooks/hooksInRun.ts';
import { errorName } from '../run/runLog.ts';
import { createNotice, type Notice } from '../../models/errors/notice.ts';
import { Usage } from '../run/runUsage.ts';
import { writeBySmall, type SummaryText } from '../summaries/writeSummary.ts';
import type { AgentTool } from '../tools/tool.ts';
import {
  coveredMessages,
  hasGrown,
  isWorthIt,
  keptRoom,
  ledgerRoom,
  limitOf,
  originalsOf,
  planAll,
  planCompaction,
  planOnDemand,
  sum,
  SUPPOSED_WINDOW,
  type CompactionPlan,
} from './planCompaction.ts';
import {
  fullAndNotCompacted,
  fullAndNothingToCompact,
  NOT_COMPACTED,
  NOT_COMPACTED_AT_BUDGET,
  notCompacted,
  NothingToCompactError,
  UselessSummaryError,
} from './compactionErrors.ts';
import type { CompactionProgress } from './compactionOptions.ts';
import { RequestMeter, type CountedRequest } from './requestMeter.ts';

export interface CompactorContext {
  readonly signal: AbortSignal;
  readonly tell: (notice: Notice) => void;
  readonly onProgress: () => void;
}

/** The share of a window that a refused request is assumed to have filled: the count here is not the server's. */
const REFUSED_SHARE = 0.8;

/**
 * Makes room in a run's context: between two requests, old messages are replaced with a summary, placed on the branch
 * after them. At most one per step, and none before the conversation has grown since the last.
 */
export class Compactor {
  /** The tokens after the last try, in the server's count. */
  private triedAt: number | undefined;
  /** Since the last successful request. */
  private hasTried = false;
  private failure: unknown;
  private current: CompactionProgress | undefined;

  private readonly meter: RequestMeter;

  constructor(
    private readonly options: ActiveRunOptions,
    private readonly answer: AnswerInProgress,
    private readonly context: CompactorContext,
  ) {
    this.meter = new RequestMeter(options, answer);
  }

  /** Undefined while nothing is compacted. */
  get progress(): CompactionProgress | undefined {
    return this.current;
  }

  get hasAsked(): boolean {
    return this.meter.hasAsked;
  }

  /** Compacts if the next request would be too long for the model, and returns whether it did. */
  async beforeStep(tools: readonly AgentTool[]): Promise<boolean> {
    this.meter.offers(tools);
    const { compaction, model } = this.options;
    const { enabled, threshold } = compaction.settings();
    const window = contextWindowOf(model);
    if (!enabled || window === undefined || this.hasTried) return false;
    const limit = limitOf(window, threshold, model.maxOutputTokens ?? model.listed?.facts.limits?.output);
    if (this.meter.isBelow(limit)) return false;
    const counted = await this.meter.count();
    const { tokens } = counted;
    if (tokens < limit || !hasGrown(tokens, this.triedAt, window)) return false;
    const plan = this.plan(counted, planCompaction, window, limit);
    if (!plan || !isWorthIt(plan.coveredTokens * this.meter.ratio, window)) {
      this.triedAt = tokens;
      return false;
    }
    return this.attempt(plan, tokens);
  }

  /** Remembers the current request, to compare the server's count with it. */
  asks(): void {
    this.meter.asks();
  }

  answered(outcome: AnswerOutcome): void {
    this.meter.answered(outcome);
    if (outcome.error === undefined) this.hasTried = false;
  }

  /** After a server found a request too long: once, until one succeeds. @returns undefined when there is room now */
  async afterTooLong(outcome: AnswerOutcome): Promise<AnswerOutcome | undefined> {
    const { compaction, model } = this.options;
    const { label } = model;
    const { enabled } = compaction.settings();
    const { error } = outcome;
    if (!enabled || error?.code !== 'context-too-long') return outcome;
    const counted = await this.meter.count();
    if (!this.hasTried) {
      const plan = this.planAfterRefusal(counted);
      if (!plan) return { ...outcome, error: fullAndNothingToCompact(label, error) };
      if (await this.attempt(plan, counted.tokens, { isNoticed: false })) return undefined;
      if (this.context.signal.aborted) return { ...outcome, status: 'interrupted' };
    }
    if (this.failure === undefined) return outcome;
    return { ...outcome, error: fullAndNotCompacted(label, error, errorDescriptor(this.failure)) };
  }

  /** Compacts if the user asked for it. @returns undefined when the answer should begin, otherwise how it ends */
  async onDemand(tools: readonly AgentTool[]): Promise<AnswerOutcome | undefined> {
    const { model, compaction, compacts } = this.options;
    if (!compacts) return undefined;
    this.meter.offers(tools);
    const counted = await this.meter.count();
    const window = contextWindowOf(model) ?? Math.max(SUPPOSED_WINDOW, counted.tokens);
    const plan = compacts.thenAnswers
      ? this.planAfterRefusal(counted)
      : this.plan(counted, planOnDemand, window, limitOf(window, compaction.settings().threshold));
    let written: WrittenCompaction | undefined;
    try {
      if (!plan) throw new NothingToCompactError();
      written = await this.write(plan, compacts.wanted);
    } catch (error) {
      if (!(error instanceof OffshootError)) throw error;
      const code = error.code === BUDGET_REACHED ? NOT_COMPACTED_AT_BUDGET : NOT_COMPACTED;
      return { status: 'failed', error: createNotice(code, errorDescriptor(error)) };
    }
    if (!written) return { status: 'interrupted' };
    await this.save(written);
    return compacts.thenAnswers ? undefined : { status: 'complete' };
  }

  /** Reports a failed summary; the answer continues with the context as it is. */
  private async attempt(plan: CompactionPlan, tokens: number, { isNoticed = true } = {}): Promise<boolean> {
    this.hasTried = true;
    this.failure = undefined;
    this.triedAt = tokens;
    let written: WrittenCompaction | undefined;
    try {
      written = await this.write(plan, undefined);
    } catch (error) {
      if (!(error instanceof OffshootError)) throw error;
      this.failure = error;
      this.options.log.warn(`${this.answer.name}: could not be compacted (${errorName(error)})`);
      if (isNoticed) this.context.tell(notCompacted(errorDescriptor(error)));
    }
    if (!written) return false;
    await this.save(written);
    return true;
  }

  /** @returns undefined when stopped @throws SummaryError, UselessSummaryError */
  private async write(
    plan: CompactionPlan,
    wanted: string | undefined,
  ): Promise<WrittenCompaction | undefined> {
    const { model, compaction, ledgers, scheduler, maxRetries } = this.options;
    const { signal } = this.context;
    await this.askHooks(wanted);
    const startedAt = scheduler.now();
    let usage = new Usage(model);
    let writer = model;
    this.report({ portion: 1, portions: 1 });
    try {
      const messages = plan.before.map(({ message }) => message);
      const originals = originalsOf(this.answer.node.path(), plan);
      const written = await writeBySmall({
        model,
        smallFor: compaction.smallFor,
        messages,
        originals: (await ledgers.inFull(this.answer.chatId, originals ?? messages)) ?? originals,
        purpose: 'compact',
        ...(wanted === undefined ? {} : { wanted }),
        signal,
        scheduler,
        maxRetries,
        spends: this.options.spends?.(this.answer.node.place.branchId),
        onProgress: ({ portion, portions }) => this.report({ portion, portions }),
        onUsage: (used, by) => {
          if (by !== writer) usage = new Usage(by);
          writer = by;
          usage.add(used.usage, used.cost);
        },
      });
      if (!written || signal.aborted) return undefined;
      const after = await compaction.counts.text(written.text);
      if (after >= plan.coveredTokens) throw new UselessSummaryError(written.model.label);
      const finishedAt = scheduler.now();
      return this.asWritten(plan, written, { before: plan.coveredTokens, after }, finishedAt, {
        model: written.model,
        temperature: undefined,
        effort: undefined,
        mode: 'agent',
        outcome: { status: 'complete' },
        notice: undefined,
        usage: usage.sum,
        cost: usage.cost,
        startedAt,
        finishedAt,
      });
    } finally {
      this.report(undefined);
    }
  }

  /** @throws HookBlockedError */
  private async askHooks(wanted: string | undefined): Promise<void> {
    const { compacts, hooks } = this.options;
    if (!hooks) return;
    const trigger = compacts && !this.hasAsked ? 'manual' : 'auto';
    const { denied } = await hooks.fire(
      { event: 'PreCompact', trigger, wanted: wanted ?? '' },
      this.context.signal,
    );
    if (denied) throw new HookBlockedError(denied);
  }

  private asWritten(
    plan: CompactionPlan,
    { text, model }: SummaryText,
    tokens: NonNullable<PathSummary['tokens']>,
    writtenAt: number,
    described: DescribedAnswer,
  ): WrittenCompaction {
    const { node } = this.answer;
    const { draft, branch, place } = node;
    const { checkpoints, source } = coveredMessages(node.path(), plan, draft.messageId);
    const [first] = plan.after;
    return {
      // What is left of the message that is being written becomes a separate message.
      at: first?.message.id === draft.messageId ? first.from : undefined,
      summary: {
        kind: 'compacted',
        text,
        ledger: ledgerRoom(this.window / this.meter.ratio, tokens.before - tokens.after),
        tokens,
        model: model.label,
        source: { ...source, branch, headMessageId: place.afterId },
        ...(checkpoints.length === 0 ? {} : { checkpoints }),
        writtenAt: new Date(writtenAt).toISOString(),
      },
      metadata: describeAnswer(described),
    };
  }

  /** A failed save ends the run, as everywhere. */
  private async save(written: WrittenCompaction): Promise<void> {
    const { count, to } = written.summary.source;
    await this.answer.compact(written);
    this.triedAt = (await this.meter.count()).tokens;
    this.options.log.info(`${this.answer.name}: ${count} messages compacted, up to ${to}`);
  }

  private report(progress: CompactionProgress | undefined): void {
    const { current } = this;
    this.current = progress;
    if (current?.portion !== progress?.portion || current?.portions !== progress?.portions)
      this.context.onProgress();
  }

  /** The answer found no room, no matter what is counted here. */
  private planAfterRefusal(counted: CountedRequest): CompactionPlan | undefined {
    const { model, compaction } = this.options;
    const window = Math.min(contextWindowOf(model) ?? Infinity, counted.tokens) * REFUSED_SHARE;
    return (
      this.plan(counted, planCompaction, window, window * compaction.settings().threshold) ??
      planAll(counted.units, counted.asked)
    );
  }

  private get window(): number {
    return contextWindowOf(this.options.model) ?? SUPPOSED_WINDOW;
  }

  private plan(
    { units, fixedTokens, asked, keepsMessages }: CountedRequest,
    plan: typeof planCompaction,
    window: number,
    limit: number,
  ): CompactionPlan | undefined {
    const questions = sum(units.filter(({ kind }, at) => kind === 'question' && at >= asked));
    const { ratio } = this.meter;
    const { facts, kept } = ledgerRoom(window / ratio);
    const ledger = facts + (keepsMessages ? kept : 0);
    return plan(units, asked, keptRoom(window / ratio, limit / ratio, fixedTokens + questions + ledger));
  }
}
