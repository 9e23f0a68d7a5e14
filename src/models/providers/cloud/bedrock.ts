import type { ReasoningEffort } from '../../chatModel.ts';
import { THREE_EFFORTS } from '../../providerFacts.ts';
import { claudeEfforts } from '../hosted/anthropic.ts';
import type { BedrockAccess } from './bedrockRequests.ts';
import type { CloudProvider } from './cloudSource.ts';

/** https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html: one protocol for all makers. */
export const bedrock: CloudProvider<'bedrock', BedrockAccess> = {
  id: 'bedrock',
  label: 'Amazon Bedrock',
  protocol: 'Bedrock Converse',
  callIds: /^[a-zA-Z0-9_-]{1,64}$/u,
  toolNames: /^[a-zA-Z0-9_-]{1,64}$/u,
  maxTemperature: 1,
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
  images: { maxBytes: 5 * 1024 * 1024, maxSide: 8_000, maxCount: 20 },
  pdfs: { maxBytes: 6_000_000, maxPages: 100 },
  // Nova's smallest sees no pictures either; of other makers, few read PDFs.
  readsNoPdfs: /^(?!.*(?:claude|nova))/u,
  takesFilesInResults: isClaude,
  metadata: 'amazonBedrock',
  reasoning: (metadata) => {
    const kept = metadata?.['amazonBedrock'];
    return ['signature', 'redactedData', 'redactedContent'].some((name) => typeof kept?.[name] === 'string');
  },
  // “Conversation blocks and tool result blocks cannot be provided in the same turn”, say some makers' models.
  wantsAnswerFirst: true,
  cacheMark: (name) => (isClaude(name) ? { amazonBedrock: { cachePoint: { type: 'default' } } } : undefined),
  efforts: bedrockEfforts,
  listedAs: (name) => {
    const model = withoutRegion(name);
    return isClaude(model) ? `anthropic/${model.replace(/^anthropic\.|-v\d+(?::\d+)?$/gu, '')}` : model;
  },
  list: async (access) => {
    const { listModels } = await import('./bedrockRequests.ts');
    return listModels(access, (name) => bedrockEfforts(name).length > 0);
  },
  open: async (name, access) => (await import('./bedrockRequests.ts')).openModel(name, access),
};

export function isClaude(name: string): boolean {
  return name.includes('anthropic.claude');
}

/** `us.anthropic.claude-…` is one model in several regions of the United States. */
function withoutRegion(name: string): string {
  return name.replace(/^(?:[a-z]{2,6}|us-gov)\.(?=[a-z0-9-]+\.)/u, '');
}

function bedrockEfforts(name: string): readonly ReasoningEffort[] {
  if (/(?:^|\.)openai\./u.test(name)) return THREE_EFFORTS;
  // The AI SDK has no words for the others there.
  return isClaude(name) ? claudeEfforts(name).filter((each) => !['xhigh', 'max'].includes(each)) : [];
}
