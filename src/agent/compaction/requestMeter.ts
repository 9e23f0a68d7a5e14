import { sentPath } from '../../engine/sentPath.ts';
import type { UIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import type { ActiveRunOptions } from '../activeRunOptions.ts';
import type { AnswerInProgress } from '../answerInProgress.ts';
import type { AnswerOutcome } from '../answerStream.ts';
import { toolsText } from '../context/sentText.ts';
import type { AgentTool } from '../tools/tool.ts';
import { compactionUnits, type CompactionUnit } from './compactionUnits.ts';
import { sum, type CountedUnit } from './planCompaction.ts';
import { mostTokens } from './tokenCounts.ts';

/** A request as it would be made now. */
interface SentNow {
  readonly units: readonly CompactionUnit[];
  /** Instructions and tools. */
  readonly fixed: string;
}

/** A request, with what each of its pieces takes. */
export interface CountedRequest {
  readonly units: readonly CountedUnit[];
  /** What instructions and tools take. */
  readonly fixedTokens: number;
  /** The place of the question that is being answered, or else of the last one; -1 where there is none. */
  readonly asked: number;
  /** What its server would count of all of it, as far as is known. */
  readonly tokens: number;
}

/** Measures what a run sends: counted here, and corrected by what its server counted of the request before. */
export class RequestMeter {
  private tools: readonly AgentTool[] = [];
  private requested: SentNow | undefined;
  /** What was sent last, and how many tokens its server counted. */
  private last: { readonly sent: SentNow; readonly reported: number } | undefined;

  constructor(
    private readonly options: ActiveRunOptions,
    private readonly answer: AnswerInProgress,
  ) {}

  /** Whether a model was asked for an answer. */
  get hasAsked(): boolean {
    return this.requested !== undefined;
  }

  /** How many times as much the server counts as is counted here. */
  get ratio(): number {
    return this.options.compaction.counts.ratio(this.options.model.id);
  }

  /** What the next request offers. */
  offers(tools: readonly AgentTool[]): void {
    this.tools = tools;
  }

  /** A request is made now. */
  asks(): void {
    this.requested = this.now();
  }

  /** Takes in what the server counted of it. */
  answered({ usage }: AnswerOutcome): void {
    const reported = usage?.inputTokens ?? 0;
    if (reported > 0 && this.requested) this.last = { sent: this.requested, reported };
  }

  /** The whole path, with the message that is being written. */
  path(): readonly UIMessage[] {
    const { draft, place } = this.answer;
    return draft.isEmpty ? place.path : [...place.path, draft.message()];
  }

  /** Whether the next request has fewer tokens than this in any case: that costs no counting. */
  isBelow(limit: number): boolean {
    const { units, fixed } = this.now();
    const most = (mostTokens(units) + fixed.length) * Math.max(1, this.ratio);
    return Math.max(most, this.last?.reported ?? 0) < limit;
  }

  /** Counts the next request. */
  async count(): Promise<CountedRequest> {
    const { counts } = this.options.compaction;
    if (this.last) {
      const { units, fixed } = this.last.sent;
      const counted = sum(await counts.units(units)) + (await counts.text(fixed));
      counts.learn(this.options.model.id, counted, this.last.reported);
      this.last = undefined;
    }
    const { units: uncounted, fixed } = this.now();
    const units = await counts.units(uncounted);
    const fixedTokens = await counts.text(fixed);
    const tokens = (sum(units) + fixedTokens) * this.ratio;
    return { units, fixedTokens, asked: this.askedAt(units), tokens };
  }

  private now(): SentNow {
    const { instructions } = this.options;
    const tools = this.tools.length === 0 ? [] : [toolsText(this.tools)];
    return {
      units: compactionUnits(sentPath(this.path()), this.answer.draft.messageId),
      fixed: [instructions, ...tools].join('\n'),
    };
  }

  private askedAt(units: readonly CompactionUnit[]): number {
    const { questionId } = this.options;
    const at = units.findIndex(({ message, kind }) => kind === 'question' && message.id === questionId);
    return at < 0 ? units.findLastIndex(({ message }) => isUserTurn(message)) : at;
  }
}
