import { errorDescriptor, OffshootError } from '../../engine/errors.ts';
import { sentPath } from '../../engine/sentPath.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import type { ActiveRunOptions } from '../activeRunOptions.ts';
import type { AnswerInProgress } from '../answerInProgress.ts';
import type { AnswerOutcome } from '../answerStream.ts';
import { contextWindowOf } from '../context/contextWindow.ts';
import { toolsText } from '../context/sentText.ts';
import { describeAnswer } from '../describeAnswer.ts';
import { errorName } from '../errorName.ts';
import { createNotice, type Notice } from '../notice.ts';
import { Usage } from '../runUsage.ts';
import { writeBySmall } from '../summaries/writeBySmall.ts';
import type { AgentTool } from '../tools/tool.ts';
import { coveredMessages } from './compactedPath.ts';
import {
  fullAndNotCompacted,
  fullAndNothingToCompact,
  NOT_COMPACTED,
  notCompacted,
  NothingToCompactError,
  UselessSummaryError,
} from './compactionErrors.ts';
import type { CompactionProgress } from './compactionOptions.ts';
import { hasGrown, isWorthIt, keptRoom, limitOf } from './compactionRoom.ts';
import { compactionUnits, type CompactionUnit } from './compactionUnits.ts';
import { planCompaction, planOnDemand, sum, type CompactionPlan, type CountedUnit } from './planCompaction.ts';
import { mostTokens } from './tokenCounts.ts';

/** What the run lets it know and do. */
export interface CompactorSurroundings {
  readonly signal: AbortSignal;
  /** Something the user should know of an answer that goes on. */
  readonly tell: (notice: Notice) => void;
  /** It has begun, come further, or ended. */
  readonly onProgress: () => void;
}

/** A request as it would be made now. */
interface SentNow {
  readonly path: readonly UIMessage[];
  readonly units: readonly CompactionUnit[];
  /** Instructions and tools. */
  readonly fixed: string;
}

interface CountedRequest extends SentNow {
  readonly units: readonly CountedUnit[];
  readonly fixedTokens: number;
}

/** How much of a window a request that was refused is taken to have filled: the count here is not the server's. */
const REFUSED_SHARE = 0.8;

/**
 * Makes room in a run's context: between two requests, what is far back gives way to a summary of it, which stands on
 * the branch after it. At most one for a step, and none before the conversation has grown since the last.
 */
export class Compactor {
  /** What was sent last, and how many tokens its server counted. */
  private last: { readonly sent: SentNow; readonly reported: number } | undefined;
  private requested: SentNow | undefined;
  private tools: readonly AgentTool[] = [];
  /** The tokens after the last try, in what the server would count. */
  private triedAt: number | undefined;
  /** Since the last request that was answered. */
  private hasTried = false;
  private failure: unknown;
  private current: CompactionProgress | undefined;

  constructor(
    private readonly options: ActiveRunOptions,
    private readonly answer: AnswerInProgress,
    private readonly surroundings: CompactorSurroundings,
  ) {}

  /** How far it has come; undefined while nothing is compacted. */
  get progress(): CompactionProgress | undefined {
    return this.current;
  }

  /** Whether a model was asked for an answer. */
  get hasAsked(): boolean {
    return this.requested !== undefined;
  }

  /** Compacts where the next request would be too long for the model. @returns whether it did */
  async beforeStep(tools: readonly AgentTool[]): Promise<boolean> {
    this.tools = tools;
    const { compaction, model } = this.options;
    const { enabled, threshold } = compaction.settings();
    const window = contextWindowOf(model);
    if (!enabled || window === undefined || this.hasTried) return false;
    const limit = limitOf(window, threshold, model.maxOutputTokens ?? model.listed?.facts.limits?.output);
    const sent = this.sentNow();
    const ratio = compaction.counts.ratio(model.id);
    const most = (mostTokens(sent.units) + sent.fixed.length) * Math.max(1, ratio);
    if (Math.max(most, this.last?.reported ?? 0) < limit) return false;
    const counted = await this.count(sent);
    const tokens = this.tokensOf(counted);
    if (tokens < limit || !hasGrown(tokens, this.triedAt, window)) return false;
    const plan = this.plan(counted, planCompaction, window, limit);
    if (!plan || !isWorthIt(plan.coveredTokens * this.ratio, window)) {
      this.triedAt = tokens;
      return false;
    }
    return this.attempt(plan, tokens);
  }

