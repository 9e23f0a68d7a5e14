import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { LeftOutTool } from '../tools/foreignTools.ts';
import { isCall, isResult, type FunctionTool, type ModelRequest, type TalkMessage } from './prompt.ts';
import { fitSchema } from './schemas.ts';
import type { Dialect, Target } from './target.ts';

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

/** The tool names every provider accepts; Gemini requires it to begin like an identifier. */
const accepted = /^[a-zA-Z0-9_-]{1,64}$/u;
const acceptedByGoogle = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/u;

/** The longest name that is sent. */
const LENGTH = 64;

/** True if the target accepts the name for a tool. */
function isToolName(name: string, { dialect }: Target): boolean {
  return (dialect === 'google' ? acceptedByGoogle : accepted).test(name);
}

/** Rewrites call names that the target does not accept: models also call tools that do not exist. */
export function fitToolNames(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  return messages.map((message): TalkMessage => {
    switch (message.role) {
      case 'user':
        return message;
      case 'assistant':
        return {
          ...message,
          content: message.content.map((part) =>
            isCall(part) ? { ...part, toolName: fitName(part.toolName, target) } : part,
          ),
        };
      case 'tool':
        return {
          ...message,
          content: message.content.map((part) =>
            isResult(part) ? { ...part, toolName: fitName(part.toolName, target) } : part,
          ),
        };
    }
  });
}

function fitName(name: string, target: Target): string {
  if (isToolName(name, target)) return name;
  const cleaned = name.replace(/[^a-zA-Z0-9_-]+/gu, '_').slice(0, LENGTH);
  if (isToolName(cleaned, target)) return cleaned;
  return cleaned === '' ? 'unnamed_tool' : `_${cleaned}`.slice(0, LENGTH);
}
