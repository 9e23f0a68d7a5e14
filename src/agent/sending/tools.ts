import type { FunctionTool, ModelRequest } from './prompt.ts';
import { fitSchema } from './schemas.ts';
import type { Target } from './target.ts';
import { isToolName } from './toolNames.ts';

/** A tool that a request goes without, and why. */
export interface LeftOutTool {
  readonly name: string;
  /** In words for the user: what is wrong with it. */
  readonly reason: string;
}

export interface FittedTools {
  readonly tools: readonly FunctionTool[];
  readonly leftOut: readonly LeftOutTool[];
}

/** Leaves out tools the target would refuse: one bad tool has the whole request refused. */
export function fitTools(tools: ModelRequest['tools'] = [], target: Target): FittedTools {
  const fitted = new Map<string, FunctionTool>();
  const leftOut: LeftOutTool[] = [];
  for (const tool of tools) {
    const { name } = tool;
    // This program offers none that a provider carries out itself.
    if (tool.type === 'provider') leftOut.push({ name, reason: 'its provider carries it out itself' });
    else if (!isToolName(name, target)) leftOut.push({ name, reason: 'models take no tool of this name' });
    else if (fitted.has(name)) leftOut.push({ name, reason: 'another tool has the same name' });
    else {
      const written = fitSchema(tool.inputSchema, target.dialect);
      if ('problem' in written) leftOut.push({ name, reason: written.problem });
      else fitted.set(name, { ...tool, inputSchema: written.schema });
    }
  }
  return { tools: [...fitted.values()], leftOut };
}
