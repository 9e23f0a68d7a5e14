import { streamAnswer, type AnswerOutcome } from './answerStream.ts';
import type { ChatModel } from './chatModel.ts';
import { leastEffortOf } from './reasoning/efforts.ts';
import { systemScheduler, type Scheduler } from './scheduler.ts';

export interface TextRequest {
  readonly model: ChatModel;
  readonly instructions: string;
  /** What the model is asked. */
  readonly content: string;
  readonly signal: AbortSignal;
  /** The most it may write, in tokens, with what it thinks. */
  readonly maxOutputTokens: number;
  readonly maxRetries: number;
  readonly scheduler?: Scheduler | undefined;
  /** Called with each piece of the text. */
  readonly onText: (piece: string) => void;
}

/** Asks a model for a text beside the conversation: without tools, with the least effort, and with nobody to watch how it gets on. */
export function streamTextAnswer({
  model,
  instructions,
  content,
  signal,
  maxOutputTokens,
  maxRetries,
  scheduler = systemScheduler,
  onText,
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
  });
}
