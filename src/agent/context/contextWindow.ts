import type { ChatModel } from '../chatModel.ts';

/** How many tokens a model reads at once: what its server says, else what is known of it; undefined when nothing is. */
export function contextWindowOf(model: Pick<ChatModel, 'contextWindow' | 'listed'>): number | undefined {
  return model.contextWindow ?? model.listed?.facts.limits?.context;
}
