import type { BranchData, LogEvent } from './graph.ts';
import type { ContextStore } from './store.ts';

// A provisional branch holds nothing when it is made. The store drops it with the step that leaves it, and the log says
// what it was, so that one can go back to it.

/** How many entries of the log are looked through for what became of a branch. */
const REACH = 300;

/** A branch that can be gone to: one there is, or one that was dropped and would come back. */
export interface ReachableBranch {
  readonly name: string;
  readonly headMessageId: string | null;
  /** The branch that it comes from, of one that was dropped; undefined for one there is. */
  readonly dropped: { readonly from: string | undefined } | undefined;
}

/** Whether a branch was made by a click and holds nothing since. */
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

/** Keeps a provisional branch, whatever becomes of it, or until the draft is sent that is written there. */
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

/** To be called when the draft of a branch is sent. @returns whether the branch is provisional, or is so again */
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

/** A branch by its name, also one that was dropped. */
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
  // What it ended with may have been deleted with another branch.
  if (messageId !== undefined && !(await store.getMessage(chatId, messageId))) return undefined;
  const { from } = details;
  const isThere = typeof from === 'string' && (await store.getBranch(chatId, from)) !== undefined;
  return { name, headMessageId: messageId ?? null, dropped: { from: isThere ? from : undefined } };
}
