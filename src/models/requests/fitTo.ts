import { fitFiles } from './fileParts.ts';
import { fitIds } from './callIds.ts';
import { fitPairs } from './pairs.ts';
import {
  textPart,
  isCall,
  writerOf,
  type ModelRequest,
  type SystemMessage,
  type TalkMessage,
  type FunctionTool,
  type ProviderOptions,
  type AssistantPart,
  type ResultOutput,
  type UserPart,
} from './prompt.ts';
import { fitReasoning, fitThoughts, SKIP_SIGNATURE } from './reasoning.ts';
import { fitResultFiles } from './resultFiles.ts';
import { fitRoles, withoutSystem } from './roles.ts';
import { fitToolNames, fitTools } from './tools.ts';
import { wrapLanguageModel } from 'ai';
import type { OpenedModel } from '../chatModel.ts';
import { maxTemperatureOf } from '../modelProviders.ts';
import type { Target } from '../providerFacts.ts';
import { mergedMetadata } from '../messages/partMetadata.ts';

/**
 * Turns a request into one its target accepts. Depends only on the request and the target, so that what was sent
 * before is repeated byte for byte; stored messages do not change.
 */
export function fitTo(request: ModelRequest, target: Target): ModelRequest {
  const { system, talk } = apart(request.prompt);
  const { tools } = fitTools(request.tools, target);
  let messages = fitPairs(talk);
  messages = fitResultFiles(messages, target);
  messages = fitFiles(messages, target);
  messages = fitText(messages, target);
  // Trailing reasoning can be detected only after blank text is removed.
  messages = fitReasoning(messages, target);
  messages = fitMetadata(messages, target);
  messages = fitToolNames(messages, target);
  messages = fitIds(messages, target);
  messages = fitRoles(messages, target);
  messages = fitThoughts(messages, target);
  const { takesNoSystem = false } = target.provider;
  const marked = fitCacheMarks(
    {
      system: takesNoSystem ? [] : system.filter(({ content }) => content.trim() !== ''),
      messages: takesNoSystem ? withoutSystem(system, messages) : messages,
      tools,
    },
    target,
  );
  const { tools: _offered, toolChoice, temperature, ...rest } = request;
  return {
    ...rest,
    prompt: [...marked.system, ...marked.messages].map(unsigned),
    ...(marked.tools.length === 0
      ? {}
      : { tools: [...marked.tools], ...(toolChoice === undefined ? {} : { toolChoice }) }),
    ...(temperature === undefined
      ? {}
      : { temperature: Math.min(Math.max(temperature, 0), maxTemperatureOf(target)) }),
  };
}

/** Instructions come first; later system messages are only quoted. */
function apart(prompt: ModelRequest['prompt']): { system: SystemMessage[]; talk: TalkMessage[] } {
  const system: SystemMessage[] = [];
  const talk: TalkMessage[] = [];
  for (const message of prompt) {
    if (message.role !== 'system') talk.push(message);
    else if (talk.length === 0) system.push(message);
    else talk.push({ role: 'user', content: [textPart(message.content)] });
  }
  return { system, talk };
}

function unsigned<M extends ModelRequest['prompt'][number]>(message: M): M {
  const { offshoot: _own, ...others } = message.providerOptions ?? {};
  const { providerOptions: _all, ...bare } = message;
  // Only the optional member is omitted.
  return (Object.keys(others).length === 0 ? bare : { ...bare, providerOptions: others }) as M;
}

export function fitted(model: OpenedModel, target: Target): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) => Promise.resolve(fitTo(params, target)),
    },
  });
}

interface Marked {
  readonly system: readonly SystemMessage[];
  readonly messages: readonly TalkMessage[];
  readonly tools: readonly FunctionTool[];
}

/**
 * After the tools, the instructions and the last message, and where the previous request ended: a mark is searched for
 * only 20 blocks back, and a step may add more.
 */
function fitCacheMarks({ system, messages, tools }: Marked, target: Target): Marked {
  const cacheMark = target.provider.cacheMark?.(target.name);
  if (!cacheMark) return { system, messages, tools };
  const marked = <T extends { providerOptions?: ProviderOptions }>(carrier: T): T => {
    return { ...carrier, providerOptions: mergedMetadata(carrier.providerOptions, cacheMark) };
  };
  const last = messages.length - 1;
  const before = messages.findLastIndex(({ role }, at) => at < last && role === 'assistant') - 1;
  return {
    system: system.map((message, at) => (at === system.length - 1 ? marked(message) : message)),
    messages: messages.map((message, at) => (at === last || at === before ? marked(message) : message)),
    tools: tools.map((tool, at) => (at === tools.length - 1 ? marked(tool) : tool)),
  };
}

/** Replaces an empty tool result: some providers refuse one. */
const NO_OUTPUT = '(no output)';

/**
 * Drops text that is only white space, and repairs characters that were cut in two: both are refused. Reasoning
 * without a word may stay, because its provider's metadata must be sent back.
 */
function fitText(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  return messages.map((message): TalkMessage => {
    switch (message.role) {
      case 'user':
        return { ...message, content: message.content.filter(hasText).map(mended) };
      case 'assistant':
        return {
          ...message,
          content: message.content.filter((part) => hasText(part) || isItem(part, target)).map(mended),
        };
      case 'tool':
        return {
          ...message,
          content: message.content.map((part) =>
            part.type === 'tool-result' ? { ...part, output: fitOutput(part.output) } : part,
          ),
        };
    }
  });
}

/** OpenAI requires each of its own items back after the reasoning it followed, blank or not. */
function isItem({ providerOptions }: AssistantPart, { provider }: Target): boolean {
  return provider.reasoning === 'items' && providerOptions?.['openai']?.['itemId'] !== undefined;
}

function hasText(part: UserPart | AssistantPart): boolean {
  return part.type !== 'text' || part.text.trim() !== '';
}

function mended<P extends UserPart | AssistantPart>(part: P): P {
  if ((part.type !== 'text' && part.type !== 'reasoning') || part.text.isWellFormed()) return part;
  return { ...part, text: part.text.toWellFormed() };
}

function fitOutput(output: ResultOutput): ResultOutput {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: output.value.trim() === '' ? NO_OUTPUT : output.value.toWellFormed() };
    case 'content': {
      // A file is content even without text.
      const value = output.value.filter((item) => item.type !== 'text' || item.text.trim() !== '');
      if (value.length === 0) return { type: 'text', value: NO_OUTPUT };
      return {
        ...output,
        value: value.map((item) =>
          item.type === 'text' ? { ...item, text: item.text.toWellFormed() } : item,
        ),
      };
    }
    default:
      return output;
  }
}

/** Keeps only the target's own: other providers' metadata is unknown to it, and some refuse it. */
function fitMetadata(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
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
  const { metadata = 'google' } = provider;
  const own = first?.providerOptions?.[metadata];
  if (first === undefined || own?.['thoughtSignature'] !== undefined) return content;
  const providerOptions = { [metadata]: { ...own, thoughtSignature: SKIP_SIGNATURE } };
  return content.map((part) => (part === first ? { ...first, providerOptions } : part));
}
