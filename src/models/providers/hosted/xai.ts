import { z } from 'zod';
import type { RequestPrices } from '../../../engine/estimate/modelPrices.ts';
import type { ReasoningEffort } from '../../chatModel.ts';
import { THREE_EFFORTS, type HostedProvider } from '../../providerFacts.ts';
import { openResponses } from './openAi.ts';

/** In cents per 100 million tokens. */
const price = z.number().nonnegative().nullish().catch(undefined);

const modelList = z.object({
  models: z.array(
    z.object({
      id: z.string().min(1),
      input_modalities: z.array(z.string()).default([]),
      context_length: z.number().positive().optional().catch(undefined),
      prompt_text_token_price: price,
      cached_prompt_text_token_price: price,
      completion_text_token_price: price,
      long_context_threshold: z.number().nullish().catch(undefined),
      prompt_text_token_price_long_context: price,
      cached_prompt_text_token_price_long_context: price,
      completion_text_token_price_long_context: price,
    }),
  ),
});
type Listed = z.infer<typeof modelList>['models'][number];

/**
 * https://docs.x.ai/developers: through its Responses API, because chat completions lose the model's reasoning between
 * two calls.
 */
export const xai: HostedProvider<'xai'> = {
  id: 'xai',
  label: 'xAI',
  baseUrl: 'https://api.x.ai/v1',
  keyPage: 'https://console.x.ai',
  modelsPath: '/language-models',
  protocol: 'OpenAI Responses',
  // The table has them as OpenRouter sells them: at xAI's own prices.
  listedAs: (name) => `openrouter/x-ai/${name}`,
  maxTools: 128,
  images: { types: ['image/png', 'image/jpeg'], maxBytes: 20 * 1024 * 1024 },
  metadata: 'openai',
  reasoning: 'items',
  efforts,
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readModels: (body) =>
    modelList.safeParse(body).data?.models.map((model) => {
      const { id: name, input_modalities: inputs, context_length: contextWindow } = model;
      const prices = pricesOf(model);
      return {
        name,
        ...(contextWindow === undefined ? {} : { contextWindow }),
        ...(prices === undefined ? {} : { price: prices }),
        capabilities: [
          'tools',
          ...(inputs.includes('image') ? (['images'] as const) : []),
          ...(thinks(name) ? (['reasoning'] as const) : []),
        ],
      };
    }),
  open: (name, access) =>
    openResponses({
      name,
      access,
      // A summary that nobody asked for is not asked for there.
      options: { forceReasoning: thinks(name), systemMessageMode: 'system', reasoningSummary: null },
      provider: 'xai',
    }),
};

function pricesOf(model: Listed): RequestPrices | undefined {
  const short = inDollars(
    model.prompt_text_token_price,
    model.completion_text_token_price,
    model.cached_prompt_text_token_price,
  );
  const long = inDollars(
    model.prompt_text_token_price_long_context,
    model.completion_text_token_price_long_context,
    model.cached_prompt_text_token_price_long_context,
  );
  const above = model.long_context_threshold ?? 0;
  return short && { ...short, ...(long && above > 0 ? { tiers: [{ above, ...long }] } : {}) };
}

type Price = z.infer<typeof price>;

/** Per million tokens. */
function inDollars(
  input: Price,
  output: Price,
  cachedInput: Price,
): Pick<RequestPrices, 'input' | 'output' | 'cachedInput'> | undefined {
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  return {
    input: input / 10_000,
    output: output / 10_000,
    ...(typeof cachedInput === 'number' ? { cachedInput: cachedInput / 10_000 } : {}),
  };
}

function thinks(name: string): boolean {
  return !/non-reasoning|^grok-(?:2|3(?!-mini))/u.test(name);
}

/** https://docs.x.ai/developers/model-capabilities/text/reasoning: the others refuse to be told. */
function efforts(name: string): readonly ReasoningEffort[] {
  if (/^grok-4\.3(?:$|-)/u.test(name)) return ['none', ...THREE_EFFORTS];
  return /^grok-(?:4\.[5-9](?:$|-)|[5-9](?!\d)|latest)/u.test(name) ? THREE_EFFORTS : [];
}
