import type { MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { isCall, isResult, type FunctionTool, type ModelRequest, type TalkMessage } from './prompt.ts';
import { fitSchema } from './schemas.ts';
import type { Target } from '../providerFacts.ts';

export interface LeftOutTool {
  readonly name: string;
  readonly reason: MessageDescriptor;
}

export interface FittedTools {
  readonly tools: readonly FunctionTool[];
  readonly leftOut: readonly LeftOutTool[];
}

/** Leaves out tools the target would refuse: one bad tool, or one too many, makes it refuse the whole request. */
export function fitTools(tools: ModelRequest['tools'] = [], target: Target): FittedTools {
  const fitted = new Map<string, FunctionTool>();
  const leftOut: LeftOutTool[] = [];
  const { maxTools = Infinity, schemas } = target.provider;
  for (const tool of tools) {
    const { name } = tool;
    // This program offers no tool that a provider runs itself.
    if (tool.type === 'provider') leftOut.push({ name, reason: defineMessage('Its provider runs it.') });
    else if (!isToolName(name, target))
      leftOut.push({ name, reason: defineMessage('This model doesn’t take this name.') });
    else if (fitted.has(name)) leftOut.push({ name, reason: defineMessage('Another tool has this name.') });
    else {
      const written = fitSchema(tool.inputSchema, schemas);
      if ('problem' in written) leftOut.push({ name, reason: written.problem });
      else if (fitted.size >= maxTools)
        leftOut.push({ name, reason: defineMessage('This model takes at most {0} tools.', maxTools) });
      else fitted.set(name, { ...tool, inputSchema: written.schema });
    }
  }
  return { tools: [...fitted.values()], leftOut };
}

/** The tool names most providers accept. */
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/u;

/** The longest name that is sent. */
const LENGTH = 64;

function isToolName(name: string, { provider: { toolNames = ACCEPTED } }: Target): boolean {
  return toolNames.test(name);
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
