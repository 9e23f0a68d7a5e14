import { z } from 'zod';
import { anthropicContent } from '../anthropicBlocks.ts';

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

export function isClaudeRecord(value: unknown): boolean {
  return claudeNode.safeParse(value).success || claudeTitle.safeParse(value).success;
}

/**
 * An answer with several calls is written as several records in sequence; each call's result names the record of its
 * call as its parent. The results of all but the last call would therefore become separate branches: they are moved
 * after the last record of their answer.
 */
export function withParallelResults(
  records: ReadonlyMap<string, ClaudeRecord>,
): ReadonlyMap<string, ClaudeRecord> {
  const children = new Map<string, ClaudeRecord[]>();
  for (const record of records.values()) {
    const { parentUuid } = record;
    if (typeof parentUuid !== 'string') continue;
    const siblings = children.get(parentUuid);
    if (siblings) siblings.push(record);
    else children.set(parentUuid, [record]);
  }
  const moved = new Map(records);
  for (const record of records.values()) {
    const call = record.parentUuid ? records.get(record.parentUuid) : undefined;
    if (!call || !isResult(record) || children.has(record.uuid)) continue;
    const last = lastOfAnswer(call, children);
    if (last === call) continue;
    const followers = (children.get(last.uuid) ?? []).map(({ uuid }) => moved.get(uuid));
    // Before the records that follow the answer, unless one was already inserted there.
    const first = followers.find((each) => each?.parentUuid === last.uuid);
    moved.set(record.uuid, { ...record, parentUuid: last.uuid });
    if (first) moved.set(first.uuid, { ...first, parentUuid: record.uuid });
    children.set(last.uuid, [{ ...record, parentUuid: last.uuid }, ...(children.get(last.uuid) ?? [])]);
  }
  return moved;
}

function lastOfAnswer(
  from: ClaudeRecord,
  children: ReadonlyMap<string, readonly ClaudeRecord[]>,
): ClaudeRecord {
  const answer = from.message?.id;
  const seen = new Set<string>();
  let last = from;
  while (answer !== undefined && !seen.has(last.uuid)) {
    seen.add(last.uuid);
    const next = (children.get(last.uuid) ?? []).find(
      ({ type, message }) => type === 'assistant' && message?.id === answer,
    );
    if (!next) break;
    last = next;
  }
  return last;
}

function isResult({ type, message }: ClaudeRecord): boolean {
  return (
    type === 'user' &&
    typeof message?.content === 'object' &&
    message.content.length > 0 &&
    message.content.every((block) => block.type === 'tool_result')
  );
}
