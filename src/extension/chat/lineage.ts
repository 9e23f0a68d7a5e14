import type { BranchData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { BRANCH_COLOURS } from '../../protocol/branchColours.ts';
import type { LineageView } from '../../protocol/views.ts';

/** A stretch of the path, and the branch it was written on. */
export interface Stretch extends LineageView {
  /** The depth of the message before its first one. */
  readonly after: number;
}

/**
 * The ancestors of a branch, root first, each with the point where it leaves the previous one. A branch that was left
 * above its own beginning has no part in the path, and is skipped.
 */
export async function readLineage(
  store: ReadonlyStore,
  branch: BranchData,
  branches: readonly BranchData[],
): Promise<Stretch[]> {
  const byName = new Map(branches.map((each) => [each.name, each]));
  const stretches: Stretch[] = [];
  let limit = Infinity;
  const seen = new Set<string>();
  for (
    let at: BranchData | undefined = branch;
    at && !seen.has(at.id);
    at = byName.get(at.parentBranch ?? '')
  ) {
    seen.add(at.id);
    const { forkMessageId, chatId } = at;
    const fork = forkMessageId === null ? undefined : await store.getMessage(chatId, forkMessageId);
    const after = fork?.depth ?? 0;
    if (after >= limit) continue;
    stretches.unshift({
      branch: at.name,
      colour: Math.max(0, branches.indexOf(at)) % BRANCH_COLOURS,
      ...(fork ? { forkMessageId: fork.id } : {}),
      after,
    });
    limit = after;
    if (after === 0) break;
  }
  return stretches;
}

/** The color of the stretch that contains a message. */
export function colourAt(stretches: readonly Stretch[], depth: number): number {
  return (stretches.findLast(({ after }) => depth > after) ?? stretches[0])?.colour ?? 0;
}
