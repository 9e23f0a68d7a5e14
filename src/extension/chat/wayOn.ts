import type { MessageView } from '../../protocol/views.ts';

/** Offers to continue the answer that a branch ends with, where it did not come to its end. */
export function withContinue(messages: readonly MessageView[]): MessageView[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return [...messages];
  const isBroken = last.status === 'failed' || last.status === 'interrupted';
  return isBroken || isStep(last)
    ? [...messages.slice(0, -1), { ...last, canContinue: true }]
    : [...messages];
}

/** It ends with a call, after which the answer went on: on another branch. */
function isStep({ status, notice, parts }: MessageView): boolean {
  const last = parts.findLast(({ type }) => type !== 'nothing');
  return status === 'complete' && notice?.canContinue !== true && last?.type === 'tool';
}
