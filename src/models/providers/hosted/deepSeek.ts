import { openAiModels } from '../compatible/openAiModels.ts';
import { SHORT_CALL_IDS, type HostedModel, type HostedProvider } from '../../providerFacts.ts';
import { openCompatible } from './openCompatible.ts';

/** https://api-docs.deepseek.com */
export const deepSeek: HostedProvider<'deepseek'> = {
  id: 'deepseek',
  label: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  keyPage: 'https://platform.deepseek.com/api_keys',
  modelsPath: '/models',
  smallModel: 'deepseek-flash',
  callIds: SHORT_CALL_IDS,
  maxTools: 128,
  reasoning: 'toolTurns',
  // https://api-docs.deepseek.com/guides/thinking_mode: it refuses a call without its reasoning.
  wantsReasoning: /^deepseek:/u,
  wantsOneText: true,
  wantsAnswerFirst: true,
  efforts: () => ['none', 'low', 'high', 'max'],
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readModels: (body) => openAiModels(body)?.map(({ name }) => describe(name)),
  describe,
  open: (name, access) =>
    openCompatible('deepseek', name, access, {
      // To turn reasoning off is a member of its own there.
      transformBody: ({ reasoning_effort: effort, ...body }) => {
        if (effort === undefined) return body;
        return effort === 'none'
          ? { ...body, thinking: { type: 'disabled' } }
          : { ...body, reasoning_effort: effort };
      },
    }),
};

/** None of its models sees pictures. */
function describe(name: string): HostedModel {
  return { name, capabilities: ['tools', 'reasoning'] };
}
