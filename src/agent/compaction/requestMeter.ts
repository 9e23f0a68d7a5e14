import { keptMarks } from '../../engine/keptMessages.ts';
import { sentPath } from '../../engine/sentPath.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { ActiveRunOptions } from '../run/activeRunOptions.ts';
import type { AnswerInProgress } from '../run/answerInProgress.ts';
import type { AnswerOutcome } from '../run/answerStream.ts';
import { toolsText } from '../context/sentText.ts';
import type { AgentTool } from '../tools/tool.ts';
import { compactionUnits, sum, type CompactionUnit, type CountedUnit } from './planCompaction.ts';
import { mostTokens } from './tokenCounts.ts';

interface SentNow {
  readonly units: readonly CompactionUnit[];
  /** Instructions and tools. */
  readonly fixed: string;
}

export interface CountedRequest {
  readonly units: readonly CountedUnit[];
  /** The tokens of instructions and tools. */
  readonly fixedTokens: number;
  /** The index of the question that is being answered, or else of the last one; -1 if there is none. */
  readonly asked: number;
  /** The estimated server count for all of it. */
  readonly tokens: number;
  /** The user keeps messages always: they take room after a compaction, too. */
  readonly keepsMessages: boolean;
}

/** Measures what a run sends: counted here, corrected by the server's count for the previous request. */
export class RequestMeter {
  private tools: readonly AgentTool[] = [];
  private requested: SentNow | undefined;
  private last: { readonly sent: SentNow; readonly reported: number } | undefined;

  constructor(
    private readonly options: ActiveRunOptions,
    private readonly answer: AnswerInProgress,
  ) {}

  get hasAsked(): boolean {
    return this.requested !== undefined;
  }

  /** The server's count divided by the count here. */
  get ratio(): number {
    return this.options.compaction.counts.ratio(this.options.model.id);
  }

  offers(tools: readonly AgentTool[]): void {
    this.tools = tools;
  }

  asks(): void {
    this.requested = this.now();
  }

  answered({ usage }: AnswerOutcome): void {
    const reported = usage?.inputTokens ?? 0;
    if (reported > 0 && this.requested) this.last = { sent: this.requested, reported };
  }

  /** Whether the next request is certainly below this many tokens; needs no counting. */
  isBelow(limit: number): boolean {
    const { units, fixed } = this.now();
    const most = (mostTokens(units) + fixed.length) * Math.max(1, this.ratio);
    return Math.max(most, this.last?.reported ?? 0) < limit;
  }

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
    const marks = keptMarks(await this.options.store.getChat(this.answer.chatId));
    const keepsMessages = [...marks.values()].includes(true);
    return { units, fixedTokens, asked: this.askedAt(units), tokens, keepsMessages };
  }

  private now(): SentNow {
    const { instructions } = this.options;
    const { node } = this.answer;
    const tools = this.tools.length === 0 ? [] : [toolsText(this.tools)];
    return {
      units: compactionUnits(sentPath(node.path()), node.draft.messageId),
      fixed: [instructions, ...tools].join('\n'),
    };
  }

  private askedAt(units: readonly CompactionUnit[]): number {
    const { questionId } = this.options;
    const at = units.findIndex(({ message, kind }) => kind === 'question' && message.id === questionId);
    return at < 0 ? units.findLastIndex(({ message }) => isUserTurn(message)) : at;
  }
}
