import { z } from 'zod';
import { geminiThinks } from '../reasoning/efforts.ts';
import type { HostedProvider } from './hostedSource.ts';

const modelList = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1),
      displayName: z.string().optional(),
      inputTokenLimit: z.number().positive().optional(),
      supportedGenerationMethods: z.array(z.string()).optional(),
      thinking: z.boolean().optional(),
    }),
  ),
});

/** https://ai.google.dev/api/models */
export const google: HostedProvider = {
  id: 'google',
  label: 'Google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyPage: 'https://aistudio.google.com/apikey',
  modelsPath: '/models?pageSize=1000',
  headers: (key) => ({ 'x-goog-api-key': key }),
  readModels: (body) =>
    modelList
      .safeParse(body)
      .data?.models.filter(
        ({ name, supportedGenerationMethods: methods }) =>
          (methods?.includes('generateContent') ?? true) &&
          !/embedding|imagen|tts|image|audio|live/u.test(name),
      )
      .map(({ name, displayName: label, inputTokenLimit: contextWindow, thinking }) => ({
        name: name.replace(/^models\//u, ''),
        ...(label === undefined ? {} : { label }),
        ...(contextWindow === undefined ? {} : { contextWindow }),
        capabilities: ['tools', 'images', ...(thinking ? (['reasoning'] as const) : [])],
      })),
  open: async (name, { baseUrl, key, fetch }) => {
    const { createGoogle, withSettings } = await import('./providers.ts');
    const model = createGoogle({ baseURL: baseUrl, apiKey: key, fetch }).languageModel(name);
    return withSettings(model, {
      // Its reasoning is hidden unless requested.
      optionsFor: ({ reasoning }) =>
        geminiThinks(name) && reasoning !== 'none'
          ? { google: { thinkingConfig: { includeThoughts: true } } }
          : {},
    });
  },
};
