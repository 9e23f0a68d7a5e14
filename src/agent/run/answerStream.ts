import {
  experimental_streamTextLowMemory as streamText,
  jsonSchema,
  tool,
  type CallWarning,
  type FinishReason,
  type LanguageModelUsage,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import type { AnswerPartType, PartNote } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import { describeModelError } from '../../models/errors/describeModelError.ts';
import { endOfAnswer, type AnswerOutcome } from './endOfAnswer.ts';
import { retrying, type RequestPace, type Retry } from '../../models/requests/retry.ts';
import type { Scheduler } from '../../base/scheduler.ts';
import { fitted } from '../../models/requests/fitTo.ts';
import { targetOf } from '../../models/modelProviders.ts';
import type { Target } from '../../models/providerFacts.ts';
import type { ProviderOptions } from '../../models/requests/prompt.ts';
import { reportedCost } from '../../models/requests/reportedCost.ts';
import { boundedCalls } from '../../models/requests/boundedCalls.ts';
import type { SpendingRequest, Spends } from '../budget/spends.ts';
import { inputSchema } from '../tools/inputSchema.ts';
import type { AgentTool } from '../tools/tool.ts';
import type { ChatMode } from './chatMode.ts';

export interface RequestedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Why it cannot run: there is no such tool, or the input does not match its schema. */
  readonly problem?: Error;
  readonly providerMetadata?: Record<string, Record<string, unknown>>;
}

export interface AnswerRequest {
  readonly model: ChatModel;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  /** Their calls are handed to the caller. */
  readonly tools: readonly AgentTool[];
  /** Undefined: the model's default. */
  readonly temperature: number | undefined;
  /** Undefined: the model's default. */
  readonly effort?: ReasoningEffort | undefined;
  /** The most tokens it may write; undefined: no limit. */
  readonly maxOutputTokens?: number | undefined;
  readonly signal: AbortSignal;
  /** Retries after a request that failed before its first word for a temporary reason. */
  readonly maxRetries: number;
  readonly onPiece: (type: AnswerPartType, partKey: string, text: string) => void;
  /** The provider's notes on a piece besides its text: start, end, and data that must be sent back. */
  readonly onNote: (note: Omit<PartNote, 'now'>) => void;
  readonly onCallBegun: (callId: string, toolName: string) => void;
  readonly onCall: (call: RequestedCall) => void;
  readonly onTemperatureIgnored: () => void;
  readonly scheduler: Scheduler;
  readonly onRetry: (retry: Retry) => void;
  /** Shared by callers that use one server at the same time. */
  readonly pace?: RequestPace | undefined;
  /** The same for all requests of a chat: some servers choose the cache by it. */
  readonly cacheKey?: string | undefined;
  /** Whose budget it counts for; undefined only where there is none. */
  readonly spends: Spends | undefined;
}

export type { AnswerOutcome };

/**
 * Sends one request to the model and passes on its answer piece by piece. Never rejects: the result reports how it
 * ended. Tool calls are reported and not run here, so that one place decides what happens between two requests. The
 * stream is read once and not buffered by the AI SDK, because the caller collects what arrives.
 */
export async function streamAnswer(request: AnswerRequest): Promise<AnswerOutcome> {
  const spending = request.spends?.begin(request.model, request.signal);
  const outcome = await stream(request, spending);
  return spending ? spending.end(outcome) : outcome;
}

