import type { BranchData } from '../../engine/graph.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import { distinctLabels } from './distinctLabels.ts';
import type { BranchNode } from './treeNodes.ts';

/** What a row of a branch says. */
export interface RowLabel {
  /** What it is called. */
  readonly label: string;
  /** The same as its row shows it, where others beside it begin alike. */
  readonly shownLabel: string;
}

/** What rows of branches say: those that are shown beside one another are told apart. */
export class RowLabels {
  private readonly known = new WeakMap<BranchNode, RowLabel>();

  constructor(private readonly labels: BranchLabels) {}

  /** To be called with what is shown beside one another. */
  async tellApart(chatId: string, rows: readonly (readonly [BranchNode, BranchData])[]): Promise<void> {
    const branches = rows.map(([, branch]) => branch);
    const labels = await this.labels.labelsOf(chatId, branches);
    const shownLabels = distinctLabels(labels);
    for (const [index, [node]] of rows.entries()) {
      const label = labels[index] ?? '';
      this.known.set(node, { label, shownLabel: shownLabels[index] ?? label });
    }
  }

  async of(node: BranchNode, branch: BranchData): Promise<RowLabel> {
    const known = this.known.get(node);
    if (known) return known;
    const [label = ''] = await this.labels.labelsOf(node.chatId, [branch]);
    return { label, shownLabel: label };
  }
}
