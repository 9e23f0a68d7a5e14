import { isCall, writerOf, type AssistantPart, type ProviderOptions, type TalkMessage } from './prompt.ts';
import type { Target } from '../modelProviders.ts';

/** Replaces the signature of a call by another model: https://ai.google.dev/gemini-api/docs/thought-signatures */
const SKIP_SIGNATURE = 'skip_thought_signature_validator';

/**
 * Keeps only the target's own metadata on a message's parts: other providers' metadata is unknown to it, and some
 * refuse it.
 */
export function fitMetadata(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  return messages.map((message): TalkMessage => {
    switch (message.role) {
      case 'assistant': {
        const isOwn = writerOf(message) === target.id;
        const content = message.content.map((part) =>
          withOptions(part, isOwn ? kept(part, target) : undefined),
        );
        return { ...message, content: signed(content, target) };
      }
      case 'user':
        return { ...message, content: message.content.map((part) => withOptions(part, undefined)) };
      case 'tool':
        return { ...message, content: message.content.map((part) => withOptions(part, undefined)) };
    }
  });
}

function kept({ providerOptions }: AssistantPart, { provider }: Target): ProviderOptions | undefined {
  const { metadata: name } = provider;
  if (name === undefined || providerOptions === undefined) return undefined;
  if (name !== '*') {
    const own = providerOptions[name];
    return own && { [name]: own };
  }
  const { offshoot: _own, ...theirs } = providerOptions;
  return Object.keys(theirs).length === 0 ? undefined : theirs;
}

function withOptions<P extends { providerOptions?: ProviderOptions }>(
  part: P,
  options: ProviderOptions | undefined,
): P {
  const { providerOptions: _all, ...bare } = part;
  // Only the optional member is omitted.
  return (options === undefined ? bare : { ...bare, providerOptions: options }) as P;
}

/** Only the first of parallel calls has a signature, as in the model's own output. */
function signed(content: AssistantPart[], { name, provider }: Target): AssistantPart[] {
  if (provider.wantsSignatures?.(name) !== true) return content;
  const first = content.find(isCall);
  const isSigned = first?.providerOptions?.['google']?.['thoughtSignature'] !== undefined;
  if (first === undefined || isSigned) return content;
  const providerOptions = {
    google: { ...first.providerOptions?.['google'], thoughtSignature: SKIP_SIGNATURE },
  };
  return content.map((part) => (part === first ? { ...first, providerOptions } : part));
}
