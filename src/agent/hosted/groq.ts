import { openAiModels } from '../openAiCompatible.ts';
import type { HostedProvider } from './hostedSource.ts';

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
