import { findModel } from '../../engine/estimate/answerCost.ts';
import type { ChatModel } from '../chatModel.ts';

/** How many tokens a model reads at once: what its server says, else what is known of it; undefined when nothing is. */
export function contextWindowOf({ id, contextWindow }: ChatModel): number | undefined {
  return contextWindow ?? findModel(id).facts?.limits?.context;
}
