import { z } from 'zod';
import type { ReasoningEffort } from '../../chatModel.ts';
import { THREE_EFFORTS, type HostedProvider } from '../../providerFacts.ts';
import { openCompatible } from './openCompatible.ts';

const can = z.boolean().default(false).catch(false);

const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      max_context_length: z.number().positive().optional().catch(undefined),
      capabilities: z.object({ completion_chat: can, function_calling: can, vision: can }),
    }),
  ),
});

/** https://docs.mistral.ai/api */
export const mistral: HostedProvider<'mistral'> = {
  id: 'mistral',
  label: 'Mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  keyPage: 'https://console.mistral.ai/api-keys',
  modelsPath: '/models',
  smallModel: 'mistral-small-latest',
  callIds: /^[a-zA-Z0-9]{9}$/u,
  // Its documents name 1 and 1.5.
  maxTemperature: 1,
  // https://docs.mistral.ai/capabilities/vision
  images: { maxBytes: 10 * 1024 * 1024, maxCount: 8 },
  wantsOneText: true,
  wantsAnswerFirst: true,
  efforts,
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readModels: (body) =>
    modelList
      .safeParse(body)
      .data?.data.filter(({ capabilities }) => capabilities.completion_chat)
      .map(({ id: name, max_context_length: contextWindow, capabilities }) => ({
        name,
        ...(contextWindow === undefined ? {} : { contextWindow }),
        capabilities: [
          ...(capabilities.function_calling ? (['tools'] as const) : []),
          ...(capabilities.vision ? (['images'] as const) : []),
          ...(efforts(name).length > 0 ? (['reasoning'] as const) : []),
        ],
      })),
  // The usage comes without a request for it, which would be a member that it does not know.
  open: (name, access) => openCompatible('mistral', name, access, { asksForUsage: false }),
};

/** https://docs.mistral.ai/inference/conversations/reasoning */
function efforts(name: string): readonly ReasoningEffort[] {
  if (name.startsWith('mistral-large-4')) return THREE_EFFORTS;
  return /^mistral-(?:small-(?:2603|latest)|medium-(?:2604|3[.-]5|latest))/u.test(name)
    ? ['none', 'high']
    : [];
}
