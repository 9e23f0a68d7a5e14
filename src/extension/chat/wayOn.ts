import type { MessageView } from '../../protocol/views.ts';

/** Offers to continue the answer that a branch ends with, where it did not come to its end. */
export function withContinue(messages: readonly MessageView[]): MessageView[] {
  const last = messages.at(-1);
  const isBroken = last?.role === 'assistant' && (last.status === 'failed' || last.status === 'interrupted');
  return isBroken ? [...messages.slice(0, -1), { ...last, canContinue: true }] : [...messages];
}
