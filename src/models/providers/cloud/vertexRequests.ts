import { z } from 'zod';
import { defineMessage } from '../../../engine/messageDescriptor.ts';
import type { OpenedModel } from '../../chatModel.ts';
import { quoted } from '../../errors/describeStatus.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import type { HostedModel } from '../../providerFacts.ts';
import { originFetch, type Fetch } from '../../requests/originFetch.ts';
import { claudeEfforts, messagesSettings } from '../hosted/anthropic.ts';
import { geminiSettings, isForConversations, thinks } from '../hosted/google.ts';
import { requestModelList } from '../modelList.ts';
import { explainedFetch } from './explainedFetch.ts';

export interface VertexAccess {
  readonly project: string;
  /** A region, or `global`. */
  readonly location: string;
  /** Asked for before each request. @throws ModelError */
  readonly token: () => Promise<string>;
  readonly fetch: Fetch;
  /** Where it is. Default: the address of the location. */
  readonly address?: string;
  /** Is told the name of what a response has that is not known. */
  readonly onPassedOver?: (what: string) => void;
}

/** In milliseconds. */
const LIST_TIMEOUT = 5_000;
const MAX_PAGES = 10;

/** The AI SDK requires a key, or signs in its own way; `vertexFetch` sends the token. */
const SENT_LATER = 'sent later';

export async function listGeminis(access: VertexAccess): Promise<readonly HostedModel[]> {
  return (await publisherModels('google', access))
    .filter(({ name }) => name.startsWith('gemini-') && isForConversations(name))
    .map(({ name }) => ({
      name,
      capabilities: ['tools', 'images', ...(thinks(name) ? (['reasoning'] as const) : [])],
    }));
}

export async function openGemini(name: string, access: VertexAccess): Promise<OpenedModel> {
  const { createGoogleVertex } = await import('./cloudPackages.ts');
  const { withSettings } = await import('../providers.ts');
  const model = createGoogleVertex({
    apiKey: SENT_LATER,
    baseURL: `${addressOf(access)}/v1beta1/${pathOf(access)}/publishers/google`,
    fetch: vertexFetch(access, name),
  }).languageModel(name);
  return withSettings(model, geminiSettings(name));
}

export async function listClaudes(access: VertexAccess): Promise<readonly HostedModel[]> {
  return (await publisherModels('anthropic', access)).map(({ name, version }) => ({
    // Versions are dates, or words for the only one.
    name: /^\d{8}$/u.test(version) ? `${name}@${version}` : name,
    capabilities: ['tools', 'images', ...(claudeEfforts(name).length > 0 ? (['reasoning'] as const) : [])],
  }));
}

export async function openClaude(name: string, access: VertexAccess): Promise<OpenedModel> {
  const { createGoogleVertexAnthropic } = await import('./cloudPackages.ts');
  const { anthropicFetch, withSettings } = await import('../providers.ts');
  const model = createGoogleVertexAnthropic({
    baseURL: `${addressOf(access)}/v1/${pathOf(access)}/publishers/anthropic/models`,
    generateAuthToken: () => Promise.resolve(SENT_LATER),
    fetch: anthropicFetch({ fetch: vertexFetch(access, name), onPassedOver: access.onPassedOver }),
  }).languageModel(name);
  return withSettings(model, await messagesSettings(name));
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function addressOf({ location, address }: VertexAccess): string {
  if (address !== undefined) return address;
  if (location === 'global') return 'https://aiplatform.googleapis.com';
  return location === 'eu' || location === 'us'
    ? `https://aiplatform.${location}.rep.googleapis.com`
    : `https://${location}-aiplatform.googleapis.com`;
}

function pathOf({ project, location }: VertexAccess): string {
  return `projects/${project}/locations/${location}`;
}

/** @param name the model that is asked; undefined for a list */
function vertexFetch(access: VertexAccess, name?: string): Fetch {
  const { origin } = new URL(addressOf(access));
  const authorized: Fetch = async (input, init) => {
    const token = await access.token();
    const headers = new Headers(init?.headers);
    headers.delete('x-goog-api-key');
    headers.set('authorization', `Bearer ${token}`);
    return originFetch({ origin, key: token, fetch: access.fetch })(input, { ...init, headers });
  };
  return explainedFetch(authorized, (status, words) => explain(access, name, status, words));
}

const modelList = z.object({
  publisherModels: z
    .array(z.object({ name: z.string(), versionId: z.string().default('').catch('') }))
    .default([]),
  nextPageToken: z.string().optional().catch(undefined),
});

/** https://cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/publishers.models/list: also what is not enabled. */
async function publisherModels(
  publisher: string,
  access: VertexAccess,
): Promise<readonly (Pick<HostedModel, 'name'> & { readonly version: string })[]> {
  // First, because signing in may take longer than a list.
  await access.token();
  const fetch = vertexFetch(access);
  const found = new Map<string, string>();
  let page: string | undefined = '';
  for (let count = 0; page !== undefined && count < MAX_PAGES; count += 1) {
    const url: URL = new URL(`${addressOf(access)}/v1beta1/publishers/${publisher}/models?pageSize=200`);
    if (page !== '') url.searchParams.set('pageToken', page);
    const list: z.infer<typeof modelList> = await requestModelList({
      url,
      headers: { 'x-goog-user-project': access.project },
      fetch,
      timeout: LIST_TIMEOUT,
      read: (body) => modelList.safeParse(body).data,
    });
    for (const { name, versionId } of list.publisherModels) {
      found.set(name.slice(name.lastIndexOf('/') + 1), versionId);
    }
    page = list.nextPageToken === '' ? undefined : list.nextPageToken;
  }
  return [...found].map(([name, version]) => ({ name, version })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/api-errors */
function explain(
  { project, location }: VertexAccess,
  name: string | undefined,
  status: number,
  words: string,
): ModelError | undefined {
  switch (status) {
    case 401:
      return new ModelError(
        'sign-in',
        defineMessage(
          'Google Cloud refused the sign-in of this machine{0} Run “gcloud auth application-default login”, and try again.',
          quoted(words),
        ),
      );
    case 403:
      return new ModelError(
        'forbidden',
        /has not been used|is disabled/iu.test(words)
          ? defineMessage(
              'The Vertex AI API is off in the project {0}{1} Enable it in the Google Cloud console, or set another project in “Offshoot: Select Model”.',
              project,
              quoted(words),
            )
          : defineMessage(
              'Your Google account can’t use Vertex AI in the project {0}{1} It needs the role Vertex AI User there.',
              project,
              quoted(words),
            ),
      );
    case 404:
      return name === undefined
        ? undefined
        : new ModelError(
            'model-not-found',
            defineMessage(
              'Vertex AI doesn’t offer {0} to the project {1} in {2}{3} Enable it in Model Garden, set the location global in “Offshoot: Select Model”, or select another model.',
              name,
              project,
              location,
              quoted(words),
            ),
          );
    default:
      return undefined;
  }
}