async function stream(request: AnswerRequest, spending: SpendingRequest | undefined): Promise<AnswerOutcome> {
  const { model, signal } = request;
  const target = targetOf(model);
  try {
    const { maxRetries, scheduler, onRetry, pace } = request;
    const maxOutputTokens = lowest(request.maxOutputTokens, model.maxOutputTokens);
    const options = cacheOptions(request.cacheKey, target);
    const accepted = fitted(await model.open(), target);
    const opened = retrying(spending?.guard(accepted) ?? accepted, {
      maxRetries,
      modelLabel: model.label,
      signal,
      scheduler,
      onRetry,
      pace,
    });
    const result = streamText({
      model: boundedCalls(opened),
      ...(request.instructions === '' ? {} : { instructions: request.instructions }),
      messages: request.messages,
      ...(request.tools.length === 0 ? {} : { tools: toolSet(request.tools) }),
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.effort === undefined ? {} : { reasoning: request.effort }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(options === undefined ? {} : { providerOptions: options }),
      // They come from the stored conversation, not from a client.
      allowSystemInMessages: true,
      // Retries are done above, where they are visible.
      maxRetries: 0,
      abortSignal: signal,
      // Errors are read from the stream; without this they would also be printed.
      onError: () => undefined,
    });
    let usage: AnswerMetadata['usage'];
    let cost: number | undefined;
    let reason: FinishReason | undefined;
    let raw: string | undefined;
    let isEmpty = true;
    for await (const part of result.stream) {
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
        const type = part.type === 'text-delta' ? 'text' : 'reasoning';
        if (type === 'text' && part.text.trim() !== '') isEmpty = false;
        request.onPiece(type, part.id, part.text);
        const { id: key, providerMetadata } = part;
        if (providerMetadata !== undefined) request.onNote({ event: 'noted', type, key, providerMetadata });
      } else if (part.type === 'text-start' || part.type === 'reasoning-start') {
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        request.onNote({ event: 'begun', type, key: part.id, providerMetadata: part.providerMetadata });
      } else if (part.type === 'text-end' || part.type === 'reasoning-end') {
        const type = part.type === 'text-end' ? 'text' : 'reasoning';
        request.onNote({ event: 'ended', type, key: part.id, providerMetadata: part.providerMetadata });
      } else if (part.type === 'start-step') {
        if (part.warnings.some(isAboutTemperature)) request.onTemperatureIgnored();
      } else if (part.type === 'finish-step') {
        cost = reportedCost(part.providerMetadata);
      } else if (part.type === 'tool-input-start') {
        request.onCallBegun(part.id, part.toolName);
      } else if (part.type === 'tool-call') {
        isEmpty = false;
        request.onCall({
          callId: part.toolCallId,
          toolName: part.toolName,
          input: part.input,
          ...(part.invalid === true ? { problem: asError(part.error) } : {}),
          ...(part.providerMetadata === undefined ? {} : { providerMetadata: part.providerMetadata }),
        });
      } else if (part.type === 'error') {
        // Leaving the loop closes the stream and with it the connection.
        throw part.error;
      } else if (part.type === 'finish') {
        usage = usageOf(part.totalUsage);
        reason = part.finishReason;
        raw = part.rawFinishReason;
      }
    }
    if (signal.aborted) return { status: 'interrupted' };
    const end = endOfAnswer({ reason, raw, isEmpty, modelLabel: model.label });
    return { ...end, ...(usage === undefined ? {} : { usage }), ...(cost === undefined ? {} : { cost }) };
  } catch (error) {
    if (signal.aborted) return { status: 'interrupted' };
    return { status: 'failed', error: describeModelError(error, model.label, target.provider.protocol) };
  }
}

/** Tools in the AI SDK's form: without an execute function, it only reads calls and checks their input. */
function toolSet(tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input, read }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema(input), { validate: readBy(read) }) }),
    ]),
  );
}

/** OpenAI refuses a longer one. Where only the beginnings of two keys are equal, they share a cache, which harms nothing. */
const MAX_CACHE_KEY = 64;

function cacheOptions(key: string | undefined, { provider }: Target): ProviderOptions | undefined {
  return key === undefined ? undefined : provider.cacheKey?.(key.slice(0, MAX_CACHE_KEY));
}

/** A call then has the input that its tool reads, or the reason why it reads none. */
function readBy(
  read: AgentTool['read'],
): NonNullable<NonNullable<Parameters<typeof jsonSchema>[1]>['validate']> {
  return async (given) => {
    try {
      return { success: true, value: await read(given) };
    } catch (error) {
      return { success: false, error: asError(error) };
    }
  };
}

/** The caller and the user may each set a limit; both apply. */
function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const set = limits.filter((limit) => limit !== undefined);
  return set.length === 0 ? undefined : Math.min(...set);
}

function isAboutTemperature(warning: CallWarning): boolean {
  return 'feature' in warning && warning.feature === 'temperature';
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function usageOf(usage: LanguageModelUsage): AnswerMetadata['usage'] {
  const { inputTokens, outputTokens, inputTokenDetails: input, outputTokenDetails: output } = usage;
  // A server that counts nothing may say so with zeros.
  if ((inputTokens ?? 0) === 0 && (outputTokens ?? 0) === 0) return undefined;
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = input;
  const { reasoningTokens = 0 } = output;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(cacheReadTokens > 0 ? { cachedTokens: cacheReadTokens } : {}),
    ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens > 0 ? { reasoningTokens } : {}),
  };
}

export interface DescribedAnswer {
  readonly model: ChatModel;
  /** The one that took effect. */
  readonly temperature: number | undefined;
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
  /** For how long of this calls waited for the user's approval, in milliseconds. */
  readonly waited?: number;
}

export function describeAnswer(answer: DescribedAnswer): AnswerMetadata {
  const {
    model,
    temperature,
    effort,
    mode,
    outcome,
    usage,
    cost,
    startedAt,
    finishedAt,
    waited = 0,
  } = answer;
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
    ...(waited === 0 ? {} : { waited }),
  };
}
