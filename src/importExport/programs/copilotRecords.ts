import { z } from 'zod';

// Sessions of Copilot CLI, as its version 1.0.102 writes them and its package describes them: an event on each line, one
// after another. What agents say stands between what is said to the user, with the id of the agent.

export const copilotEvent = z.object({
  type: z.string(),
  id: z.string().min(1),
  timestamp: z.string().optional().catch(undefined),
  /** Undefined: of the session itself. */
  agentId: z.string().optional().catch(undefined),
  data: z.looseObject({}).catch({}),
});
export type CopilotEvent = z.infer<typeof copilotEvent>;

export const copilotStart = z.object({
  type: z.literal('session.start'),
  data: z.object({
    sessionId: z.string().min(1),
    context: z.object({ cwd: z.string().optional() }).optional().catch(undefined),
  }),
});

/** Bytes, or where they stand in another event. */
const binary = z.object({
  mimeType: z.string().optional().catch(undefined),
  data: z.string().optional().catch(undefined),
  assetId: z.string().optional().catch(undefined),
  /** The text of a selection. */
  text: z.string().optional().catch(undefined),
});
export type CopilotBinary = z.infer<typeof binary>;

const textOr = z.string().catch('');

export const copilotAsset = z.object({ assetId: z.string(), mimeType: z.string(), data: z.string() });

export const copilotQuestion = z.object({
  content: z.string(),
  source: z.string().optional().catch(undefined),
  attachments: z.array(binary).catch([]),
});

export const copilotAnswer = z.object({
  content: textOr,
  model: z.string().optional().catch(undefined),
  reasoningText: textOr,
  reasoningOpaque: z.string().optional().catch(undefined),
  encryptedContent: z.string().optional().catch(undefined),
  toolRequests: z
    .array(z.object({ toolCallId: z.string(), name: z.string(), arguments: z.unknown() }))
    .catch([]),
});

export const copilotRequested = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  arguments: z.unknown(),
});

export const copilotResult = z.object({
  toolCallId: z.string(),
  success: z.boolean().catch(true),
  model: z.string().optional().catch(undefined),
  result: z
    .object({
      content: textOr,
      binaryResultsForLlm: z.array(binary).catch([]),
    })
    .optional()
    .catch(undefined),
  error: z.object({ message: textOr }).optional().catch(undefined),
});

export const copilotAgent = z.object({ toolCallId: z.string() });
export const copilotCompaction = z.object({ success: z.boolean().catch(true), summaryContent: textOr });
export const copilotTitle = z.object({ title: z.string().min(1) });

/** What the program says to the model besides the user's words. */
export const copilotNotes: ReadonlySet<string> = new Set([
  'system.message',
  'system.notification',
  'skill.invoked',
  'skill.context_delivered',
]);

const bookkeeping: ReadonlySet<string> = new Set([
  'external_tool.requested',
  'human_response.recorded',
  'prompt_cache_break',
  'skill.context_delivered_ref',
  'skill.invoked_ref',
  'tool.execution_partial_result',
  'tool.execution_progress',
  'tool.execution_start',
  'tool.shell_output',
  'tool_search.activated',
  'ui.ephemeral_query',
  'assistant.intent',
  // What an answer has as well.
  'assistant.reasoning',
  'assistant.turn_start',
  'assistant.turn_end',
  'assistant.turn_retry',
  'assistant.usage',
]);
/** Of these, those that say something of the conversation are read before. */
const bookkeepingOf = [
  'session.',
  'permission.',
  'hook.',
  'model.',
  'mcp.',
  'subagent.',
  'command.',
] as const;

/** States and settings of the program, which say nothing of the conversation. */
export function isCopilotBookkeeping(type: string): boolean {
  return bookkeeping.has(type) || bookkeepingOf.some((beginning) => type.startsWith(beginning));
}
