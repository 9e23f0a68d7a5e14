import type { BranchData } from '../../engine/graph.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import { distinctLabels } from './distinctLabels.ts';
import type { BranchNode } from './treeNodes.ts';

/** The label of a branch row. */
export interface RowLabel {
  /** The full label. */
  readonly label: string;
  /** Its label in the row, if adjacent ones begin with the same text. */
  readonly shownLabel: string;
}

/** Labels of branch rows: adjacent ones are made distinct. */
export class RowLabels {
  private readonly known = new WeakMap<BranchNode, RowLabel>();

  constructor(private readonly labels: BranchLabels) {}

  /** Must be called with the rows that are shown together. */
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
