import { openAiModels } from '../compatible/openAiModels.ts';
import type { HostedProvider } from '../../providerFacts.ts';
import { mayThink, openAi, openResponses } from './openAi.ts';

/** Which of them are deployed is the user's choice. */
const { smallModel: _small, ...facts } = openAi;

/**
 * https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle: OpenAI's models as deployments of a user's
 * resource, which have names of the user's and are not listed to those who use them.
 */
export const azure: HostedProvider<'azure'> = {
  ...facts,
  id: 'azure',
  label: 'Azure OpenAI',
  baseUrl: undefined,
  keyPage: 'https://portal.azure.com',
  modelsOf: 'openai',
  listedAs: (model) => `openai/${model}`,
  session: {
    providerId: 'microsoft',
    scopes: ['https://cognitiveservices.azure.com/.default'],
    hosts: /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/u,
  },
  readModels: openAiModels,
  open: (name, access, model = name) => {
    const thinks = mayThink(model);
    const options = { forceReasoning: thinks, ...(thinks ? { reasoningSummary: 'auto' } : {}) };
    return openResponses({ name, access, options });
  },
};
