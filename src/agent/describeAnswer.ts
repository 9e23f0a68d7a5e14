import type { AnswerMetadata } from './answerMetadata.ts';
import type { AnswerOutcome } from './answerStream.ts';
import type { ChatMode } from './chatMode.ts';
import type { ChatModel } from './chatModel.ts';
import type { ReasoningEffort } from './reasoning/efforts.ts';

/** What is known about an answer when it is saved. */
export interface DescribedAnswer {
  readonly model: ChatModel;
  /** The one that took effect. */
  readonly temperature: number | undefined;
  /** The requested effort. */
  readonly effort: ReasoningEffort | undefined;
  readonly mode: ChatMode;
  readonly outcome: AnswerOutcome;
  /** Shown to the user unless the outcome has its own notice. */
  readonly notice: AnswerMetadata['notice'];
  readonly usage: AnswerMetadata['usage'];
  readonly cost: number | undefined;
  /** Milliseconds since 1970, both. */
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** The metadata of an answer: model, ending, usage and cost. */
export function describeAnswer(answer: DescribedAnswer): AnswerMetadata {
  const { model, temperature, effort, mode, outcome, usage, cost, startedAt, finishedAt } = answer;
  const { status, error, notice = answer.notice } = outcome;
  const { id, label, isDemo } = model;
  return {
    modelId: id,
    modelLabel: label,
    isDemo,
    ...(temperature === undefined ? {} : { temperature }),
    ...(effort === undefined ? {} : { effort }),
    ...(mode === 'agent' ? {} : { mode }),
    status,
    ...(error === undefined ? {} : { error }),
    ...(notice === undefined ? {} : { notice }),
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { cost }),
    startedAt,
    finishedAt,
  };
}
