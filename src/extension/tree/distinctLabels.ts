import type { BranchData } from '../../engine/graph.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import type { BranchNode } from './treeNodes.ts';

/** Two rows that share this many characters look the same: about what a narrow side bar shows. */
const ALIKE = 18;

/** How far before the first difference a word may begin; text with longer words has no spaces between them. */
const LONGEST_WORD = 24;

/**
 * Labels that differ although they are cut off: those with the same beginning start at the first word that differs;
 * equal ones are numbered.
 */
export function distinctLabels(labels: readonly string[]): string[] {
  const shared = sharedBeginnings(new Set(labels));
  const short = labels.map((label) => fromDifference(label, shared.get(label) ?? 0));
  const counts = new Map<string, Set<string>>();
  short.forEach((text, index) =>
    counts.set(text, (counts.get(text) ?? new Set<string>()).add(labels[index] ?? '')),
  );
  const taken = new Set<string>();
  // Labels that differ in the middle may end the same.
  return labels.map((label, index) => {
    const own = short[index] ?? label;
    return numbered((counts.get(own)?.size ?? 0) > 1 ? label : own, taken);
  });
}

/** How many characters each label shares with any other, at most. */
function sharedBeginnings(labels: ReadonlySet<string>): ReadonlyMap<string, number> {
  const sorted = [...labels].sort();
  const withNext = sorted.map((label, index) => sharedLength(label, sorted[index + 1] ?? ''));
  return new Map(
    sorted.map((label, index) => [label, Math.max(withNext[index - 1] ?? 0, withNext[index] ?? 0)]),
  );
}

function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function fromDifference(label: string, shared: number): string {
  // A label that ends where others continue differs by being short.
  if (shared < ALIKE || shared >= label.length) return label;
  const word = label.lastIndexOf(' ', shared - 1) + 1;
  const start = word > 0 && shared - word <= LONGEST_WORD ? word : shared;
  const isHalf = /^[\uDC00-\uDFFF]/.test(label.slice(start));
  return start < ALIKE / 2 ? label : `…${label.slice(isHalf ? start - 1 : start)}`;
}

function numbered(label: string, taken: Set<string>): string {
  let own = label;
  for (let number = 2; taken.has(own); number += 1) own = `${label} (${number})`;
  taken.add(own);
  return own;
}

export interface RowLabel {
  readonly label: string;
  /** Made distinct if adjacent labels begin with the same text. */
  readonly shownLabel: string;
}

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
