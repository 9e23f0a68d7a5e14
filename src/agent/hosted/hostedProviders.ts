import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import type { HostedProvider } from './hostedSource.ts';
import { openAiModels } from '../openAiCompatible.ts';

/**
 * OpenAI through its Responses API: Chat Completions refuses tools together with reasoning on current models, and
 * loses the model's reasoning between two calls.
 */
export const openAi: HostedProvider = {
  id: 'openai',
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  keyPage: 'https://platform.openai.com/api-keys',
  modelsPath: '/models',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readModels: (body) =>
    openAiModels(body)
      ?.filter(({ name }) => isForConversations(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  open: async (name, { baseUrl, key, fetch, refused }) => {
    const { createOpenAI, withSettings } = await import('./providers.ts');
    const model = createOpenAI({ baseURL: baseUrl, apiKey: key, fetch }).responses(name);
    return withSettings(model, {
      refused,
      optionsFor: () => ({
        openai: {
          // Their side keeps nothing of a conversation; the reasoning is sent encrypted instead.
          store: false,
          ...(mayThink(name) ? { reasoningSummary: 'auto' } : {}),
        },
      }),
      // Strict is the default here, and would make every optional member required.
      isStrict: false,
      // Summaries are only for verified organizations; all others get the answer without them.
      onRefusal: (message) =>
        /reasoning\.summary|reasoning summar|verified to generate/iu.test(message)
          ? { openai: { reasoningSummary: null } }
          : undefined,
    });
  },
};

function isForConversations(name: string): boolean {
  return (
    /^(gpt-|chatgpt-|o\d)/u.test(name) &&
    !/audio|realtime|transcribe|tts|image|search|instruct|embedding|moderation|research/u.test(name)
  );
}

/** Models that reason: the o series, and all since GPT-5. */
function mayThink(name: string): boolean {
  return /^o\d|^gpt-[5-9](?!\d|-chat)/u.test(name);
}

/** https://console.groq.com/docs/openai */
export const groq: HostedProvider = {
  id: 'groq',
  label: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  keyPage: 'https://console.groq.com/keys',
  modelsPath: '/models',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readModels: (body) =>
    openAiModels(body)
      ?.filter(({ name }) => !/whisper|tts|guard|orpheus|safeguard/u.test(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  open: async (name, { baseUrl, key, fetch }) => {
    const { createOpenAICompatible } = await import('./providers.ts');
    const settings = { name: 'groq', baseURL: baseUrl, apiKey: key, includeUsage: true, fetch };
    return createOpenAICompatible(settings).chatModel(name);
  },
};

/** The providers for which a user can set a key, by name. */
export const hostedProviders: readonly HostedProvider[] = [anthropic, google, groq, openAi];
