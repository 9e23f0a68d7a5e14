import type { ModelMessage } from 'ai';
import { systemScheduler, type Scheduler } from '../../base/scheduler.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { leastEffortOf } from '../../models/modelProviders.ts';
import type { Spends } from '../budget/spends.ts';
import { ToolError } from '../tools/toolError.ts';
import { streamAnswer } from './answerStream.ts';

/** The most that is written for one request, in tokens: editors don't pass on how much the server wants. */
const MAX_TOKENS = 4_000;

export interface ServerRequest {
  readonly model: ChatModel;
  readonly instructions: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly signal: AbortSignal;
  readonly spends: Spends | undefined;
  readonly scheduler?: Scheduler;
}

/**
 * Has a model write what an MCP server asks it: without tools, and with nothing of the conversation.
 * @throws ToolError, whose message the server gets
 */
export async function answerForServer({
  model,
  instructions,
  messages,
  signal,
  spends,
  scheduler = systemScheduler,
}: ServerRequest): Promise<string> {
  let text = '';
  const { status, error } = await streamAnswer({
    model,
    instructions,
    messages: messages.map(({ role, content }): ModelMessage => ({ role, content })),
    tools: [],
    temperature: undefined,
    effort: leastEffortOf(model),
    maxOutputTokens: MAX_TOKENS,
    onTemperatureIgnored: () => undefined,
    signal,
    maxRetries: 0,
    scheduler,
    onPiece: (type, _key, piece) => {
      if (type === 'text') text += piece;
    },
    onNote: () => undefined,
    onCallBegun: () => undefined,
    onCall: () => undefined,
    onRetry: () => undefined,
    spends,
  });
  signal.throwIfAborted();
  // What was cut at the limit is still an answer.
  if (status === 'complete' || error?.code === 'output-limit') return text;
  throw new ToolError(error?.message ?? 'The model gave no answer.', error?.code ?? 'no-answer');
}
