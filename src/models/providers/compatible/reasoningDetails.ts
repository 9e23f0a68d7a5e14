import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { z } from 'zod';
import type { OpenedModel } from '../../chatModel.ts';
import { mergedMetadata } from '../../messages/partMetadata.ts';
import { changedStream } from '../../requests/changedStream.ts';
import {
  detailsMetadata,
  keptDetails,
  OPENROUTER,
  reasoningDetails,
  type ReasoningDetail,
} from '../../requests/keptDetails.ts';
import {
  isCall,
  type AssistantMessage,
  type PromptMessage,
  type ProviderOptions,
} from '../../requests/prompt.ts';

export interface ReasoningDetailsOptions {
  /** The message has no other member for reasoning. */
  readonly areInsteadOfReasoning: boolean;
  /** Stands in for those of a call by another model, for models that refuse a call without. Default: none. */
  readonly standIn?: ((callId: string) => ReasoningDetail) | undefined;
}

const chunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: z.looseObject({ reasoning_details: reasoningDetails }) })).min(1),
});

/**
 * Keeps the `reasoning_details` of an answer with its parts, and sends them back unchanged with the message: a model
 * behind the gateway refuses the next step without them.
 */
export function withReasoningDetails(model: OpenedModel, options: ReasoningDetailsOptions): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) => {
        // Only chunks as they were sent contain them.
        return Promise.resolve({
          ...params,
          includeRawChunks: true,
          prompt: givenBack(params.prompt, options),
        });
      },
      wrapStream: changedStream(collector),
    },
  });
}

function collector(): Transformer<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let pending: readonly ReasoningDetail[] = [];
  const noted = (metadata: ProviderOptions | undefined): { readonly providerMetadata?: ProviderOptions } => {
    const all = mergedMetadata(metadata, pending.length === 0 ? undefined : detailsMetadata(pending));
    pending = [];
    return all === undefined ? {} : { providerMetadata: all };
  };
  return {
    transform: (part, controller) => {
      switch (part.type) {
        case 'raw':
          pending = merged([...pending, ...sentIn(part.rawValue)]);
          break;
        // They belong to what they precede; encrypted ones come without a word of reasoning.
        case 'reasoning-end':
        case 'text-end':
        case 'tool-call':
          controller.enqueue({ ...part, ...noted(part.providerMetadata) });
          break;
        case 'finish':
          if (pending.length > 0) {
            controller.enqueue({ type: 'reasoning-start', id: OPENROUTER });
            controller.enqueue({ type: 'reasoning-end', id: OPENROUTER, ...noted(undefined) });
          }
          controller.enqueue(part);
          break;
        default:
          controller.enqueue(part);
      }
    },
  };
}

function sentIn(rawChunk: unknown): readonly ReasoningDetail[] {
  return chunk.safeParse(rawChunk).data?.choices[0]?.delta.reasoning_details ?? [];
}

/** Joins the pieces of one detail, as it would have been sent without a stream. */
function merged(all: readonly ReasoningDetail[]): ReasoningDetail[] {
  const joined: ReasoningDetail[] = [];
  for (const next of all) {
    const last = joined.at(-1);
    if (last === undefined || !continues(last, next)) joined.push(next);
    else joined[joined.length - 1] = join(last, next);
  }
  return joined;
}

const TEXTS = ['text', 'summary'] as const;

function continues(last: ReasoningDetail, next: ReasoningDetail): boolean {
  const isSame = (name: string): boolean =>
    last[name] === undefined || last[name] === null || next[name] === undefined || next[name] === null
      ? true
      : last[name] === next[name];
  const isText = next['type'] === 'reasoning.text' || next['type'] === 'reasoning.summary';
  // Text after a signature is another block, whose own signature follows.
  const isSigned =
    typeof last['signature'] === 'string' && typeof next['text'] === 'string' && next['text'] !== '';
  return isText && last['type'] === next['type'] && isSame('index') && isSame('id') && !isSigned;
}

function join(last: ReasoningDetail, next: ReasoningDetail): ReasoningDetail {
  const given = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null));
  const texts = TEXTS.flatMap((name): [string, string][] =>
    typeof last[name] === 'string' && typeof next[name] === 'string' ? [[name, last[name] + next[name]]] : [],
  );
  return { ...last, ...given, ...Object.fromEntries(texts) };
}

/** Those of a message that occurs a second time are left out: providers refuse an item that comes twice. */
function givenBack(
  prompt: readonly PromptMessage[],
  { areInsteadOfReasoning, standIn }: ReasoningDetailsOptions,
): PromptMessage[] {
  const seen = new Set<string>();
  return prompt.map((message) => {
    if (message.role !== 'assistant') return message;
    const all = merged(message.content.flatMap(({ providerOptions }) => keptDetails(providerOptions)));
    const ids = all.flatMap(idOf);
    const isSecond = ids.some((id) => seen.has(id));
    for (const id of ids) seen.add(id);
    const own = isSecond ? [] : all.filter(isComplete);
    const call = own.length === 0 ? message.content.find(isCall) : undefined;
    const sent = standIn && call ? [standIn(call.toolCallId)] : own;
    const content = areInsteadOfReasoning
      ? message.content.filter(({ type }) => type !== 'reasoning')
      : message.content;
    return withDetails({ ...message, content }, sent);
  });
}

function idOf({ type, id }: ReasoningDetail): string[] {
  return typeof id === 'string' && id !== '' ? [JSON.stringify([type, id])] : [];
}

/** Anthropic refuses thinking whose signature did not arrive. */
function isComplete({ type, format, signature }: ReasoningDetail): boolean {
  const wantsSignature =
    type === 'reasoning.text' && typeof format === 'string' && format.startsWith('anthropic');
  return !wantsSignature || (typeof signature === 'string' && signature !== '');
}

function withDetails(message: AssistantMessage, found: readonly ReasoningDetail[]): AssistantMessage {
  if (found.length === 0) return message;
  return {
    ...message,
    // The AI SDK adds what stands under this name to the message.
    providerOptions:
      mergedMetadata(message.providerOptions, {
        openaiCompatible: { reasoning_details: [...found] },
      }) ?? {},
  };
}
