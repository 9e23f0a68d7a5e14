import { z } from 'zod';
import type { RequestPrices } from '../../../engine/estimate/modelPrices.ts';
import { THREE_EFFORTS, type HostedModel, type HostedProvider } from '../../providerFacts.ts';

/** https://openrouter.ai/docs */
export const openRouter: HostedProvider<'openrouter'> = {
  id: 'openrouter',
  label: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyPage: 'https://openrouter.ai/settings/keys',
  modelsPath: '/models',
  // Its list of models is public.
  keyPath: '/key',
  signIn: { page: '/auth', exchange: '/auth/keys' },
  smallModel: 'openai/gpt-6-luna',
  // Ids of the providers behind it: reasoning may name a call by its id.
  callIds: /^[a-zA-Z0-9_.:|-]{1,128}$/u,
  maxTools: 128,
  // A request must suit any provider that it may choose.
  schemas: { isTyped: true, takesNoBounds: true },
  // https://openrouter.ai/docs/features/multimodal/pdfs: it reads them for models that do not.
  pdfs: { maxBytes: 28_000_000 },
  metadata: 'openrouter',
  reasoning: 'details',
  wantsOneText: true,
  wantsAnswerFirst: true,
  cacheMark: (name) =>
    isClaude(name) ? { openaiCompatible: { cache_control: { type: 'ephemeral' } } } : undefined,
  // Requests of one session go to the same provider, whose cache has their beginning.
  cacheKey: (key) => ({ openrouter: { session_id: key, prompt_cache_key: key } }),
  // It leaves an effort out for models that take none.
  efforts: (_name, capabilities) => (capabilities?.includes('reasoning') === false ? [] : THREE_EFFORTS),
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readModels,
  open: async (name, access) => {
    const { openRouterModel } = await import('../providers.ts');
    return openRouterModel(name, access);
  },
};

/** Of Anthropic, also by a name for the latest, as in `~anthropic/claude-sonnet-latest`. */
function isClaude(name: string): boolean {
  return /^~?anthropic\//u.test(name);
}

/** A price in dollars per token, as text; negative where it depends on the model that is chosen. */
const price = z.coerce.number().min(0).optional().catch(undefined);
const names = z.array(z.string()).optional().catch(undefined);

const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      name: z.string().optional().catch(undefined),
      context_length: z.number().positive().nullish().catch(undefined),
      architecture: z
        .object({ input_modalities: names, output_modalities: names })
        .nullish()
        .catch(undefined),
      pricing: z
        .object({
          prompt: price,
          completion: price,
          internal_reasoning: price,
          input_cache_read: price,
          input_cache_write: price,
        })
        .nullish()
        .catch(undefined),
      supported_parameters: names,
    }),
  ),
});

type ListedModel = z.infer<typeof modelList>['data'][number];

function readModels(body: unknown): readonly HostedModel[] | undefined {
  return modelList
    .safeParse(body)
    .data?.data.filter(({ architecture }) => architecture?.output_modalities?.includes('text') ?? true)
    .map((model): HostedModel => {
      const { id: name, name: label, context_length: contextWindow } = model;
      const capabilities = capabilitiesOf(model);
      const listed = pricesIn(model.pricing);
      return {
        name,
        ...(label === undefined ? {} : { label }),
        ...(typeof contextWindow === 'number' ? { contextWindow } : {}),
        ...(capabilities === undefined ? {} : { capabilities }),
        ...(listed === undefined ? {} : { price: listed }),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function capabilitiesOf({
  supported_parameters: parameters,
  architecture,
}: ListedModel): HostedModel['capabilities'] {
  if (parameters === undefined) return undefined;
  return [
    ...(parameters.includes('tools') ? (['tools'] as const) : []),
    ...(architecture?.input_modalities?.includes('image') === true ? (['images'] as const) : []),
    ...(parameters.includes('reasoning') ? (['reasoning'] as const) : []),
  ];
}

/** Per million tokens; undefined where it is not known before the answer. */
function pricesIn(pricing: ListedModel['pricing']): RequestPrices | undefined {
  const { prompt, completion, internal_reasoning: reasoning } = pricing ?? {};
  const { input_cache_read: read, input_cache_write: write } = pricing ?? {};
  if (prompt === undefined || completion === undefined) return undefined;
  const million = (perToken: number): number => Math.round(perToken * 1e12) / 1e6;
  return {
    input: million(prompt),
    output: million(completion),
    // Listed as 0 where it costs what other output costs.
    ...(reasoning === undefined || reasoning === 0 ? {} : { reasoning: million(reasoning) }),
    ...(read === undefined ? {} : { cachedInput: million(read) }),
    ...(write === undefined ? {} : { cacheWrite: million(write) }),
  };
}
