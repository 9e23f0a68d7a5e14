import { z } from 'zod';
import type { ReasoningEffort } from '../../chatModel.ts';
import { THREE_EFFORTS, type HostedProvider, type ProviderFacts } from '../../providerFacts.ts';
import type { ModelSettings } from '../withSettings.ts';

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

/** What models with Anthropic's protocol accept, wherever they run. */
export const messagesFacts: ProviderFacts = {
  smallModel: 'claude-haiku-5-5',
  protocol: 'Anthropic Messages',
  maxTemperature: 1,
  images: {
    maxBytes: 5 * 1024 * 1024,
    maxSide: 8_000,
    many: { count: 20, maxSide: 2_000 },
    maxCount: 100,
  },
  // https://platform.claude.com/docs/en/build-with-claude/pdf-support: 32 MB, 100 pages where 200,000 tokens fit in.
  pdfs: { maxBytes: 28_000_000, maxPages: 100 },
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use
  takesFilesInResults: () => true,
  metadata: 'anthropic',
  reasoning: (metadata) => {
    const kept = metadata?.['anthropic'];
    return typeof kept?.['signature'] === 'string' || typeof kept?.['redactedData'] === 'string';
  },
  cacheMark: () => ({ anthropic: { cacheControl: { type: 'ephemeral' } } }),
  efforts: claudeEfforts,
};

/** https://docs.claude.com/en/api/models-list */
export const anthropic: HostedProvider<'anthropic'> = {
  ...messagesFacts,
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
  open: async (name, { baseUrl, key, fetch, onPassedOver }) => {
    const { anthropicFetch, createAnthropic, withSettings } = await import('../providers.ts');
    const model = createAnthropic({
      baseURL: baseUrl,
      apiKey: key,
      fetch: anthropicFetch({ fetch, onPassedOver }),
    }).languageModel(name);
    return withSettings(model, await messagesSettings(name));
  },
};

/** For the requests to a model with Anthropic's protocol. */
export async function messagesSettings(name: string): Promise<ModelSettings> {
  const maxOutputTokens = IS_KNOWN.test(name) ? undefined : await outputLimit(name);
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    optionsFor: ({ reasoning = 'provider-default', temperature }) => ({
      anthropic: {
        // Its inputs are read whole, and some gateways refuse the member.
        toolStreaming: false,
        // Some models always think and hide it; the AI SDK expresses a chosen effort in a prompt. A temperature is
        // refused together with thinking.
        ...(thinksAdaptively(name) && reasoning === 'provider-default' && temperature === undefined
          ? { thinking: { type: 'adaptive', display: 'summarized' } }
          : {}),
      },
    }),
  };
}

/** Names whose limits the AI SDK knows. */
const IS_KNOWN = /claude-(?:[a-z]+-\d(?![.\d])|\d)/u;

/** For models without a known limit: gateways lead to models of many makers, and most of them write as much. */
const USUAL_OUTPUT = 16_384;

/** In tokens. Anthropic's protocol requires a limit; the AI SDK's for other names would cut most answers with tools. */
async function outputLimit(name: string): Promise<number> {
  const { findModelFacts } = await import('../../../engine/estimate/modelPrices.ts');
  return findModelFacts(name)?.limits?.output ?? USUAL_OUTPUT;
}

/** Claude's family and version, as 4.6 for `claude-opus-4-6-20260101`; undefined for the oldest naming scheme. */
function claude(name: string): { readonly family: string; readonly version: number } | undefined {
  const found = /claude-([a-z]+)-(\d)(?:[-.](\d)(?!\d))?/u.exec(name);
  if (!found) return undefined;
  const [, family = '', major = '', minor = '0'] = found;
  return { family, version: Number(`${major}.${minor}`) };
}

/** Whether an Anthropic model decides itself how much to reason, once enabled. */
export function thinksAdaptively(name: string): boolean {
  const { version = 0 } = claude(name) ?? {};
  return version >= 4.6;
}

/** https://platform.claude.com/docs/en/build-with-claude/effort */
export function claudeEfforts(name: string): readonly ReasoningEffort[] {
  const { family, version } = claude(name) ?? { family: '', version: 0 };
  if (version < 4) return [];
  const isAlwaysOn = family === 'fable' || (version >= 5.5 && family !== 'haiku');
  const off: readonly ReasoningEffort[] = isAlwaysOn ? [] : ['none'];
  if (version < 4.6) return [...off, ...THREE_EFFORTS];
  return version === 4.6 ? [...off, ...THREE_EFFORTS, 'max'] : [...off, ...THREE_EFFORTS, 'xhigh', 'max'];
}
