import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { LeftOutTool } from '../tools/foreignTools.ts';
import type { FunctionTool, ModelRequest } from './prompt.ts';
import { fitSchema } from './schemas.ts';
import type { Dialect, Target } from './target.ts';
import { isToolName } from './toolNames.ts';

export interface FittedTools {
  readonly tools: readonly FunctionTool[];
  /** The omitted tools, and why. */
  readonly leftOut: readonly LeftOutTool[];
}

/** The most tools in a request: OpenAI's and Groq's limit, and that of GitHub Copilot's models in VS Code. */
const MOST: Partial<Readonly<Record<Dialect, number>>> = {
  openaiResponses: 128,
  openaiChat: 128,
  groq: 128,
  vscodeLm: 128,
};

/** Leaves out tools the target would refuse: one bad tool, or one too many, makes it refuse the whole request. */
export function fitTools(tools: ModelRequest['tools'] = [], target: Target): FittedTools {
  const fitted = new Map<string, FunctionTool>();
  const leftOut: LeftOutTool[] = [];
  const most = MOST[target.dialect] ?? Infinity;
  for (const tool of tools) {
    const { name } = tool;
    // This program offers no tool that a provider runs itself.
    if (tool.type === 'provider') leftOut.push({ name, reason: defineMessage('Its provider runs it.') });
    else if (!isToolName(name, target))
      leftOut.push({ name, reason: defineMessage('This model doesn’t take this name.') });
    else if (fitted.has(name)) leftOut.push({ name, reason: defineMessage('Another tool has this name.') });
    else {
      const written = fitSchema(tool.inputSchema, target.dialect);
      if ('problem' in written) leftOut.push({ name, reason: written.problem });
      else if (fitted.size >= most)
        leftOut.push({ name, reason: defineMessage('This model takes at most {0} tools.', most) });
      else fitted.set(name, { ...tool, inputSchema: written.schema });
    }
  }
  return { tools: [...fitted.values()], leftOut };
}
