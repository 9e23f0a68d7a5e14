import { z } from 'zod';
import { defineMessage } from '../../../engine/messageDescriptor.ts';
import type { OpenedModel } from '../../chatModel.ts';
import { quoted } from '../../errors/describeStatus.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import type { HostedModel } from '../../providerFacts.ts';
import type { Fetch } from '../../requests/originFetch.ts';
import { thinksAdaptively } from '../hosted/anthropic.ts';
import { requestModelList } from '../modelList.ts';
import { awsFetch, type AwsFetchOptions } from './awsFetch.ts';
import { explainedFetch, type Explain } from './explainedFetch.ts';

export interface BedrockAccess extends AwsFetchOptions {
  /** Where its services are. Default: those of the region. */
  readonly addresses?: BedrockAddresses;
}

export interface BedrockAddresses {
  /** Lists models. */
  readonly control: string;
  /** Answers. */
  readonly runtime: string;
}

/** In milliseconds. */
const LIST_TIMEOUT = 5_000;

/** The AI SDK requires a key or credentials of its own; `awsFetch` signs what it sends. */
const SIGNED_LATER = 'signed later';

/** @param reasons which models reason */
export async function listModels(
  access: BedrockAccess,
  reasons: (name: string) => boolean,
): Promise<readonly HostedModel[]> {
  // First, because signing in may take longer than a list.
  await access.credentials();
  const { control } = addressesOf(access);
  const fetch = explainedFetch(awsFetch(control, access), explainList(access.region));
  const [models, profiles] = await Promise.all([
    ask(fetch, `${control}/foundation-models?byOutputModality=TEXT`, modelList),
    ask(fetch, `${control}/inference-profiles?maxResults=1000&type=SYSTEM_DEFINED`, profileList),
  ]);
  return offered(models.modelSummaries, profiles.inferenceProfileSummaries, reasons);
}

export async function openModel(name: string, access: BedrockAccess): Promise<OpenedModel> {
  const { createAmazonBedrock } = await import('./cloudPackages.ts');
  const { withDocumentNames, withSettings } = await import('../providers.ts');
  const { runtime } = addressesOf(access);
  const model = createAmazonBedrock({
    region: access.region,
    baseURL: runtime,
    apiKey: SIGNED_LATER,
    fetch: explainedFetch(awsFetch(runtime, access), explainAnswer(name, access.region)),
  }).languageModel(name);
  return withSettings(withDocumentNames(model), {
    // As at Anthropic: some models always think, and hide it.
    optionsFor: ({ reasoning = 'provider-default', temperature }) =>
      thinksAdaptively(name) &&
      reasoning !== 'none' &&
      (reasoning !== 'provider-default' || temperature === undefined)
        ? { amazonBedrock: { reasoningConfig: { type: 'adaptive', display: 'summarized' } } }
        : {},
  });
}

/** https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
function addressesOf({ region, addresses }: BedrockAccess): BedrockAddresses {
  if (addresses) return addresses;
  const domain = region.startsWith('cn-')
    ? 'amazonaws.com.cn'
    : region.startsWith('eusc-')
      ? 'amazonaws.eu'
      : 'amazonaws.com';
  return {
    control: `https://bedrock.${region}.${domain}`,
    runtime: `https://bedrock-runtime.${region}.${domain}`,
  };
}

const texts = z.array(z.string()).default([]).catch([]);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListFoundationModels.html */
const modelList = z.object({
  modelSummaries: z.array(
    z.object({
      modelId: z.string().min(1),
      modelName: z.string().optional().catch(undefined),
      providerName: z.string().optional().catch(undefined),
      inputModalities: texts,
      inferenceTypesSupported: texts,
      responseStreamingSupported: z.boolean().nullish().catch(undefined),
      modelLifecycle: z.object({ status: z.string() }).nullish().catch(undefined),
    }),
  ),
});
type ModelSummary = z.infer<typeof modelList>['modelSummaries'][number];

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListInferenceProfiles.html */
const profileList = z.object({
  inferenceProfileSummaries: z.array(
    z.object({
      inferenceProfileId: z.string().min(1),
      inferenceProfileName: z.string().optional().catch(undefined),
      models: z.array(z.object({ modelArn: z.string() })),
      status: z.string().optional().catch(undefined),
    }),
  ),
});
type ProfileSummary = z.infer<typeof profileList>['inferenceProfileSummaries'][number];