  /** Remembers the request that is made now, for the server's count to be compared with. */
  asks(): void {
    this.requested = this.sentNow();
  }

  /** Takes in what the server made of that request. */
  answered({ error, usage }: AnswerOutcome): void {
    const reported = usage?.inputTokens ?? 0;
    if (reported > 0 && this.requested) this.last = { sent: this.requested, reported };
    if (error === undefined) this.hasTried = false;
  }

  /**
   * Makes room after a server found a request too long: once, until one is answered.
   * @returns undefined when there is room now, and how the answer ends otherwise
   */
  async afterTooLong(outcome: AnswerOutcome): Promise<AnswerOutcome | undefined> {
    const { compaction, model } = this.options;
    const { label } = model;
    const { enabled, threshold } = compaction.settings();
    if (!enabled || outcome.error?.code !== 'context-too-long') return outcome;
    const counted = await this.count(this.sentNow());
    const tokens = this.tokensOf(counted);
    if (!this.hasTried) {
      const window = Math.min(contextWindowOf(model) ?? Infinity, tokens) * REFUSED_SHARE;
      const plan = this.plan(counted, planCompaction, window, window * threshold);
      if (!plan) return { ...outcome, error: fullAndNothingToCompact(label) };
      if (await this.attempt(plan, tokens, { isTold: false })) return undefined;
      if (this.surroundings.signal.aborted) return { ...outcome, status: 'interrupted' };
    }
    if (this.failure === undefined) return outcome;
    return { ...outcome, error: fullAndNotCompacted(label, errorDescriptor(this.failure)) };
  }

  /**
   * Compacts where the user asked for it.
   * @returns undefined when the answer is to begin, and else how it ends
   */
  async onDemand(tools: readonly AgentTool[]): Promise<AnswerOutcome | undefined> {
    const { model, compaction, compacts } = this.options;
    if (!compacts) return undefined;
    this.tools = tools;
    const counted = await this.count(this.sentNow());
    const tokens = this.tokensOf(counted);
    const window = contextWindowOf(model) ?? tokens;
    const plan = this.plan(counted, planOnDemand, window, limitOf(window, compaction.settings().threshold));
    try {
      if (!plan) throw new NothingToCompactError();
      if (!(await this.perform(plan, compacts.wanted))) return { status: 'interrupted' };
    } catch (error) {
      if (!(error instanceof OffshootError)) throw error;
      return { status: 'failed', error: createNotice(NOT_COMPACTED, errorDescriptor(error)) };
    }
    this.triedAt = this.tokensOf(await this.count(this.sentNow()));
    return compacts.thenAnswers ? undefined : { status: 'complete' };
  }

  /** Never rejects: what went wrong is told, and the answer goes on with what there is. */
  private async attempt(
    plan: CompactionPlan,
    tokens: number,
    { isTold = true } = {},
  ): Promise<boolean> {
    this.hasTried = true;
    this.failure = undefined;
    this.triedAt = tokens;
    try {
      if (!(await this.perform(plan, undefined))) return false;
      this.triedAt = this.tokensOf(await this.count(this.sentNow()));
      return true;
    } catch (error) {
      // What could not be saved ends the run, as everywhere.
      if (!(error instanceof OffshootError)) throw error;
      this.failure = error;
      this.options.log.warn(`${this.answer.name}: could not be compacted (${errorName(error)})`);
      if (isTold) this.surroundings.tell(notCompacted(errorDescriptor(error)));
      return false;
    }
  }

