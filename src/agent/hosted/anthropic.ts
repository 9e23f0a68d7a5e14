import { z } from 'zod';
import { thinksAdaptively } from '../reasoning/efforts.ts';
import type { HostedProvider } from './hostedSource.ts';

const support = z.object({ supported: z.boolean() }).optional().catch(undefined);

const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      display_name: z.string().optional(),
      max_input_tokens: z.number().positive().nullish(),
      capabilities: z.object({ image_input: support, thinking: support }).nullish().catch(undefined),
    }),
  ),
});

/** https://docs.claude.com/en/api/models-list */
export const anthropic: HostedProvider = {
  id: 'anthropic',
  label: 'Anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  keyPage: 'https://console.anthropic.com/settings/keys',
  modelsPath: '/models?limit=1000',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  // Anthropic requires browsers to acknowledge the risk of a key in a page: here the editor keeps the key.
  browserHeaders: { 'anthropic-dangerous-direct-browser-access': 'true' },
  readModels: (body) =>
    modelList
      .safeParse(body)
      .data?.data.map(({ id, display_name: label, max_input_tokens: contextWindow, capabilities: can }) => ({
        name: id,
        ...(label === undefined ? {} : { label }),
        ...(typeof contextWindow === 'number' ? { contextWindow } : {}),
        capabilities: [
          'tools',
          ...(can?.image_input?.supported ? (['images'] as const) : []),
          ...(can?.thinking?.supported ? (['reasoning'] as const) : []),
        ],
      })),
  open: async (name, { baseUrl, key, fetch }) => {
    const { createAnthropic, withSettings } = await import('./providers.ts');
    const model = createAnthropic({ baseURL: baseUrl, apiKey: key, fetch }).languageModel(name);
    if (!thinksAdaptively(name)) return model;
    return withSettings(model, {
      // Some models always think and hide it; the AI SDK expresses a chosen effort in a prompt. A temperature is
      // refused together with thinking.
      optionsFor: ({ reasoning = 'provider-default', temperature }) =>
        reasoning === 'provider-default' && temperature === undefined
          ? { anthropic: { thinking: { type: 'adaptive', display: 'summarized' } } }
          : {},
    });
  },
};
