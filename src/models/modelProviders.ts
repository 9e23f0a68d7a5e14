import { takesImages, type ChatModel, type ReasoningEffort } from './chatModel.ts';
import { bedrock } from './providers/cloud/bedrock.ts';
import { vertex, vertexClaude } from './providers/cloud/vertex.ts';
import { anthropic } from './providers/hosted/anthropic.ts';
import { azure } from './providers/hosted/azure.ts';
import { deepSeek } from './providers/hosted/deepSeek.ts';
import { google } from './providers/hosted/google.ts';
import { groq } from './providers/hosted/groq.ts';
import { mistral } from './providers/hosted/mistral.ts';
import { openAi } from './providers/hosted/openAi.ts';
import { openRouter } from './providers/hosted/openRouter.ts';
import { xai } from './providers/hosted/xai.ts';
import {
  SHORT_CALL_IDS,
  THREE_EFFORTS,
  type HostedProvider,
  type PdfLimits,
  type ProviderFacts,
  type Target,
} from './providerFacts.ts';
import { thinkingOf, VSCODE } from './requests/vscodeThinking.ts';

/** The providers for which a user can set a key, by name. */
export const hostedProviders = [
  anthropic,
  azure,
  deepSeek,
  google,
  groq,
  mistral,
  openAi,
  openRouter,
  xai,
] as const;
export type HostedProviderId = (typeof hostedProviders)[number]['id'];

/** Those of clouds, which are set up by their settings. */
export const cloudProviders = [bedrock, vertex, vertexClaude] as const;

const ollama: ProviderFacts = {
  protocol: 'Ollama',
  callIds: SHORT_CALL_IDS,
  schemas: { takesNoBounds: true },
  images: { types: ['image/png', 'image/jpeg', 'image/webp'] },
  reasoning: 'toolTurns',
  wantsOneText: true,
  wantsAnswerFirst: true,
  efforts: (name, capabilities) => {
    if (capabilities?.includes('reasoning') !== true) return [];
    return name.includes('gpt-oss') ? THREE_EFFORTS : ['none'];
  },
};

const vscode: ProviderFacts = {
  // The limit of GitHub Copilot's models.
  maxTools: 128,
  metadata: VSCODE,
  // Some extensions keep reasoning without showing a word of it.
  reasoning: (metadata) => thinkingOf(metadata) !== undefined,
  // Results are also user messages: some extensions refuse one with other content, and others two of one side.
  wantsAnswerFirst: true,
  takesNoSystem: true,
};

/** Any server with OpenAI's chat completions: requests must suit the strictest of them. */
const compatible: ProviderFacts = {
  // Some servers build ids from the name and a number, and their models expect to see them again.
  callIds: /^[a-zA-Z0-9_.:-]{1,40}$/u,
  schemas: { takesNoBounds: true },
  metadata: '*',
  reasoning: 'toolTurns',
  wantsReasoning: /deepseek|kimi|moonshot/iu,
  saysOrThinks: /gpt-oss/iu,
  wantsOneText: true,
  wantsAnswerFirst: true,
};

/** All others are compatible servers. */
const providers: ReadonlyMap<string, ProviderFacts> = new Map<string, ProviderFacts>([
  ...[...hostedProviders, ...cloudProviders].map((provider) => [provider.id, provider] as const),
  ['ollama', ollama],
  ['vscode', vscode],
]);

/** Providers whose models are reached at a compatible address. */
const addressed: readonly { readonly id: string; readonly host: string }[] = [
  // The table of list prices has the others under names of other providers.
  ...hostedProviders.flatMap(({ id, baseUrl, listedAs }: HostedProvider) =>
    baseUrl === undefined || listedAs !== undefined ? [] : [{ id, host: new URL(baseUrl).hostname }],
  ),
  { id: 'moonshotai', host: 'api.moonshot.ai' },
];

/** The provider at an address; undefined for all others: elsewhere the same model has another price. */
export function providerAt(baseUrl: string): string | undefined {
  const host = URL.parse(baseUrl.trim())?.hostname;
  return addressed.find((each) => each.host === host)?.id;
}

export function targetOf({ id, listedAs }: Pick<ChatModel, 'id' | 'listedAs'>): Target {
  const [source = ''] = id.split(':', 1);
  const provider = providers.get(source) ?? compatible;
  const behind = provider.modelsOf === undefined ? '' : `${provider.modelsOf}/`;
  return {
    id,
    name:
      behind !== '' && listedAs?.startsWith(behind) === true
        ? listedAs.slice(behind.length)
        : id.slice(source.length + 1),
    provider,
    ...(listedAs === undefined ? {} : { listedAs }),
  };
}

/** The end of a model's scale of temperatures, which begins at 0. */
export function maxTemperatureOf(model: Pick<ChatModel, 'id'>): number {
  return targetOf(model).provider.maxTemperature ?? 2;
}

/** A model's PDF limits; undefined: it reads none, for instance because it has no vision. */
export function pdfLimitsOf(
  model: Pick<ChatModel, 'id' | 'listedAs' | 'capabilities'>,
): PdfLimits | undefined {
  const { name, provider, listedAs } = targetOf(model);
  if (!takesImages(model) || provider.readsNoPdfs?.test(name) === true) return undefined;
  if (provider !== compatible) return provider.pdfs;
  // At a compatible address, only OpenRouter reads them.
  return listedAs?.startsWith(`${openRouter.id}/`) === true ? openRouter.pdfs : undefined;
}

type Reasoning = Pick<ChatModel, 'id' | 'capabilities' | 'listedAs'>;

/** The efforts a model supports, lowest first; empty if it has no choice, or nothing is known about it. */
export function effortsOf(model: Reasoning): readonly ReasoningEffort[] {
  const { name, provider } = targetOf(model);
  return provider.efforts?.(name, model.capabilities) ?? [];
}

/** Undefined if it has no choice. */
export function leastEffortOf(model: Reasoning): ReasoningEffort | undefined {
  return effortsOf(model)[0];
}

/** Undefined if none is known. */
export function smallModelId(model: Pick<ChatModel, 'id'>): string | undefined {
  const { smallModel } = targetOf(model).provider;
  return smallModel === undefined ? undefined : `${model.id.split(':', 1).join()}:${smallModel}`;
}
