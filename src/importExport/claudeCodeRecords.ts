import { z } from 'zod';
import { anthropicContent } from './anthropicBlocks.ts';

// Sessions of Claude Code: one record per line, each naming its parent. Undocumented; only messages are read.

const message = z.object({
  content: anthropicContent,
  model: z.string().optional(),
  id: z.string().optional(),
});

export const claudeNode = z.object({
  type: z.enum(['user', 'assistant', 'system', 'attachment', 'progress']),
  uuid: z.string().min(1),
  parentUuid: z.string().nullish(),
  /** Its parent where the session starts again after a summary. */
  logicalParentUuid: z.string().nullish(),
  isSidechain: z.boolean().optional().catch(undefined),
  agentId: z.string().optional().catch(undefined),
  sessionId: z.string().optional().catch(undefined),
  timestamp: z.string().optional().catch(undefined),
  isMeta: z.boolean().optional().catch(undefined),
  isCompactSummary: z.boolean().optional().catch(undefined),
  isApiErrorMessage: z.boolean().optional().catch(undefined),
  message: message.optional().catch(undefined),
  toolUseResult: z.object({ agentId: z.string() }).optional().catch(undefined),
});
export type ClaudeRecord = z.infer<typeof claudeNode>;

export const claudeTitle = z.union([
  z
    .object({ type: z.literal('custom-title'), customTitle: z.string() })
    .transform((it) => [3, it.customTitle] as const),
  z.object({ type: z.literal('ai-title'), aiTitle: z.string() }).transform((it) => [2, it.aiTitle] as const),
  z.object({ type: z.literal('summary'), summary: z.string() }).transform((it) => [1, it.summary] as const),
]);

/** Records about the session and not the conversation. */
export const recordKind = z.object({ type: z.string() });
export const silentRecords = new Set([
  ...[
    'summary',
    'custom-title',
    'ai-title',
    'agent-name',
    'agent-color',
    'tag',
    'last-prompt',
    'pr-link',
    'mode',
  ],
  ...[
    'file-history-snapshot',
    'queue-operation',
    'permission-mode',
    'worktree-state',
    'attribution-snapshot',
  ],
]);

/** Whether a file begins like a session. */
export function isClaudeRecord(value: unknown): boolean {
  return claudeNode.safeParse(value).success || claudeTitle.safeParse(value).success;
}
