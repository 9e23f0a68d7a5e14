import type { Target } from '../../models/providerFacts.ts';
import { fitTools } from '../../models/requests/tools.ts';
import type { LeftOutTool } from '../../models/requests/tools.ts';
import type { AgentTool } from '../tools/tool.ts';
import { inputSchema } from '../tools/inputSchema.ts';

export interface ToolsForModel {
  readonly offered: readonly AgentTool[];
  /** Tools left out because this model would refuse them. */
  readonly leftOut: readonly LeftOutTool[];
}

export function toolsFor(tools: readonly AgentTool[], target: Target): ToolsForModel {
  const written = tools.map(({ name, description, input }) => {
    return { type: 'function' as const, name, description, inputSchema: inputSchema(input) };
  });
  const { tools: fitted, leftOut } = fitTools(written, target);
  const names = new Set(fitted.map(({ name }) => name));
  // If several have one name, the first is sent.
  const offered = tools.filter(({ name }) => names.delete(name));
  return { offered, leftOut };
}