  /** @returns false when it was stopped */
  private async perform(plan: CompactionPlan, wanted: string | undefined): Promise<boolean> {
    const { model, compaction, scheduler, maxRetries, log } = this.options;
    const { signal } = this.surroundings;
    const startedAt = scheduler.now();
    let usage = new Usage(model);
    let writer = model;
    this.report({ portion: 1, portions: 1 });
    try {
      const written = await writeBySmall({
        model,
        smallFor: compaction.smallFor,
        messages: plan.before.map(({ message }) => message),
        purpose: 'compact',
        ...(wanted === undefined ? {} : { wanted }),
        signal,
        scheduler,
        maxRetries,
        onProgress: ({ portion, portions }) => this.report({ portion, portions }),
        onUsage: (used, by) => {
          if (by !== writer) usage = new Usage(by);
          writer = by;
          usage.add(used);
        },
      });
      if (!written || signal.aborted) return false;
      const after = await compaction.counts.text(written.text);
      if (after >= plan.coveredTokens) throw new UselessSummaryError(written.model.label);
      const finishedAt = scheduler.now();
      const { checkpoints, source } = coveredMessages(this.wholePath(), plan, this.answer.draft.messageId);
      const [first] = plan.after;
      await this.answer.compact({
        // What is left of the message that is being written becomes a message of its own.
        at: first?.message.id === this.answer.draft.messageId ? first.from : undefined,
        summary: {
          kind: 'compacted',
          text: written.text,
          source: { ...source, branch: this.answer.branch, headMessageId: this.answer.place.afterId },
          ...(checkpoints && checkpoints.length > 0 ? { checkpoints } : {}),
          tokens: { before: plan.coveredTokens, after },
          model: written.model.label,
          writtenAt: new Date(finishedAt).toISOString(),
        },
        metadata: describeAnswer({
          ...{ model: written.model, temperature: undefined, effort: undefined, mode: 'agent', notice: undefined },
          ...{ outcome: { status: 'complete' }, usage: usage.sum, cost: usage.cost, startedAt, finishedAt },
        }),
      });
      log.info(`${this.answer.name}: ${source.count} messages compacted, ${plan.coveredTokens} tokens to ${after}`);
      return true;
    } finally {
      this.report(undefined);
    }
  }

  private report(progress: CompactionProgress | undefined): void {
    const { current } = this;
    this.current = progress;
    if (current?.portion !== progress?.portion || current?.portions !== progress?.portions)
      this.surroundings.onProgress();
  }

  private plan(
    { units, fixedTokens }: CountedRequest,
    plan: typeof planCompaction,
    window: number,
    limit: number,
  ): CompactionPlan | undefined {
    const asked = this.askedAt(units);
    const questions = sum(units.filter(({ kind }, at) => kind === 'question' && at >= asked));
    const { ratio } = this;
    return plan(units, asked, keptRoom(window / ratio, limit / ratio, fixedTokens + questions));
  }

  /** The place of the question that is being answered, or else of the last one. */
  private askedAt(units: readonly CompactionUnit[]): number {
    const { questionId } = this.options;
    const at = units.findIndex(({ message, kind }) => kind === 'question' && message.id === questionId);
    return at < 0 ? units.findLastIndex(({ message }) => isUserTurn(message)) : at;
  }

  private sentNow(): SentNow {
    const path = this.wholePath();
    return {
      path,
      units: compactionUnits(sentPath(path), this.answer.draft.messageId),
      fixed: [this.options.instructions, ...(this.tools.length === 0 ? [] : [toolsText(this.tools)])].join('\n'),
    };
  }

  private wholePath(): readonly UIMessage[] {
    const { draft, place } = this.answer;
    return draft.isEmpty ? place.path : [...place.path, draft.message()];
  }

  private async count(sent: SentNow): Promise<CountedRequest> {
    const { counts } = this.options.compaction;
    if (this.last) {
      const before = sum(await counts.units(this.last.sent.units)) + (await counts.text(this.last.sent.fixed));
      counts.learn(this.options.model.id, before, this.last.reported);
      this.last = undefined;
    }
    return { ...sent, units: await counts.units(sent.units), fixedTokens: await counts.text(sent.fixed) };
  }

  private get ratio(): number {
    return this.options.compaction.counts.ratio(this.options.model.id);
  }

  private tokensOf({ units, fixedTokens }: CountedRequest): number {
    return (sum(units) + fixedTokens) * this.ratio;
  }
}
