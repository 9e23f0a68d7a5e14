import type { BranchData, LogEvent } from './graph.ts';
import type { ContextStore } from './store.ts';

// A provisional branch holds nothing when it is made. The store drops it when it is left, and the log records it, so
// that one can go back to it.

/** How many log entries are searched for the fate of a branch. */
const REACH = 300;

/** A branch one can switch to: an existing one, or a dropped one that would be made again. */
export interface ReachableBranch {
  readonly name: string;
  readonly headMessageId: string | null;
  /** The parent branch of a dropped branch; undefined for an existing branch. */
  readonly dropped: { readonly from: string | undefined } | undefined;
}

/** Whether a branch was made by a click and is still empty. */
export async function isProvisional(
  store: Pick<ContextStore, 'listEvents'>,
  branch: BranchData,
): Promise<boolean> {
  return (await whatKeeps(store, branch)) === 'nothing';
}

async function whatKeeps(
  store: Pick<ContextStore, 'listEvents'>,
  { chatId, name, headMessageId, forkMessageId }: BranchData,
): Promise<'nothing' | 'draft' | 'more'> {
  if (headMessageId !== forkMessageId) return 'more';
  const events = await store.listEvents(chatId, {
    kinds: ['rewound', 'restored', 'branch-created', 'branch-renamed', 'branch-kept'],
    limit: REACH,
  });
  const last = events.findLast(({ branch }) => branch === name)?.details;
  if (last?.['provisional'] === true) return 'nothing';
  return last?.['draft'] === true ? 'draft' : 'more';
}

/** Keeps a provisional branch permanently, or until the draft written there is sent. */
export async function keepBranch(
  store: Pick<ContextStore, 'listEvents' | 'logEvent'>,
  branch: BranchData,
  userId: string,
  { draft = false }: { readonly draft?: boolean } = {},
): Promise<void> {
  const { chatId, name } = branch;
  if (!(await isProvisional(store, branch))) return;
  const details = draft ? { draft } : {};
  await store.logEvent({ chatId, userId, kind: 'branch-kept', branch: name, details });
}

/** Call this when the draft of a branch is sent. @returns whether the branch is provisional, or is so again */
export async function releaseDraft(
  store: Pick<ContextStore, 'listEvents' | 'logEvent'>,
  branch: BranchData,
  userId: string,
): Promise<boolean> {
  const { chatId, name } = branch;
  const keeping = await whatKeeps(store, branch);
  if (keeping === 'draft') {
    const details = { provisional: true };
    await store.logEvent({ chatId, userId, kind: 'branch-kept', branch: name, details });
  }
  return keeping !== 'more';
}

/** Also finds a dropped branch. */
export async function findReachable(
  store: Pick<ContextStore, 'getBranch' | 'listEvents' | 'getMessage'>,
  chatId: string,
  name: string,
): Promise<ReachableBranch | undefined> {
  const branch = await store.getBranch(chatId, name);
  if (branch) return { name, headMessageId: branch.headMessageId, dropped: undefined };
  const events = await store.listEvents(chatId, { kinds: ['branch-dropped'], limit: REACH });
  const event = events.findLast((each) => each.branch === name);
  return event && (await reachableOf(store, event, name));
}

async function reachableOf(
  store: Pick<ContextStore, 'getBranch' | 'getMessage'>,
  { chatId, messageId, details }: LogEvent,
  name: string,
): Promise<ReachableBranch | undefined> {
  // Its last message may have been deleted with another branch.
  if (messageId !== undefined && !(await store.getMessage(chatId, messageId))) return undefined;
  const { from } = details;
  const isThere = typeof from === 'string' && (await store.getBranch(chatId, from)) !== undefined;
  return { name, headMessageId: messageId ?? null, dropped: { from: isThere ? from : undefined } };
}
