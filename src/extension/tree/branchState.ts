import { answerMetadataOf } from '../../agent/answerMetadata.ts';
import { stepsIn } from '../../agent/explore/taskProgress.ts';
import type { Runs } from '../../agent/runs.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { SharedChats } from '../shared/sharedChats.ts';
import type { BranchTitles } from '../branches/branchTitles.ts';
import type { ChatOutline } from '../branches/outline.ts';
import { activityOf } from '../chats/runActivity.ts';
import type { RowLabel } from './rowLabels.ts';
import type { BranchState } from './treeItems.ts';

export interface BranchStateDeps {
  readonly approvals: Approvals;
  readonly runs: Runs;
  readonly store: ReadonlyStore;
  /** Left out if the conversations are on this machine. */
  readonly shared: SharedChats | undefined;
}

/** The known state of a branch, with the status of its last answer. */
export async function readBranchState(
  { runs, store, approvals, shared }: BranchStateDeps,
  titles: BranchTitles,
  outline: ChatOutline,
  branch: BranchData,
): Promise<Omit<BranchState, keyof RowLabel | 'isFiltered' | 'isOpen'>> {
  const { chatId, name, headMessageId } = branch;
  const head = headMessageId === null ? undefined : await store.getMessage(chatId, headMessageId);
  const read = head && readUIMessage(head.data);
  const run = runs.get(chatId, name) ?? runs.failed(chatId, name);
  const activity = run?.status === 'streaming' ? activityOf(run, approvals) : run?.status;
  const outlined = outline.find(branch.id);
  // Once a user asked something there, it is a branch like any other.
  const isTask = outline.isTask(branch) && (outlined?.questions ?? 0) <= 1;
  return {
    status: activity ?? (read && answerMetadataOf(read)?.status),
    title: outlined ? await titles.titleOf(outlined, head) : '',
    hasChildren: outline.branchesBelow(branch.id).length > 0 || outline.checkpointsOn(branch.id).length > 0,
    isExplored: isTask || outline.explorationOf(branch) !== undefined,
    steps: isTask && run?.status === 'streaming' ? Math.max(1, stepsIn(run.message())) : undefined,
    lastMessageAt: head?.createdAt ?? branch.createdAt,
    here: (await shared?.describeBranch(branch))?.texts ?? [],
  };
}
