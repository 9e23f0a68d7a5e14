import { openAiModels } from '../openAiCompatible.ts';
import type { HostedProvider } from './hostedSource.ts';

type Kin = Pick<HostedProvider, 'id' | 'label' | 'baseUrl' | 'keyPage'> & {
  readonly isForConversations: (name: string) => boolean;
};

/**
 * Providers that speak OpenAI's chat-completions protocol. It keeps nothing on their side between requests, which their
 * newer protocols do unless told otherwise.
 */
function openAiKin({ isForConversations, ...provider }: Kin): HostedProvider {
  return {
    ...provider,
    modelsPath: '/models',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    readModels: (body) =>
      openAiModels(body)
        ?.filter(({ name }) => isForConversations(name))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    open: async (name, { baseUrl, key, fetch }) => {
      const { createOpenAICompatible } = await import('./providers.ts');
      const settings = { name: provider.id, baseURL: baseUrl, apiKey: key, includeUsage: true, fetch };
      return createOpenAICompatible(settings).chatModel(name);
    },
  };
}

export const openAi = openAiKin({
  id: 'openai',
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  keyPage: 'https://platform.openai.com/api-keys',
  isForConversations: (name) =>
    /^(gpt-|chatgpt-|o\d)/u.test(name) &&
    // Other trades, and models that speak OpenAI's newer protocol only.
    !/audio|realtime|transcribe|tts|image|search|instruct|embedding|moderation|-pro|codex|research/u.test(
      name,
    ),
});

export const groq = openAiKin({
  id: 'groq',
  label: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  keyPage: 'https://console.groq.com/keys',
  isForConversations: (name) => !/whisper|tts|guard|orpheus|safeguard/u.test(name),
});
