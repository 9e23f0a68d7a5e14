import type { ChatModel } from '../chatModel.ts';

/** A model's context window in tokens: from its server, else from the known facts; undefined if unknown. */
export function contextWindowOf(model: Pick<ChatModel, 'contextWindow' | 'listed'>): number | undefined {
  return model.contextWindow ?? model.listed?.facts.limits?.context;
}
