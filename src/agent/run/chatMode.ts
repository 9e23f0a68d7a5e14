import { z } from 'zod';
import type { AgentTool } from '../tools/tool.ts';

/** What a model may do: `ask` and `plan` only read, and `plan` ends with a plan to implement. */
export const chatMode = z.enum(['agent', 'plan', 'ask']);
export type ChatMode = z.infer<typeof chatMode>;

/** The tools a model is offered in a mode. The demo starts no further runs: they would find nothing. */
export function toolsIn(
  mode: ChatMode,
  tools: readonly AgentTool[],
  { isDemo = false }: { readonly isDemo?: boolean } = {},
): readonly AgentTool[] {
  return tools.filter(({ readsOnly = false, isForPlans = false, startsRuns = false }) => {
    if (startsRuns && (isDemo || mode === 'ask')) return false;
    return mode === 'agent' || readsOnly || (mode === 'plan' && isForPlans);
  });
}
