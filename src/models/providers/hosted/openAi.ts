import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { OpenedModel, ReasoningEffort } from '../../chatModel.ts';
import { openAiModels } from '../compatible/openAiModels.ts';
import { THREE_EFFORTS, type HostedAccess, type HostedProvider } from '../../providerFacts.ts';

/**
 * OpenAI through its Responses API: Chat Completions refuses tools together with reasoning on current models, and
 * loses the model's reasoning between two calls.
 */
export const openAi: HostedProvider<'openai'> = {
  id: 'openai',
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  keyPage: 'https://platform.openai.com/api-keys',
  modelsPath: '/models',
  smallModel: 'gpt-6-luna',
  protocol: 'OpenAI Responses',
  maxTools: 128,
  // https://developers.openai.com/api/docs/guides/file-inputs: 50 MB.
  pdfs: { maxBytes: 48_000_000 },
  readsNoPdfs: /^(?:gpt-3\.5|gpt-4(?:-\d|-turbo|$)|o1-mini|o1-preview|o3-mini)/u,
  // The `output` of a `function_call_output`.
  takesFilesInResults: () => true,
  metadata: 'openai',
  reasoning: 'items',
  cacheKey: (key) => ({ openai: { promptCacheKey: key } }),
  efforts,
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readModels: (body) =>
    openAiModels(body)
      ?.filter(({ name }) => isForConversations(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  open: (name, access) =>
    openResponses({ name, access, options: mayThink(name) ? { reasoningSummary: 'auto' } : {} }),
};

export interface ResponsesModel {
  readonly name: string;
  readonly access: HostedAccess;
  /** What the AI SDK cannot tell by the name, and what else its requests say. */
  readonly options: SharedV4ProviderOptions[string];
  /** Default: OpenAI. */
  readonly provider?: string;
}

/** A model with the Responses API. */
export async function openResponses({
  name,
  access: { baseUrl, key, fetch, refused },
  options,
  provider = 'openai',
}: ResponsesModel): Promise<OpenedModel> {
  const { createOpenAI, withSettings } = await import('../providers.ts');
  const model = createOpenAI({ name: provider, baseURL: baseUrl, apiKey: key, fetch }).responses(name);
  return withSettings(model, {
    refused,
    // Their side keeps nothing of a conversation; the reasoning is sent encrypted instead.
    optionsFor: () => ({ openai: { store: false, ...options } }),
    // The published schema requires it.
    imageOptions: { openai: { imageDetail: 'auto' } },
    // Strict is the default here, and would make every optional member required.
    isStrict: false,
    // Summaries are only for verified organizations; all others get the answer without them.
    onRefusal: (message) =>
      /reasoning\.summary|reasoning summar|verified to generate/iu.test(message)
        ? { openai: { reasoningSummary: null } }
        : undefined,
  });
}

function isForConversations(name: string): boolean {
  return (
    /^(gpt-|chatgpt-|o\d)/u.test(name) &&
    !/audio|realtime|transcribe|tts|image|search|instruct|embedding|moderation|research/u.test(name)
  );
}

/** Models that reason: the o series, and all since GPT-5. */
export function mayThink(name: string): boolean {
  return /^o\d|^gpt-[5-9](?!\d|-chat)/u.test(name);
}

/** https://platform.openai.com/docs/guides/reasoning */
function efforts(name: string): readonly ReasoningEffort[] {
  if (/^o\d/u.test(name)) return name.includes('-pro') ? [] : THREE_EFFORTS;
  const found = /^gpt-([5-9])(?:\.(\d+))?(?:-(.+))?$/u.exec(name);
  if (!found) return [];
  const [, major, minor = '0', variant = ''] = found;
  const version = Number(`${major ?? ''}.${minor}`);
  if (/^(?:chat|pro)/u.test(variant)) return [];
  if (variant.startsWith('codex')) return version >= 5.2 ? [...THREE_EFFORTS, 'xhigh'] : THREE_EFFORTS;
  if (version >= 6) {
    const canBeOff = /^gpt-6(?:\.1-terra|-luna|-sol)(?:-|$)/u.test(name);
    return [...(canBeOff ? (['none'] as const) : []), ...THREE_EFFORTS, 'xhigh', 'max'];
  }
  if (version >= 5.6) return ['none', ...THREE_EFFORTS, 'xhigh', 'max'];
  if (version >= 5.2) return ['none', ...THREE_EFFORTS, 'xhigh'];
  return version === 5.1 ? ['none', ...THREE_EFFORTS] : ['minimal', ...THREE_EFFORTS];
}
