import type { ClaudeRecord } from './claudeCodeRecords.ts';

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