function ask<T>(fetch: Fetch, url: string, schema: z.ZodType<T>): Promise<T> {
  return requestModelList({
    url: new URL(url),
    headers: { accept: 'application/json' },
    fetch,
    timeout: LIST_TIMEOUT,
    read: (body) => schema.safeParse(body).data,
  });
}

/** Newer models are reached by profiles alone, which lead to the same model in several regions. */
function offered(
  models: readonly ModelSummary[],
  profiles: readonly ProfileSummary[],
  reasons: (name: string) => boolean,
): HostedModel[] {
  const usable = models.filter(
    ({ responseStreamingSupported: streams, modelLifecycle }) =>
      streams !== false && (modelLifecycle?.status ?? 'ACTIVE') === 'ACTIVE',
  );
  const direct = usable.filter(({ inferenceTypesSupported: types }) => types.includes('ON_DEMAND'));
  return [
    ...profiles.flatMap(
      ({ inferenceProfileId: name, inferenceProfileName: label, models: behind, status }) => {
        const ids = behind.map(({ modelArn }) => modelArn.slice(modelArn.lastIndexOf('/') + 1));
        const model = usable.find(({ modelId }) => ids.includes(modelId));
        return model === undefined || (status ?? 'ACTIVE') !== 'ACTIVE'
          ? []
          : [described(name, label, model, reasons)];
      },
    ),
    ...direct.map((model) => {
      const label = [model.providerName, model.modelName].filter((each) => each !== undefined).join(' ');
      return described(model.modelId, label === '' ? undefined : label, model, reasons);
    }),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Models whose calls Converse does not have. */
const HAS_NO_TOOLS = /deepseek\.r1|titan|llama3-\d|mistral-7b|mixtral|gemma/u;

function described(
  name: string,
  label: string | undefined,
  model: ModelSummary,
  reasons: (name: string) => boolean,
): HostedModel {
  return {
    name,
    ...(label === undefined ? {} : { label }),
    capabilities: [
      ...(HAS_NO_TOOLS.test(name) ? [] : (['tools'] as const)),
      ...(model.inputModalities.includes('IMAGE') ? (['images'] as const) : []),
      ...(reasons(name) ? (['reasoning'] as const) : []),
    ],
  };
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html */
function explainSignIn(status: number, words: string): ModelError | undefined {
  // Both statuses there are also for what an account may not do.
  if (status !== 401 && status !== 403) return undefined;
  if (!/security token|signature|expired|credential|api key/iu.test(words)) return undefined;
  return new ModelError(
    'sign-in',
    defineMessage(
      'AWS refused the sign-in of this machine{0} Sign in again with “aws sso login” or “aws login”, or renew the keys of the profile. “Offshoot: Select Model” sets another profile.',
      quoted(words),
    ),
  );
}

function explainList(region: string): Explain {
  return (status, words) =>
    explainSignIn(status, words) ??
    (status === 403
      ? new ModelError(
          'forbidden',
          defineMessage(
            'AWS doesn’t let this account list the models in {0}{1} It needs bedrock:ListFoundationModels and bedrock:ListInferenceProfiles.',
            region,
            quoted(words),
          ),
        )
      : undefined);
}

function explainAnswer(name: string, region: string): Explain {
  return (status, words) => {
    const isUnknown = /model identifier is invalid|on-demand throughput isn.t supported/iu.test(words);
    if (status === 404 || isUnknown || /end of (its )?life|legacy/iu.test(words)) {
      return new ModelError(
        'model-not-found',
        defineMessage(
          'Bedrock doesn’t offer {0} in {1}{2} Select another model, or set another region in “Offshoot: Select Model”.',
          name,
          region,
          quoted(words),
        ),
      );
    }
    const problem = explainSignIn(status, words);
    if (problem || status !== 403) return problem;
    return new ModelError(
      'forbidden',
      defineMessage(
        'This account can’t use {0} in {1}{2} Enable the model in the Bedrock console of that region, have bedrock:InvokeModelWithResponseStream allowed, or select another model.',
        name,
        region,
        quoted(words),
      ),
    );
  };
}
