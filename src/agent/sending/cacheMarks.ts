import type { FunctionTool, ProviderOptions, SystemMessage, TalkMessage } from './prompt.ts';
import type { Target } from './target.ts';

const MARK: ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** The instructions, the messages and the tools of one request. */
export interface Marked {
  readonly system: readonly SystemMessage[];
  readonly messages: readonly TalkMessage[];
  readonly tools: readonly FunctionTool[];
}

/**
 * Marks what Anthropic should cache of a request: after the tools, the instructions and the last message, and where
 * the previous request ended. The last one is needed because a mark is searched for only 20 blocks back, and a step
 * may add more.
 */
export function fitCacheMarks({ system, messages, tools }: Marked, target: Target): Marked {
  if (target.dialect !== 'anthropic') return { system, messages, tools };
  const last = messages.length - 1;
  const before = messages.findLastIndex(({ role }, at) => at < last && role === 'assistant') - 1;
  return {
    system: system.map((message, at) => (at === system.length - 1 ? marked(message) : message)),
    messages: messages.map((message, at) => (at === last || at === before ? marked(message) : message)),
    tools: tools.map((tool, at) => (at === tools.length - 1 ? marked(tool) : tool)),
  };
}

function marked<T extends { providerOptions?: ProviderOptions }>(carrier: T): T {
  const { anthropic } = carrier.providerOptions ?? {};
  return {
    ...carrier,
    providerOptions: { ...carrier.providerOptions, anthropic: { ...anthropic, ...MARK['anthropic'] } },
  };
}
