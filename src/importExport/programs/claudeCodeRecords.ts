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
  /** What the user typed while the model was at work: sent with the results of its calls. */
  attachment: z
    .object({
      type: z.literal('queued_command'),
      prompt: anthropicContent,
      commandMode: z.string().optional(),
    })
    .optional()
    .catch(undefined),
  compactMetadata: z
    .object({ preservedSegment: z.object({ headUuid: z.string() }) })
    .optional()
    .catch(undefined),
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
 * An answer with several calls is written as several records in sequence; each result names the record of its call as its
 * parent, and what comes next names the result that came last. The results of one answer are put in the order of their
 * calls after its last record, and what followed any of them after the last result: one line, as it was said.
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
  const childrenOf = ({ uuid }: ClaudeRecord): readonly ClaudeRecord[] => children.get(uuid) ?? [];
  const moved = new Map(records);
  const move = ({ uuid }: ClaudeRecord, parentUuid: string): void => {
    const record = moved.get(uuid);
    if (record) moved.set(uuid, { ...record, parentUuid, timestamp: laterOf(record, moved.get(parentUuid)) });
  };
  for (const first of records.values()) {
    if (!beginsAnswer(first, records)) continue;
    const answer = recordsOfAnswer(first, childrenOf);
    const last = answer.at(-1);
    const results = answer.flatMap((record) => resultsOf(record, childrenOf));
    if (answer.length === 1 || last === undefined || results.length === 0) continue;
    const own = new Set([...answer, ...results]);
    const next = [last, ...results].flatMap(childrenOf).filter((record) => !own.has(record));
    let above = last;
    for (const result of results) {
      move(result, above.uuid);
      above = result;
    }
    for (const record of next) if (isSameTalk(record, last)) move(record, above.uuid);
  }
  return moved;
}

/** A result that came early waits for those before it: times don't go back. */
function laterOf({ timestamp }: ClaudeRecord, above: ClaudeRecord | undefined): string | undefined {
  const [own, before] = [timestamp, above?.timestamp].map((time) => Date.parse(time ?? ''));
  return own !== undefined && before !== undefined && before > own ? above?.timestamp : timestamp;
}

function beginsAnswer(record: ClaudeRecord, records: ReadonlyMap<string, ClaudeRecord>): boolean {
  const above = record.parentUuid ? records.get(record.parentUuid) : undefined;
  return record.type === 'assistant' && answerId(record) !== undefined && !isSameAnswer(record, above);
}

function recordsOfAnswer(
  first: ClaudeRecord,
  childrenOf: (record: ClaudeRecord) => readonly ClaudeRecord[],
): ClaudeRecord[] {
  const answer = new Set<ClaudeRecord>();
  for (let at: ClaudeRecord | undefined = first; at && !answer.has(at);) {
    answer.add(at);
    at = childrenOf(at).find((record) => isSameAnswer(record, first));
  }
  return [...answer];
}

/** The first result of each call: a second one belongs to a branch. */
function resultsOf(
  record: ClaudeRecord,
  childrenOf: (record: ClaudeRecord) => readonly ClaudeRecord[],
): ClaudeRecord[] {
  const calls = new Set<string>();
  return childrenOf(record).filter((each) => {
    const ids = resultIds(each);
    const isNew = ids.length > 0 && ids.every((id) => !calls.has(id));
    for (const id of ids) calls.add(id);
    return isNew;
  });
}

function answerId({ message }: ClaudeRecord): string | undefined {
  return message?.id;
}

function isSameAnswer(record: ClaudeRecord, other: ClaudeRecord | undefined): boolean {
  return other?.type === 'assistant' && record.type === 'assistant' && answerId(record) === answerId(other);
}

function isSameTalk({ isSidechain }: ClaudeRecord, other: ClaudeRecord): boolean {
  return (isSidechain === true) === (other.isSidechain === true);
}

/** Of a record with nothing but results: their calls. */
function resultIds({ type, message }: ClaudeRecord): string[] {
  if (type !== 'user' || typeof message?.content !== 'object') return [];
  const ids = message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  return ids.length === message.content.length ? ids : [];
}

/** In a session in which no record names another, each follows the one before. */
export function inLine(records: ReadonlyMap<string, ClaudeRecord>): ReadonlyMap<string, ClaudeRecord> {
  const all = [...records.values()];
  const isTree = all.some(
    ({ parentUuid, logicalParentUuid }) => typeof (parentUuid ?? logicalParentUuid) === 'string',
  );
  if (isTree || !all.some(({ type }) => type === 'assistant')) return records;
  const lastOf = new Map<string, string>();
  return new Map(
    all.map((record) => {
      // Each agent talks for itself.
      const talk = record.isSidechain === true ? (record.agentId ?? 'agent') : '';
      const parentUuid = lastOf.get(talk) ?? null;
      lastOf.set(talk, record.uuid);
      return [record.uuid, { ...record, parentUuid }];
    }),
  );
}
