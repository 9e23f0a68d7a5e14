import { wrapLanguageModel } from 'ai';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { z } from 'zod';
import type { OpenedModel } from '../chatModel.ts';
import { INPUT_BOUNDS, leftOut, textBeyondBounds, type JsonBounds } from '../messages/jsonBounds.ts';
import { changedStream } from './changedStream.ts';

const BOUNDS = ['depth', 'values', 'text'] as const satisfies readonly (keyof JsonBounds)[];

const marked = z.looseObject({ offshoot: z.looseObject({ beyond: z.enum(BOUNDS) }) });

/** Omits call inputs that the AI SDK's recursive walk would not survive; the call's metadata records the problem. */
export function boundedCalls(model: OpenedModel): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: { specificationVersion: 'v4', wrapStream: changedStream(() => ({ transform })) },
  });
}

/** Which bound the omitted input of a call exceeded. */
export function beyondIn(providerMetadata: unknown): keyof JsonBounds | undefined {
  return marked.safeParse(providerMetadata).data?.offshoot.beyond;
}

function transform(
  part: LanguageModelV4StreamPart,
  controller: TransformStreamDefaultController<LanguageModelV4StreamPart>,
): void {
  const beyond = part.type === 'tool-call' ? textBeyondBounds(part.input, INPUT_BOUNDS) : undefined;
  if (part.type !== 'tool-call' || beyond === undefined) {
    controller.enqueue(part);
    return;
  }
  controller.enqueue({
    ...part,
    input: '{}',
    providerMetadata: { ...part.providerMetadata, ...leftOut(beyond) },
  });
}
