import type { ChatModel } from '../chatModel.ts';
import { listFacts } from '../listPrices.ts';

/** How many tokens a model reads at once: what its server says, else what is known of it; undefined when nothing is. */
export function contextWindowOf(model: ChatModel): number | undefined {
  return model.contextWindow ?? listFacts(model)?.limits?.context;
}
