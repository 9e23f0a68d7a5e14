import { createOpenAICompatible, type OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { z } from 'zod';
import type { OpenedModel } from '../../chatModel.ts';
import type { HostedAccess } from '../../providerFacts.ts';
import type { ReasoningDetail } from '../../requests/keptDetails.ts';
import { SKIP_SIGNATURE } from '../../requests/reasoning.ts';
import type { PromptMessage, ProviderOptions } from '../../requests/prompt.ts';
import { withTaggedReasoning } from '../../requests/taggedReasoning.ts';
import { costMetadata } from '../../requests/reportedCost.ts';
import { compatibleFetch } from '../compatible/compatibleFetch.ts';
import { withReasoningDetails } from '../compatible/reasoningDetails.ts';

/** A model of OpenRouter, with what its chat completions have beyond OpenAI's. */
export function openRouterModel(name: string, { baseUrl, key, fetch }: HostedAccess): OpenedModel {
  const model = createOpenAICompatible({
    name: 'openrouter',
    baseURL: baseUrl,
    apiKey: key,
    fetch: compatibleFetch({ fetch, key }),
    metadataExtractor: {
      extractMetadata: ({ parsedBody }) => Promise.resolve(costIn(parsedBody)),
      createStreamExtractor: () => {
        let cost: SharedV4ProviderMetadata | undefined;
        return {
          processChunk: (chunk) => void (cost = costIn(chunk) ?? cost),
          buildMetadata: () => cost,
        };
      },
    },
    convertUsage,
    transformRequestBody: requestBody,
  }).chatModel(name);
  return withReasoningDetails(
    wrapLanguageModel({
      model: withTaggedReasoning(model),
      middleware: {
        specificationVersion: 'v4',
        transformParams: ({ params }) =>
          Promise.resolve({ ...params, prompt: params.prompt.map(withMarkOnPart) }),
      },
    }),
    { areInsteadOfReasoning: true, standIn: isGemini3(name) ? skippedSignature : undefined },
  );
}

/** Gemini 3 and later; names without a number mean the newest. */
function isGemini3(name: string): boolean {
  return /^~?google\/gemini-(?:[3-9]|[1-9]\d|flash|pro)/u.test(name);
}

/** In the form of the signatures that come from Gemini through OpenRouter. */
function skippedSignature(id: string): ReasoningDetail {
  return { type: 'reasoning.encrypted', data: SKIP_SIGNATURE, id, format: 'google-gemini-v1', index: 0 };
}

/** The AI SDK reads the options of a message only where it has several parts. */
function withMarkOnPart(message: PromptMessage): PromptMessage {
  const { providerOptions, ...rest } = message;
  if (providerOptions === undefined) return message;
  switch (rest.role) {
    case 'user':
      return {
        ...rest,
        content: markedAt(rest.content, rest.content.findLastIndex(isText), providerOptions),
      };
    case 'tool':
      return { ...rest, content: markedAt(rest.content, rest.content.length - 1, providerOptions) };
    default:
      return message;
  }
}

function isText({ type }: { readonly type: string }): boolean {
  return type === 'text';
}

function markedAt<P extends object>(
  parts: readonly P[],
  index: number,
  providerOptions: ProviderOptions,
): P[] {
  return parts.map((part, at) => (at === index ? { ...part, providerOptions } : part));
}

const amount = z.number().min(0).nullish().catch(undefined);

const billed = z.looseObject({
  usage: z.looseObject({
    cost: z.number().min(0),
    is_byok: z.boolean().nullish().catch(undefined),
    cost_details: z.looseObject({ upstream_inference_cost: amount }).nullish().catch(undefined),
  }),
});

/** https://openrouter.ai/docs/use-cases/usage-accounting: a credit is a dollar; own keys are billed by their provider. */
function costIn(body: unknown): SharedV4ProviderMetadata | undefined {
  const { usage } = billed.safeParse(body).data ?? {};
  if (usage === undefined) return undefined;
  const upstream = usage.is_byok === true ? (usage.cost_details?.upstream_inference_cost ?? 0) : 0;
  return costMetadata(usage.cost + upstream);
}

const written = z.looseObject({ cache_write_tokens: amount }).optional().catch(undefined);

type ConvertUsage = NonNullable<OpenAICompatibleProviderSettings['convertUsage']>;

const convertUsage: ConvertUsage = (usage): LanguageModelV4Usage => {
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  const { prompt_tokens_details: inputDetails, completion_tokens_details: outputDetails } = usage ?? {};
  const cacheRead = inputDetails?.cached_tokens ?? 0;
  const cacheWrite = written.parse(inputDetails ?? undefined)?.cache_write_tokens ?? 0;
  const reasoning = outputDetails?.reasoning_tokens ?? 0;
  return {
    inputTokens: {
      total: input ?? undefined,
      noCache: typeof input === 'number' ? Math.max(0, input - cacheRead - cacheWrite) : undefined,
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: output ?? undefined,
      text: typeof output === 'number' ? Math.max(0, output - reasoning) : undefined,
      reasoning,
    },
  };
};

const sentMessages = z.array(
  z.looseObject({ role: z.string(), content: z.unknown().optional(), cache_control: z.unknown().optional() }),
);

/**
 * Moves the mark of a message to its text, where the protocol has it. With marks, each text is a part, so that a
 * message is the same with and without one. Usage with costs is asked for.
 */
function requestBody(body: Record<string, unknown>): Record<string, unknown> {
  const { messages, reasoning_effort: effort, ...rest } = body;
  const sent = sentMessages.parse(messages);
  const areMarked = sent.some(({ cache_control: mark }) => mark !== undefined);
  return {
    ...rest,
    messages: sent.map(({ cache_control: mark, ...message }) => {
      const { content: text, role } = message;
      if (!areMarked || typeof text !== 'string' || role === 'assistant') return message;
      const part = { type: 'text', text, ...(mark === undefined ? {} : { cache_control: mark }) };
      return { ...message, content: [part] };
    }),
    ...(effort === undefined ? {} : { reasoning: { effort } }),
    usage: { include: true },
  };
}
