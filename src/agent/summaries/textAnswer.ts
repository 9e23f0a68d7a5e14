import { streamAnswer, type AnswerOutcome, type AnswerRequest } from '../run/answerStream.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { leastEffortOf } from '../../models/modelProviders.ts';
import { systemScheduler, type Scheduler } from '../../base/scheduler.ts';

export interface TextRequest {
  readonly model: ChatModel;
  readonly instructions: string;
  readonly content: string;
  readonly signal: AbortSignal;
  /** The most it may write, in tokens, including reasoning. */
  readonly maxOutputTokens: number;
  readonly maxRetries: number;
  readonly scheduler?: Scheduler | undefined;
  readonly onText: (piece: string) => void;
  readonly spends: AnswerRequest['spends'];
}

/** Requests a text outside the conversation: without tools, with the lowest effort, and with no visible progress. */
export function streamTextAnswer({
  model,
  instructions,
  content,
  signal,
  maxOutputTokens,
  maxRetries,
  scheduler = systemScheduler,
  onText,
  spends,
}: TextRequest): Promise<AnswerOutcome> {
  return streamAnswer({
    model,
    instructions,
    messages: [{ role: 'user', content }],
    tools: [],
    temperature: undefined,
    effort: leastEffortOf(model),
    maxOutputTokens,
    onTemperatureIgnored: () => undefined,
    signal,
    maxRetries,
    scheduler,
    onPiece: (type, _key, piece) => {
      if (type === 'text') onText(piece);
    },
    onNote: () => undefined,
    onCallBegun: () => undefined,
    onCall: () => undefined,
    onRetry: () => undefined,
    spends,
  });
}
