import type { PromptMessage, ProviderOptions } from './prompt.ts';

/** Where this program notes things for itself; no provider is sent it. */
const OWN = 'offshoot';

/** Notes on a message of the assistant which model wrote it, for {@link writerOf}. */
export function writtenBy(modelId: string | undefined): { providerOptions?: ProviderOptions } {
  return modelId === undefined ? {} : { providerOptions: { [OWN]: { modelId } } };
}

/** The id of the model that wrote a message; undefined when nothing is known of it. */
export function writerOf({ providerOptions }: PromptMessage): string | undefined {
  const modelId = providerOptions?.[OWN]?.['modelId'];
  return typeof modelId === 'string' ? modelId : undefined;
}
