import { z } from 'zod';
import type { HostedModel } from '../../providerFacts.ts';

export const tokens = z.number().positive().optional().catch(undefined);

export const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      owned_by: z.string().optional().catch(undefined),
      // None of these is OpenAI's: Groq and others, OpenRouter and others, vLLM, LM Studio, llama.cpp.
      context_window: tokens,
      context_length: tokens,
      max_model_len: tokens,
      max_context_length: tokens,
      meta: z.object({ n_ctx: tokens }).nullish().catch(undefined),
      /** llama.cpp with several models. */
      status: z.object({ value: z.string() }).optional().catch(undefined),
    }),
  ),
});
export type ListedEntry = z.infer<typeof modelList>['data'][number];

/** Undefined when it is not a list in OpenAI's form. */
export function openAiModels(body: unknown): HostedModel[] | undefined {
  return modelList.safeParse(body).data?.data.map(modelOf);
}

export function modelOf({ id, meta, ...entry }: ListedEntry): HostedModel {
  const contextWindow =
    meta?.n_ctx ??
    entry.max_model_len ??
    entry.context_window ??
    entry.context_length ??
    entry.max_context_length;
  return { name: id, ...(contextWindow === undefined ? {} : { contextWindow }) };
}
