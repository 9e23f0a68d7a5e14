import type { OpenedModel } from '../../chatModel.ts';
import type { HostedAccess } from '../../providerFacts.ts';

export interface CompatibleSettings {
  /** Whether the usage is requested: some servers refuse the request for it, and send it anyway. Default: true. */
  readonly asksForUsage?: boolean;
  /** Changes the body of each request. */
  readonly transformBody?: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** A model of a provider with OpenAI's chat completions. */
export async function openCompatible(
  id: string,
  name: string,
  { baseUrl, key, fetch }: HostedAccess,
  { asksForUsage = true, transformBody }: CompatibleSettings = {},
): Promise<OpenedModel> {
  const { compatibleFetch, createOpenAICompatible, withTaggedReasoning } = await import('../providers.ts');
  const model = createOpenAICompatible({
    name: id,
    baseURL: baseUrl,
    apiKey: key,
    includeUsage: asksForUsage,
    fetch: compatibleFetch({ fetch, key }),
    ...(transformBody === undefined ? {} : { transformRequestBody: transformBody }),
  }).chatModel(name);
  return withTaggedReasoning(model);
}
