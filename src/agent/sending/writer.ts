import type { PromptMessage, ProviderOptions } from './prompt.ts';

/** The namespace for this program's own notes; no provider is sent it. */
const OWN = 'offshoot';

/** Records on an assistant message which model wrote it, for {@link writerOf}. */
export function writtenBy(modelId: string | undefined): { providerOptions?: ProviderOptions } {
  return modelId === undefined ? {} : { providerOptions: { [OWN]: { modelId } } };
}

/** The id of the model that wrote a message; undefined if unknown. */
export function writerOf({ providerOptions }: PromptMessage): string | undefined {
  const modelId = providerOptions?.[OWN]?.['modelId'];
  return typeof modelId === 'string' ? modelId : undefined;
}
