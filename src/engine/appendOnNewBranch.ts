import type { BranchData, LogEventKind } from './graph.ts';
import type { JsonObject } from './json.ts';
import type { ContextStore, NewBranchAt, NewMessage } from './store.ts';
import type { ViewedBy } from './users.ts';

export interface Append extends ViewedBy {
  /** The branch the new one is named after, as last read. */
  readonly from: BranchData;
  /** The message the new branch begins after; null: before the first. */
  readonly at: string | null;
  readonly why: NonNullable<NewBranchAt['why']>;
  readonly activate: boolean;
  readonly messages: readonly NewMessage[];
  readonly event: { readonly kind: LogEventKind; readonly details: JsonObject };
}

/** Saves messages on a new branch, in one transaction with the log entry; the original branch does not change. */
export async function appendOnNewBranch(
  store: Pick<ContextStore, 'saveMessages'>,
  { from, at, why, activate, messages, event, userId }: Append,
): Promise<BranchData> {
  const { branch } = await store.saveMessages({
    chatId: from.chatId,
    userId,
    branch: from.name,
    expectedHead: from.headMessageId,
    onHeadConflict: 'fork',
    newBranchAt: { messageId: at, why },
    activate,
    naming: 'flat',
    messages,
    event,
  });
  return branch;
}

/** Continues from a branch with these messages, on a new branch that becomes the active one. */
export function continueWith(
  store: Pick<ContextStore, 'saveMessages'>,
  from: BranchData,
  at: string | null,
  messages: readonly NewMessage[],
  event: { readonly kind: 'summarised' | 'cherry-picked'; readonly details: JsonObject },
  { userId }: ViewedBy,
): Promise<BranchData> {
  return appendOnNewBranch(store, {
    from,
    at,
    why: event.kind === 'cherry-picked' ? 'copy' : 'summary',
    activate: true,
    userId,
    messages,
    // The branch that was left, so that the user can go back to it.
    event: { ...event, details: { ...event.details, left: from.name } },
  });
}
