import { openAiModels } from '../compatible/openAiModels.ts';
import { SHORT_CALL_IDS, THREE_EFFORTS, type HostedProvider } from '../../providerFacts.ts';

/** https://console.groq.com/docs/openai */
export const groq: HostedProvider<'groq'> = {
  id: 'groq',
  label: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  keyPage: 'https://console.groq.com/keys',
  modelsPath: '/models',
  smallModel: 'openai/gpt-oss-20b',
  callIds: SHORT_CALL_IDS,
  maxTools: 128,
  images: { maxBytes: 4 * 1024 * 1024, maxCount: 5 },
  wantsOneText: true,
  efforts: (name) => {
    if (name.includes('gpt-oss')) return THREE_EFFORTS;
    return name.includes('qwen3') ? ['none'] : [];
  },
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readModels: (body) =>
    openAiModels(body)
      ?.filter(({ name }) => !/whisper|tts|guard|orpheus|safeguard/u.test(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  open: async (name, { baseUrl, key, fetch }) => {
    const { createOpenAICompatible, withTaggedReasoning } = await import('../providers.ts');
    const settings = { name: 'groq', baseURL: baseUrl, apiKey: key, includeUsage: true, fetch };
    return withTaggedReasoning(createOpenAICompatible(settings).chatModel(name));
  },
};
