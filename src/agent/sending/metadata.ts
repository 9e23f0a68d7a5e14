import { isCall, writerOf, type AssistantPart, type ProviderOptions, type TalkMessage } from './prompt.ts';
import type { Dialect, Target } from './target.ts';
import { VSCODE } from '../vscodeThinking.ts';

/** The metadata name under which each provider stores what it needs back. */
const namespaces: Partial<Readonly<Record<Dialect, string>>> = {
  anthropic: 'anthropic',
  google: 'google',
  openaiResponses: 'openai',
  vscodeLm: VSCODE,
};

/** Replaces the signature of a call by another model: https://ai.google.dev/gemini-api/docs/thought-signatures */
const SKIP_SIGNATURE = 'skip_thought_signature_validator';

/** Gemini 3 and later refuse a call without a signature; names without a number mean the newest. */
const WANTS_SIGNATURE = /^google:gemini-(?:[3-9]|[1-9]\d|flash|pro)/u;

/**
 * Keeps only the target's own metadata on a message's parts: other providers' metadata is unknown to it, and some
 * refuse it.
 */
export function fitMetadata(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  return messages.map((message): TalkMessage => {
    switch (message.role) {
      case 'assistant': {
        const isOwn = writerOf(message) === target.modelId;
        const content = message.content.map((part) =>
          withOptions(part, isOwn ? kept(part, target) : undefined),
        );
        return { ...message, content: target.dialect === 'google' ? signed(content, target) : content };
      }
      case 'user':
        return { ...message, content: message.content.map((part) => withOptions(part, undefined)) };
      case 'tool':
        return { ...message, content: message.content.map((part) => withOptions(part, undefined)) };
    }
  });
}

function kept({ providerOptions }: AssistantPart, { dialect }: Target): ProviderOptions | undefined {
  const name = namespaces[dialect];
  if (name !== undefined) {
    const own = providerOptions?.[name];
    return own && { [name]: own };
  }
  if (dialect !== 'compatible' || providerOptions === undefined) return undefined;
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
function signed(content: readonly AssistantPart[], { modelId }: Target): AssistantPart[] {
  const first = content.find(isCall);
  const isSigned = first?.providerOptions?.['google']?.['thoughtSignature'] !== undefined;
  if (first === undefined || isSigned || !WANTS_SIGNATURE.test(modelId)) return [...content];
  const providerOptions = {
    google: { ...first.providerOptions?.['google'], thoughtSignature: SKIP_SIGNATURE },
  };
  return content.map((part) => (part === first ? { ...first, providerOptions } : part));
}
