import type { BranchData, ChatData, CheckpointData } from '../../engine/graph.ts';

/** What stands in the tree. A node is what its commands get, so it holds names and no objects. */
export type TreeNode = ChatNode | BranchNode | CheckpointNode;

export interface ChatNode {
  readonly kind: 'chat';
  readonly chatId: string;
  readonly chat: ChatData;
  readonly isOpen: boolean;
}

export interface BranchNode {
  readonly kind: 'branch';
  readonly chatId: string;
  readonly name: string;
  readonly branch: BranchData;
}

export interface CheckpointNode {
  readonly kind: 'checkpoint';
  readonly chatId: string;
  readonly name: string;
  readonly checkpoint: CheckpointData;
}

/** The branches and checkpoints of a chat, each below the branch it belongs to. */
export interface ChatOutline {
  readonly branches: readonly BranchData[];
  /** The branch each checkpoint stands on, by the checkpoint's name. */
  readonly checkpoints: readonly { readonly checkpoint: CheckpointData; readonly branch: string }[];
}

/** The branches below `parent`, or (undefined) those at the top: made first, or from a branch that is out of sight. */
export function branchesBelow(
  outline: ChatOutline,
  parent: BranchNode | undefined,
  chatId: string,
): BranchNode[] {
  const shown = new Set(outline.branches.map(({ name }) => name));
  return outline.branches
    .filter(({ parentBranch }) =>
      parent ? parentBranch === parent.name : parentBranch === undefined || !shown.has(parentBranch),
    )
    .map((branch) => ({ kind: 'branch', chatId, name: branch.name, branch }));
}

export function checkpointsOn(outline: ChatOutline, branch: BranchNode): CheckpointNode[] {
  return outline.checkpoints
    .filter((each) => each.branch === branch.name)
    .map(({ checkpoint }) => ({
      kind: 'checkpoint',
      chatId: branch.chatId,
      name: checkpoint.name,
      checkpoint,
    }));
}
