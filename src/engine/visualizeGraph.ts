import type { GraphData, GraphNode } from './graph.ts';

/** How much of a message is shown, in UTF-16 units. */
const MAX_TEXT = 60;

/**
 * A chat as text: one line per message, root first, indented only where paths diverge. The path with most messages is
 * not indented, so that the output grows with the chat and not with its square, however often it was rewound. Heads
 * are in brackets (the active one with a star), checkpoints in braces.
 * @example
 * ● q1 user: What is 2 + 2?
 * ├─● a1 assistant: 5 [main]
 * ● a2 assistant: 4 [main-v2*] {right}
 */
export function visualizeGraph(graph: GraphData): string {
  const tree = new Tree(graph.nodes);
  const marks = marksByMessage(graph);
  const lines = graph.branches
    .filter(({ headMessageId }) => headMessageId === null)
    .map(({ name, isActive }) => `(empty) [${name}${isActive ? '*' : ''}]`);
  // The last entry is drawn next; an explicit stack, because a chat may be deeper than the call stack.
  const pending: Pending[] = [];
  const draw = (nodes: readonly GraphNode[], indent: string): void => {
    for (const [index, node] of nodes.entries()) {
      pending.push(
        index === 0 ? { node, indent, isFork: false } : { node, indent: `${indent}│ `, isFork: true },
      );
    }
  };
  draw(tree.children(null), '');
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, indent, isFork } = next;
    lines.push(`${isFork ? `${indent.slice(0, -2)}├─` : indent}${describe(node, marks.get(node.id) ?? '')}`);
    draw(tree.children(node.id), indent);
  }
  return lines.join('\n');
}

interface Pending {
  readonly node: GraphNode;
  readonly indent: string;
  readonly isFork: boolean;
}

class Tree {
  private readonly byParent = new Map<string | null, GraphNode[]>();
  private readonly sizes = new Map<string, number>();

  constructor(nodes: readonly GraphNode[]) {
    const ids = new Set(nodes.map(({ id }) => id));
    for (const node of nodes) {
      // Messages with a missing parent are drawn too.
      const parentId = node.parentId !== null && ids.has(node.parentId) ? node.parentId : null;
      const siblings = this.byParent.get(parentId);
      if (siblings) siblings.push(node);
      else this.byParent.set(parentId, [node]);
    }
    this.measure();
  }

  /** The child that continues without indentation first, then the others, newest first. */
  children(parentId: string | null): readonly GraphNode[] {
    const nodes = this.byParent.get(parentId) ?? [];
    if (nodes.length < 2) return nodes;
    const newestFirst = nodes.toReversed();
    const main = newestFirst.reduce((best, node) => (this.size(node) > this.size(best) ? node : best));
    return [main, ...newestFirst.filter((node) => node !== main)];
  }

  private size({ id }: GraphNode): number {
    return this.sizes.get(id) ?? 0;
  }

  /** Children before parents: the reverse of an order in which parents come first. */
  private measure(): void {
    const ordered = [...(this.byParent.get(null) ?? [])];
    for (const { id } of ordered) {
      for (const child of this.byParent.get(id) ?? []) ordered.push(child);
    }
    for (const node of ordered.reverse()) {
      const below = this.byParent.get(node.id) ?? [];
      this.sizes.set(node.id, 1 + below.reduce((sum, child) => sum + this.size(child), 0));
    }
  }
}

function marksByMessage({ branches, checkpoints }: GraphData): Map<string, string> {
  const marks = new Map<string, string>();
  const add = (id: string, mark: string): void => void marks.set(id, `${marks.get(id) ?? ''} ${mark}`);
  for (const { name, headMessageId, isActive } of branches) {
    if (headMessageId !== null) add(headMessageId, `[${name}${isActive ? '*' : ''}]`);
  }
  for (const { name, messageId } of checkpoints) add(messageId, `{${name}}`);
  return marks;
}

function describe({ id, role, content }: GraphNode, marks: string): string {
  const line = content
    .slice(0, MAX_TEXT * 4)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const text = line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).toWellFormed()}…` : line;
  return `● ${id} ${role}: ${text}${marks}`.trimEnd();
}
