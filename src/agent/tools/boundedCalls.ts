import { wrapLanguageModel } from 'ai';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { z } from 'zod';
import type { OpenedModel } from '../chatModel.ts';
import { INPUT_BOUNDS, leftOut, textBeyondBounds, type JsonBounds } from './jsonBounds.ts';

const BOUNDS = ['depth', 'values', 'text'] as const satisfies readonly (keyof JsonBounds)[];

const marked = z.looseObject({ offshoot: z.looseObject({ beyond: z.enum(BOUNDS) }) });

/**
 * The same model without the inputs of calls that are too deep or too large: the AI SDK walks inputs by recursion, and
 * an answer would end there. What was wrong stands in the metadata of the call.
 */
export function boundedCalls(model: OpenedModel): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        return { ...rest, stream: stream.pipeThrough(new TransformStream({ transform })) };
      },
    },
  });
}

/** What of the input of a call was beyond the bounds, so that it was left out. */
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
