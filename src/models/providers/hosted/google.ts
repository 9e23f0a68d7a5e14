import { z } from 'zod';
import type { ReasoningEffort } from '../../chatModel.ts';
import { THREE_EFFORTS, type HostedProvider, type ProviderFacts } from '../../providerFacts.ts';
import type { ModelSettings } from '../withSettings.ts';

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

/** What Gemini accepts, wherever it runs. */
export const geminiFacts: ProviderFacts = {
  smallModel: 'gemini-3.5-flash-lite',
  protocol: 'Gemini',
  // It requires a name to begin like an identifier.
  toolNames: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/u,
  schemas: { formats: new Set(['date-time', 'date', 'time']), isTyped: true },
  images: { types: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'] },
  // https://ai.google.dev/gemini-api/docs/document-processing: 1,000 pages; without an upload, 20 MB.
  pdfs: { maxBytes: 18_000_000, maxPages: 1_000 },
  readsNoPdfs: /^gemma/u,
  // https://ai.google.dev/gemini-api/docs/function-calling
  takesFilesInResults: isGemini3,
  wantsSignatures: isGemini3,
  efforts,
};

/** https://ai.google.dev/api/models */
export const google: HostedProvider<'google'> = {
  ...geminiFacts,
  id: 'google',
  label: 'Google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyPage: 'https://aistudio.google.com/apikey',
  modelsPath: '/models?pageSize=1000',
  metadata: 'google',
  headers: (key) => ({ 'x-goog-api-key': key }),
  readModels: (body) =>
    modelList
      .safeParse(body)
      .data?.models.filter(
        ({ name, supportedGenerationMethods: methods }) =>
          (methods?.includes('generateContent') ?? true) && isForConversations(name),
      )
      .map(({ name, displayName: label, inputTokenLimit: contextWindow, thinking }) => ({
        name: name.replace(/^models\//u, ''),
        ...(label === undefined ? {} : { label }),
        ...(contextWindow === undefined ? {} : { contextWindow }),
        capabilities: ['tools', 'images', ...(thinking ? (['reasoning'] as const) : [])],
      })),
  open: async (name, { baseUrl, key, fetch }) => {
    const { createGoogle, withSettings } = await import('../providers.ts');
    const model = createGoogle({ baseURL: baseUrl, apiKey: key, fetch }).languageModel(name);
    return withSettings(model, geminiSettings(name));
  },
};

/** For the requests to a Gemini. */
export function geminiSettings(name: string): ModelSettings {
  return {
    // Its reasoning is hidden unless requested.
    optionsFor: ({ reasoning }) =>
      thinks(name) && reasoning !== 'none' ? { google: { thinkingConfig: { includeThoughts: true } } } : {},
  };
}

/** Not for pictures, speech or search. */
export function isForConversations(name: string): boolean {
  return !/embedding|imagen|tts|image|audio|live|transcri/u.test(name);
}

/** Gemini 3 and later; names without a number mean the newest. */
function isGemini3(name: string): boolean {
  return /^gemini-(?:[3-9]|[1-9]\d|flash|pro)/u.test(name);
}

/** Whether a Google model reasons and accepts a request to show it. */
export function thinks(name: string): boolean {
  return /^gemini-(?:2\.5|[3-9]|(?:flash|pro)(?:-lite)?-latest)/u.test(name);
}

/** https://ai.google.dev/gemini-api/docs/thinking */
function efforts(name: string): readonly ReasoningEffort[] {
  if (!thinks(name)) return [];
  if (name.startsWith('gemini-2.5')) return name.includes('pro') ? THREE_EFFORTS : ['none', ...THREE_EFFORTS];
  return name.includes('flash') && !name.endsWith('-latest') ? ['minimal', ...THREE_EFFORTS] : THREE_EFFORTS;
}
