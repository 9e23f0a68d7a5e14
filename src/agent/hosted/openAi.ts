import { openAiModels } from '../openAiCompatible.ts';
import type { HostedProvider } from './hostedSource.ts';

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
