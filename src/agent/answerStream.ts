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
import { z } from 'zod';
import type { AnswerPartType, PartNote } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { ChatModel } from './chatModel.ts';
import { describeModelError } from './describeModelError.ts';
import { endOfAnswer } from './endOfAnswer.ts';
import type { RequestPace } from './explore/requestPace.ts';
import type { ReasoningEffort } from './reasoning/efforts.ts';
import { retrying, type Retry } from './retry.ts';
import type { Scheduler } from './scheduler.ts';
import { fitted } from './sending/fitted.ts';
import { targetOf } from './sending/target.ts';
import { boundedCalls } from './tools/boundedCalls.ts';
import type { AgentTool } from './tools/tool.ts';

/** A call of a tool as the model made it. */
export interface RequestedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Why it cannot be carried out: there is no such tool, or the input is not what it takes. */
  readonly problem?: Error;
  readonly providerMetadata?: Record<string, Record<string, unknown>>;
}

export interface AnswerRequest {
  readonly model: ChatModel;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  /** What the model may call; they are listed in the request, and calls are handed to the caller. */
  readonly tools: readonly AgentTool[];
  /** Undefined: the model's own. */
  readonly temperature: number | undefined;
  /** How hard the model is to think; undefined: as it does by itself. */
  readonly effort?: ReasoningEffort | undefined;
  /** The most it may write, in tokens; undefined: as much as it can. */
  readonly maxOutputTokens?: number | undefined;
  readonly signal: AbortSignal;
  /** Further requests after one that failed before its first word for a reason that may pass. */
  readonly maxRetries: number;
  readonly onPiece: (type: AnswerPartType, partKey: string, text: string) => void;
  /** What its provider says of a piece beside its words: where it begins and ends, and what has to be given back. */
  readonly onNote: (note: Omit<PartNote, 'now'>) => void;
  /** The model has begun to write the call of a tool. */
  readonly onCallBegun: (callId: string, toolName: string) => void;
  readonly onCall: (call: RequestedCall) => void;
  /** The model answers, but not with the temperature it was asked for. */
  readonly onTemperatureIgnored: () => void;
  readonly scheduler: Scheduler;
  /** A request failed and another follows. */
  readonly onRetry: (retry: Retry) => void;
  /** Shared by those who ask one server at once. */
  readonly pace?: RequestPace | undefined;
}

export type AnswerOutcome = Pick<AnswerMetadata, 'status' | 'error' | 'usage' | 'notice'>;

/**
 * Asks the model once and hands on what it says, piece by piece. Never rejects: how it ended is the result.
 * Calls of tools are reported and not carried out here, so that one place decides what happens between two requests.
 * The stream is read once and not kept by the AI SDK, for what arrives is collected by the caller.
 */
export async function streamAnswer(request: AnswerRequest): Promise<AnswerOutcome> {
  const { model, signal } = request;
  try {
    const { maxRetries, scheduler, onRetry, pace } = request;
    const maxOutputTokens = lowest(request.maxOutputTokens, model.maxOutputTokens);
    const served = await model.open();
    const opened = retrying(fitted(served, targetOf(model, served)), {
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
      // They come from the conversation this program stored, not from a client.
      allowSystemInMessages: true,
      // That is done above, where it can be seen.
      maxRetries: 0,
      abortSignal: signal,
      // Errors are read from the stream; without this they would be printed as well.
      onError: () => undefined,
    });
    let usage: AnswerMetadata['usage'];
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
    return { ...end, ...(usage === undefined ? {} : { usage }) };
  } catch (error) {
    if (signal.aborted) return { status: 'interrupted' };
    return { status: 'failed', error: describeModelError(error, model.label) };
  }
}

/** Tools as the AI SDK wants them: without a way to carry them out, it only reads calls and checks their input. */
function toolSet(tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [
      name,
      tool({
        description,
        inputSchema: input instanceof z.ZodType ? input : jsonSchema(input.jsonSchema),
      }),
    ]),
  );
}

/** Whoever asks and the user may each set a limit; both hold. */
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
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
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
