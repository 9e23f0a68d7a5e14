import type { MessageView } from '../../protocol/views.ts';

/** Offers to continue the answer at the end of a branch, if it is incomplete. */
export function withContinue(messages: readonly MessageView[]): MessageView[] {
  const last = messages.at(-1);
  const isBroken = last && (isCompacted(last) ? isCutOff(messages) : isUnfinished(last) || isStep(last));
  return isBroken ? [...messages.slice(0, -1), { ...last, canContinue: true }] : [...messages];
}

/** It ends with a call, after which the answer continued on another branch. */
function isStep({ role, status, notice, parts }: MessageView): boolean {
  const last = parts.findLast(({ type }) => type !== 'nothing');
  return (
    role === 'assistant' && status === 'complete' && notice?.canContinue !== true && last?.type === 'tool'
  );
}

/** Whether the conversation was compacted to this: it follows a question or an answer that continues. */
export function isCompacted({ report }: MessageView): boolean {
  return report?.kind === 'compacted';
}

function isUnfinished({ role, status }: MessageView): boolean {
  return role === 'assistant' && (status === 'failed' || status === 'interrupted');
}

/** Whether an unfinished question or answer precedes the summary that a conversation ends with. */
function isCutOff(messages: readonly MessageView[]): boolean {
  const before = messages.findLast(({ role }) => role !== 'note');
  const last = before?.parts.findLast(({ type }) => type !== 'nothing');
  return before !== undefined && (before.role === 'user' || isUnfinished(before) || last?.type === 'tool');
}
