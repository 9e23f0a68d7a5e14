import type { BranchData, ChatData, CheckpointData } from '../../engine/graph.ts';

/**
 * What stands in the tree. VS Code tells nodes apart as objects, so the same one stands for the same thing as long as
 * it is there; what it looks like is asked for each time. A node is also what its commands get.
 */
export type TreeNode = ChatNode | BranchNode | CheckpointNode;

export interface ChatNode {
  readonly kind: 'chat';
  readonly chatId: string;
}

export interface BranchNode {
  readonly kind: 'branch';
  readonly chatId: string;
  readonly id: string;
  readonly name: string;
}

export interface CheckpointNode {
  readonly kind: 'checkpoint';
  readonly chatId: string;
  readonly id: string;
  readonly name: string;
}

/** A chat with what stands below it. */
export interface ChatOutline {
  readonly chat: ChatData;
  readonly branches: readonly BranchData[];
  readonly checkpoints: readonly PlacedCheckpoint[];
  /** What the agent explored and came back from with a report, by the head it left. */
  readonly explored: ReadonlyMap<string, Exploration>;
}

export interface Exploration {
  readonly goal: string;
  /** The message that holds the report. */
  readonly reportId: string;
}

/** What was explored on a branch, as long as nobody went on there since. */
export function explorationOf(
  { explored }: ChatOutline,
  { headMessageId }: BranchData,
): Exploration | undefined {
  return headMessageId === null ? undefined : explored.get(headMessageId);
}

export interface PlacedCheckpoint {
  readonly checkpoint: CheckpointData;
  /** The id of the branch it stands on. */
  readonly branchId: string;
}

/** The branch another was made from, as long as that one is shown. */
export function parentOf(outline: ChatOutline, branch: BranchData): BranchData | undefined {
  return outline.branches.find(({ name }) => name === branch.parentBranch);
}

/** The branches made from `parent`, or (undefined) those at the top: the first one, and any whose parent is archived. */
export function branchesBelow(outline: ChatOutline, parentId: string | undefined): BranchData[] {
  return outline.branches.filter((branch) => parentOf(outline, branch)?.id === parentId);
}

export function checkpointsOn(outline: ChatOutline, branchId: string): CheckpointData[] {
  return outline.checkpoints
    .filter((placed) => placed.branchId === branchId)
    .map(({ checkpoint }) => checkpoint);
}

/** Gives the same object for the same node, until it is forgotten. */
export class NodeCache {
  private readonly nodes = new Map<string, TreeNode>();

  chat(chatId: string): ChatNode {
    return this.same({ kind: 'chat', chatId });
  }

  branch({ chatId, id, name }: BranchData): BranchNode {
    return this.same({ kind: 'branch', chatId, id, name });
  }

  checkpoint({ chatId, id, name }: CheckpointData): CheckpointNode {
    return this.same({ kind: 'checkpoint', chatId, id, name });
  }

  forget(chatId: string): void {
    for (const [key, node] of this.nodes) if (node.chatId === chatId) this.nodes.delete(key);
  }

  private same<N extends TreeNode>(node: N): N {
    const key = JSON.stringify(node);
    // The key holds everything a node consists of, its kind included.
    const known = this.nodes.get(key) as N | undefined;
    if (known) return known;
    this.nodes.set(key, node);
    return node;
  }
}
