import { z } from 'zod';
import type { AgentTool } from './tools/tool.ts';

/** What a model may do: `ask` and `plan` only read, and `plan` ends with a plan that can be carried out. */
export const chatMode = z.enum(['agent', 'plan', 'ask']);
export type ChatMode = z.infer<typeof chatMode>;

/** Those of the tools that a model is offered in a mode. */
export function toolsIn(mode: ChatMode, tools: readonly AgentTool[]): readonly AgentTool[] {
  if (mode === 'agent') return tools;
  return tools.filter(
    ({ readsOnly, isForPlans }) => readsOnly === true || (mode === 'plan' && isForPlans === true),
  );
}
